import type { LogEntry } from "../base/log-entry";
import { RequestLog } from "../server/request-log";
import { fullness, LimitUsage } from "./limit-usage";
import { Traffic } from "./traffic";

const start = Date.UTC(2030, 0, 1);
const setUp = () => {
  const log = new RequestLog();
  const usage = new LimitUsage(log, new Traffic(() => undefined), "us");
  const add = (ms: number, path = "/v2/deployments", method = "GET", answer: Partial<LogEntry> = {}): void => {
    const url = new URL(path, "http://x");
    Object.assign(log.add(new Date(start + ms).toISOString(), { method, url, body: "" }), { status: 200, ...answer });
  };
  return { log, usage, add };
};

test("each row that governed requests has how many came within its interval, second by second", () => {
  const { usage, add } = setUp();
  for (const ms of [0, 500, 4000]) add(ms);
  add(4000, "/repos/x");
  const rows = usage.at(start + 12_000);
  expect(rows.map(({ category, limit }) => [category, limit.count, limit.seconds])).toEqual([
    ["Repository", 100, 60],
    ["Default (API key)", 1000, 10],
  ]);
  const [repository, ofKeys] = rows.map(({ within }) => within.slice(-13));
  expect(ofKeys).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 1, 1, 1]);
  expect(repository).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
});

test("what the limiter refuses is counted apart; a 429 of a fault is not its own", () => {
  const { usage, add } = setUp();
  add(0);
  add(0, "/v2/deployments", "GET", { status: 429 });
  add(0, "/v2/deployments", "GET", { status: 429, fault: "status" });
  expect(usage.at(start)).toMatchObject([{ refused: 1 }]);
  expect(usage.at(start)[0]?.within.at(-1)).toBe(2);
});

test("a request is counted once, however often somebody looks, and is forgotten in time", () => {
  const { usage, add } = setUp();
  add(0);
  usage.at(start);
  expect(usage.at(start)[0]?.within.at(-1)).toBe(1);
  add(5000);
  expect(usage.at(start + 5000)[0]?.within.at(-1)).toBe(2);
  expect(usage.at(start + 2_000_000)[0]?.within.every((count) => count === 0)).toBe(true);
});

test("the row closest to its limit comes first", () => {
  const { usage, add } = setUp();
  for (let index = 0; index < 12; index += 1) add(0, "/runs/query", "POST");
  for (let index = 0; index < 50; index += 1) add(0);
  expect(usage.at(start).map((row) => [row.category, fullness(row)])).toEqual([
    ["Run query (API)", 0.8],
    ["Default (API key)", 0.05],
  ]);
});

test("100,000 logged requests are counted in the time of a page, and looked at again at once", () => {
  const { log, usage, add } = setUp();
  for (let index = 0; index < 101_500; index += 1) add(index, `/v2/deployments/${index % 7}`);
  expect(log.entries.length).toBeLessThanOrEqual(101_000);
  const begin = performance.now();
  expect(usage.at(start + 101_500)).toHaveLength(1);
  const first = performance.now();
  expect(usage.at(start + 101_600)).toHaveLength(1);
  expect(first - begin).toBeLessThan(1500);
  expect(performance.now() - first).toBeLessThan(200);
});
