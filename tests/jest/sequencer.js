const { default: Sequencer } = require("@jest/test-sequencer");

// They take minutes, and the backends hardly a processor: they begin at once, beside suites that leave them one.
const LONG = /tests\/(backends|official)|made-states|random-|mutants/;
/** Each starts engines, which take every processor there is. */
const ENGINES = /\.(long|both|dynamic|native)\.test/;

const rank = ({ path }) => (LONG.test(path) ? 0 : ENGINES.test(path) ? 2 : 1);

module.exports = class PlatformSequencer extends Sequencer {
  sort(tests) {
    // Within a rank the longest first, as usual; Array.sort is stable.
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
