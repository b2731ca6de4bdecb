/** Which endpoints exist (docs/platform.md, Two contracts). */
export type Contract = "documented" | "extended";
