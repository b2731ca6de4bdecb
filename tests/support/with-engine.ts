/** `describe` where an engine is there; otherwise skipped (setup.js has said so, and fails in CI). */
export const describeWithEngine = process.env["ENGINE_UNAVAILABLE"] === undefined ? describe : describe.skip;
/** `describe` where the engine runs YAML programs, too; otherwise skipped (setup.js has said so). */
export const describeWithYaml = process.env["YAML_HOST_BIN"] === undefined ? describe.skip : describe;
