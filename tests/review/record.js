// `npm run review:record`, or of some stories: `npm run review:record -- rotation many`. The recorder is TypeScript, which Node does not read
// by itself.
const { readFileSync } = require("node:fs");
const typescript = require("typescript");

require.extensions[".ts"] = (module, file) => {
  const { outputText } = typescript.transpileModule(readFileSync(file, "utf8"), {
    fileName: file,
    compilerOptions: {
      module: typescript.ModuleKind.CommonJS,
      target: typescript.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  module._compile(outputText, file);
};

require("./recorder")
  .record(process.argv.slice(2))
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
