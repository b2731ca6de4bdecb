// `node tests/upgrade/write-states.js [--again]`: see README.md. The writer is TypeScript, which Node does not read by itself.
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

require("./write")
  .writeStates({ again: process.argv.includes("--again") })
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
