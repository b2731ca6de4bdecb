const { default: Sequencer } = require("@jest/test-sequencer");

// The models and the promises take minutes: they begin at once, beside suites that leave them a processor.
const MODEL = /tests\/model\/(programs|wide|promises)/;
/** Each starts engines, which take every processor there is. */
const ENGINES =
  /tests\/(engine|backends|upgrade|examples\/(gitops|promotion|pull-requests|multi-region|python|yaml|bundle)\.)|tests\/security\/canaries|tools\/(try|sdk)/;

const rank = ({ path }) => (MODEL.test(path) ? 0 : ENGINES.test(path) ? 2 : 1);

module.exports = class PlatformSequencer extends Sequencer {
  sort(tests) {
    // Within a rank the longest first, as usual; Array.sort is stable.
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
