// For a process that Node starts with `--require` of this file: Pulumi's SDK loads TypeScript and Arborist, three quarters of its start, when it
// first uses them. Only a program that hands over a function does so; the process of dynamic resources never does.
const Module = require("node:module");

const LATER = ["typescript", "@npmcli/arborist"];
const load = Module._load;

Module._load = function (name, parent, isMain) {
  const now = () => load.call(this, name, parent, isMain);
  if (!LATER.includes(name) || !parent?.filename?.includes("/@pulumi/pulumi/")) return now();
  let library;
  // What is compiled asks for `__esModule` at once.
  return new Proxy({}, { get: (_, key) => (key === "__esModule" ? true : Reflect.get((library ??= now()), key)) });
};
