import { canRepeat, hasRevisions } from "./declarations";
import { twoAtOnce } from "./judge";
import { allStories, storiesOfTwoBackends, type Story } from "./stories";

const stories = allStories();
/** Two backends with one project and stack name: with the native plugin each has a key of its own, with dynamic resources none. */
const ONE_NAME = { ours: { name: "prod" }, theirs: { name: "prod" } };
const WITH_KEYS = { ours: { name: "prod", key: "one" }, theirs: { name: "prod", key: "another" } };
const isMade = ({ type, act }: Story): boolean => type === "Cron" && ["create", "replace", "rename"].includes(act);

test.each([
  ["objects", {}, stories.filter(({ type }) => !hasRevisions(type) && !canRepeat(type))],
  // Several of a snapshot, an assistant or a cron can have one name.
  ["repeating", {}, stories.filter(({ type }) => canRepeat(type))],
  ["backends-keys", { stacks: WITH_KEYS }, storiesOfTwoBackends()],
  ["backends-no-keys", { stacks: ONE_NAME }, storiesOfTwoBackends()],
  // It ignores the filter of a search for crons.
  ["older-server", { agentServers: { filtersCrons: false } }, stories.filter(isMade)],
])("two at once, about %s: the same promises as for deployments", async (_name, options, told) =>
  expect(await twoAtOnce(told, options)).toEqual([]),
);
