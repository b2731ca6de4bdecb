/** `describe` where an engine is there; otherwise skipped (setup.js has said so loudly, and fails in CI). */
export const describeWithEngine = process.env["ENGINE_UNAVAILABLE"] === undefined ? describe : describe.skip;
