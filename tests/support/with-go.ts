import { join } from "node:path";
import { hasGo } from "../../tools/release/generator";

const GO = hasGo({ checkout: join(__dirname, "..", ".."), env: process.env });

/** `test` where there is a Go that compiles the generated SDK; otherwise skipped (setup.js has said so). */
export const testWithGo = GO ? test : test.skip;
/** `describe` where an engine is there, too. */
export const describeWithGo = GO && process.env["ENGINE_UNAVAILABLE"] === undefined ? describe : describe.skip;
