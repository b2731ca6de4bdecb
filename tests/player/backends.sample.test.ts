import { exploring } from "./suite";
import { allStories, storiesOfTwoBackends, type Story } from "./stories";
import { World } from "./world";

/** Two backends with one project and stack name: with the native plugin each has a key of its own, with dynamic resources none. */
const ONE_NAME = { ours: { name: "prod" }, theirs: { name: "prod" } };

test.each([
  ["keys", { ours: { ...ONE_NAME.ours, key: "one" }, theirs: { ...ONE_NAME.theirs, key: "another" } }],
  ["no-keys", ONE_NAME],
])("two stacks of one name in two backends, with %s of their own: the same promises", async (name, stacks) => {
  const world = await World.start({ stacks });
  expect(await exploring(world, `backends-${name}`, storiesOfTwoBackends())).toEqual([]);
  await world.close();
});

test("a cron of an older agent server, which ignores the filter of a search: the same promises", async () => {
  const world = await World.start({ agentServers: { filtersCrons: false } });
  const isMade = ({ type, act }: Story): boolean => type === "Cron" && ["create", "replace", "rename"].includes(act);
  expect(await exploring(world, "older-server", allStories().filter(isMade))).toEqual([]);
  await world.close();
});
