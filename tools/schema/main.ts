import { pullRequestComment, compareSchemas } from "./comparison";

/** Prints the comparison as Markdown. The exit code is 1 if programs break and no release means it. */
const comparison = compareSchemas();
process.stdout.write(pullRequestComment(comparison));
if (comparison.unmeant.length > 0) process.exitCode = 1;
