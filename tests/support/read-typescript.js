// Lets Node read TypeScript, for the commands that write fixtures with the code of the tests.
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
