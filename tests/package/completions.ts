import { join } from "node:path";
import {
  createLanguageService,
  getDefaultLibFilePath,
  ModuleKind,
  ModuleResolutionKind,
  ScriptSnapshot,
  ScriptTarget,
  sys,
  type CompilerOptions,
} from "typescript";

const OPTIONS: CompilerOptions = {
  module: ModuleKind.Node16,
  moduleResolution: ModuleResolutionKind.Node16,
  target: ScriptTarget.ES2022,
  strict: true,
  types: ["node"],
};

/** What an editor offers in programs of a folder, at the mark `|`. */
export function editorIn(folder: string): (program: string) => readonly string[] {
  const file = join(folder, "edited.ts");
  let text = "";
  let version = 0;
  const service = createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : "0"),
    getScriptSnapshot: (name) => {
      const content = name === file ? text : sys.readFile(name);
      return content === undefined ? undefined : ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: getDefaultLibFilePath,
    fileExists: (name) => name === file || sys.fileExists(name),
    readFile: (name) => sys.readFile(name),
    readDirectory: (path, extensions, exclude, include, depth) =>
      sys.readDirectory(path, extensions, exclude, include, depth),
    directoryExists: (path) => sys.directoryExists(path),
    getDirectories: (path) => sys.getDirectories(path),
  });
  return (program) => {
    text = program.replace("|", "");
    version += 1;
    const { entries = [] } = service.getCompletionsAtPosition(file, program.indexOf("|"), {}) ?? {};
    return entries.map(({ name }) => name);
  };
}
