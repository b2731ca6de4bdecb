import { findPython, type Python } from "../../tools/official/python";

/** The Python of this machine; undefined where there is none, or no engine that could run its programs. */
export const python: Python | undefined =
  process.env["ENGINE_UNAVAILABLE"] === undefined ? findPython(process.env) : undefined;

/** `describe` where the engine runs Python programs; otherwise skipped (setup.js has said so). */
export const describeWithPython = python === undefined ? describe.skip : describe;
