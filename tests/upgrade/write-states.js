// `node tests/upgrade/write-states.js [--again]`: see README.md.
require("../support/read-typescript");

require("./write")
  .writeStates({ again: process.argv.includes("--again") })
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
