// `npm run compat`: plays every combination and writes docs/compatibility.md.
require("../support/read-typescript");

require("./report")
  .report()
  .then((isWhole) => {
    if (!isWhole) process.exitCode = 1;
  })
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
