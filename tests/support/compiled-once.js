// For the processes that tests start again and again (`node --require`): V8 takes what it has compiled of a script in an earlier one. Half of the time in which
// the native plugin starts, and a sixth of a program's, is compiling. What runs is the same: V8 takes nothing of another script or version.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const { dirname, join } = require("node:path");
const { setTimeout } = require("node:timers");
const { Script } = require("node:vm");

/** The folder of the run, which ends with it (tests/jest/run.js). */
const FOLDER = join(tmpdir(), "compiled-once");

/** Scripts that no process has compiled yet. */
const compiled = new Map();

const compileAsNode = Module.prototype._compile;
/** Scripts that have the word in a text alone. */
const NO_IMPORT = /[\\/](?:typescript|plugin[\\/]server)\.js$/;
/** Only Node itself lets a script import. */
const imports = (content, filename) => /\bimport *\(/.test(content) && !NO_IMPORT.test(filename);

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Undefined if only Node itself can compile it, or say what is wrong with it. */
function scriptOf(code, filename, cachedData) {
  try {
    return new Script(code, { filename, cachedData });
  } catch {
    return undefined;
  }
}

/** As Node does it, but with what has been compiled. */
function compile(content, filename, format = "commonjs") {
  if (format !== "commonjs" || imports(content, filename)) return compileAsNode.apply(this, arguments);
  const code = Module.wrap(content.replace(/^#!.*/, ""));
  const file = join(FOLDER, createHash("sha1").update(code).digest("hex"));
  const cachedData = read(file);
  const script = scriptOf(code, filename, cachedData);
  if (script === undefined) return compileAsNode.apply(this, arguments);
  if (cachedData === undefined || script.cachedDataRejected) compiled.set(file, script);
  const load = Object.assign((id) => this.require(id), {
    resolve: Object.assign((id, options) => Module._resolveFilename(id, this, false, options), {
      paths: (id) => Module._resolveLookupPaths(id, this),
    }),
    main: process.mainModule,
    extensions: Module._extensions,
    cache: Module._cache,
  });
  return script.runInThisContext().call(this.exports, this.exports, load, this, filename, dirname(filename));
}

/** Late, when what a process has called is compiled, too. Another one may write the same file: each moves its own in. */
function save() {
  if (compiled.size > 0) mkdirSync(FOLDER, { recursive: true });
  for (const [file, script] of compiled) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, file);
  }
  compiled.clear();
}

// Node 22 does it by itself.
if (Module.enableCompileCache !== undefined) Module.enableCompileCache(FOLDER);
else {
  Module.prototype._compile = compile;
  process.on("exit", save);
  // The engine kills a plugin when it needs it no more.
  setTimeout(save, 400).unref();
}
