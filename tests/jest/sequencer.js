const { default: Sequencer } = require("@jest/test-sequencer");

// They take minutes, and the backends hardly a processor. They begin at once: the last of them would run alone.
const LONG = /tests\/(backends|official|release)|docs\/(walk|programs)|player|drift-by-state/;
/** Each starts engines, which take every processor there is. */
const ENGINES = /\.(long|both|native)\.test/;

const rank = ({ path }) => (LONG.test(path) ? 0 : ENGINES.test(path) ? 2 : 1);

module.exports = class PlatformSequencer extends Sequencer {
  sort(tests) {
    // Within a rank the longest first, as usual; Array.sort is stable.
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
