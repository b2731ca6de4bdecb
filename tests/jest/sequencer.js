const { default: Sequencer } = require("@jest/test-sequencer");

// They take minutes, and the backends hardly a processor: they begin at once, beside suites that leave them one.
const LONG = /tests\/(model\/(programs|wide|promises)|backends)/;
/** Each starts engines, which take every processor there is. */
const ENGINES =
  /tests\/(docs\/(programs|walk)|engine|upgrade|examples\/(gitops|promotion|pull-requests|multi-region|python|yaml|bundle|templates)\.)|tests\/security\/canaries|tests\/console\/walks|tools\/(try|sdk)/;

const rank = ({ path }) => (LONG.test(path) ? 0 : ENGINES.test(path) ? 2 : 1);

module.exports = class PlatformSequencer extends Sequencer {
  sort(tests) {
    // Within a rank the longest first, as usual; Array.sort is stable.
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
