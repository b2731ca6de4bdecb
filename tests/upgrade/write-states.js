// `node tests/upgrade/write-states.js [--again]`, or `--package <folder> <file>` for the package alone of another checkout: see README.md.
require("../support/read-typescript");

const [option, ...rest] = process.argv.slice(2);
const written =
  option === "--package"
    ? Promise.resolve().then(() => require("./package").packVersion(...rest))
    : require("./write").writeStates({ again: option === "--again" });
written.catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
