const { AsyncLocalStorage } = require("node:async_hooks");
const { TestEnvironment } = require("jest-environment-node");

// jest uses a storage of its own for each suite, and never lets go of it. Node 20 gives every promise a field for each one that is in use: after a hundred
// suites, most of what a promise costs.
const inUse = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  inUse.add(this);
  return run.apply(this, args);
};

module.exports = class extends TestEnvironment {
  constructor(...args) {
    super(...args);
    // Node computes this list once, but jest's copy of `process` does so at each read, and axios reads it for each request: a fifth of a request's time.
    const { allowedNodeEnvironmentFlags: value } = process;
    Object.defineProperty(this.global.process, "allowedNodeEnvironmentFlags", { value });
  }

  async teardown() {
    for (const storage of inUse) storage.disable();
    inUse.clear();
    await super.teardown();
  }
};
