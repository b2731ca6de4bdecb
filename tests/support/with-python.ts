import { findPython, OLDEST_PYTHON, type Python } from "../../tools/official/python";

const found = findPython(process.env);
if (found === undefined)
  console.error(`\n!!! NO PYTHON ${OLDEST_PYTHON} OR NEWER: the tests of programs in Python are SKIPPED.\n`);

/** The Python of this machine; undefined where there is none, or no engine that could run its programs. */
export const python: Python | undefined = process.env["ENGINE_UNAVAILABLE"] === undefined ? found : undefined;

/** `describe` where the engine runs Python programs; otherwise skipped, with one line that says so. */
export const describeWithPython = python === undefined ? describe.skip : describe;
