// `npm run review:record`, or of some stories: `npm run review:record -- rotation many`.
require("../support/read-typescript");

require("./recorder")
  .record(process.argv.slice(2))
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
