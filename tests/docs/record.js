// `npm run docs:record`: plays the commands of the pages on the emulator, and writes what they print into the pages.
require("../support/read-typescript");

require("./recorder")
  .record()
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
