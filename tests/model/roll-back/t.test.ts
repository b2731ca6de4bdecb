import { play } from "./play";
import { stories } from "./stories";
import { World } from "./world";
test("t", async () => {
  const world = await World.start();
  const all = [...stories({ before: 8, one: 20, check: 12 })];
  process.stderr.write(`${all.length}\n`);
  const first = Number(process.env["FIRST"] ?? 0);
  for (const [i, story] of all.entries()) {
    if (i < first) continue;
    try {
      const p = await play(world, story);
      if (p.length) process.stderr.write(`${i} ${JSON.stringify(story)} ${p.join(" | ").slice(0, 600)}\n`);
    } catch (e) {
      process.stderr.write(`${i} ${JSON.stringify(story)} THROWS ${String(e).slice(0, 300)}\n`);
      break;
    }
  }
  await world.close();
}, 600000);
