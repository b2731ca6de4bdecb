/** Which endpoints exist (docs/internals/platform.md, Two contracts). */
export type Contract = "documented" | "extended";
