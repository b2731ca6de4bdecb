import { hasRevisions } from "./declarations";
import { twoAtOnce } from "./judge";
import { allStories, endsInTwo, type Act } from "./stories";

const PROMISES = "green only if it is so, nothing of another lost unseen, and the last up reaches its wish";
/** The other types are in a suite of their own, for a second core. */
const stories = allStories().filter(({ type }) => hasRevisions(type));
const CHANGING: readonly Act[] = ["replace", "rename", "delete"];

test.each([
  ["deployments", {}, stories.filter(({ act }) => !CHANGING.includes(act))],
  ["replacements", {}, stories.filter((story) => CHANGING.includes(story.act) && !endsInTwo(story))],
  // The stories with most schedules, where a build takes no time, and a delete does.
  ["renames", { buildSeconds: 0 }, stories.filter(endsInTwo)],
])(`two at once, about %s: ${PROMISES}`, async (_name, options, told) =>
  expect(await twoAtOnce(told, options)).toEqual([]),
);
