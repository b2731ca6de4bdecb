import { Command } from "commander";
import { defineEmulatorCommand } from "./command";
import { parseFault } from "./fault-flag";

const all = { method: "*", path: "*", probability: 1 };
const status = { ...all, kind: "status", phase: "before-route", echo: false, body: "platform" };

test.each<[string, object]>([
  [
    "POST /v2/deployments reset-after-commit x2",
    { ...all, method: "POST", path: "/v2/deployments", kind: "reset-after-commit", count: 2 },
  ],
  ["GET * 503 p=0.1", { ...status, method: "GET", status: 503, probability: 0.1 }],
  ["* latency=50ms jitter=20ms", { ...all, kind: "latency", ms: 50, jitterMs: 20, phase: "before-route" }],
  ["jitter=1.5s after-commit", { ...all, kind: "latency", ms: 0, jitterMs: 1500, phase: "after-commit" }],
  ["html nth=3", { ...all, kind: "html", nth: 3, phase: "after-commit" }],
  ["/v2/** empty-body", { ...all, path: "/v2/**", kind: "empty-body" }],
  ["429 retry-after=2", { ...status, status: 429, retryAfter: 2 }],
  ["* * slow-body every=5ms bytes=3", { ...all, kind: "slow-body", everyMs: 5, bytes: 3 }],
  ["truncated-json by=cut", { ...all, kind: "truncated-json", by: "cut" }],
  ["malformed-json after=100", { ...all, kind: "malformed-json", after: 100 }],
  ["wrong-content-type type=image/png", { ...all, kind: "wrong-content-type", contentType: "image/png" }],
  ["GET stale-read writes=2", { ...all, method: "GET", kind: "stale-read", writes: 2 }],
  [
    "GET /v2/** 404 body=text for=60s",
    { ...status, method: "GET", path: "/v2/**", status: 404, body: "text", forMs: 60000 },
  ],
  ["GET stale-read ago=5s", { ...all, method: "GET", kind: "stale-read", agoMs: 5000 }],
])("--fault %j", (text, fault) => {
  expect(parseFault(text)).toEqual(fault);
});

test.each<[string, string]>([
  ["", "it does not say what happens"],
  ["GET /v2/deployments", "it does not say what happens"],
  ["GET * 5033", '"5033" is not understood'],
  ["get * 503", '"get" is not understood'],
  ["GET v2 503", '"v2" is not understood'],
  ["* 200", "status: "],
  ["* 503 p=2", "probability: "],
  ["* 503 p=often", '"p=often" needs a number'],
  ["* 503 x0", "count: "],
  ["* 503 html", "it has two of: kind"],
  ["* latency=50", '"latency=50" needs a time such as 50ms or 2s'],
  ["* latency=50ms latency=60ms", "it has two of: ms"],
  ["* html bytes=3", '"bytes"'],
  ["* reset-after-commit before-route", '"phase"'],
  ["* hold", "hold is for tests in the same process"],
  ["* truncated-json by=half", "by: "],
])("--fault %j is refused: %s", (text, reason) => {
  expect(() => parseFault(text)).toThrow(reason);
  expect(() => parseFault(text)).toThrow(`--fault "${text}": `);
});

test("the command refuses a wrong fault by name, and explains faults in its help", () => {
  const said: string[] = [];
  const command = new Command("emulator").exitOverride().configureOutput({
    writeErr: (text) => void said.push(text),
    writeOut: (text) => void said.push(text),
  });
  defineEmulatorCommand(command);
  expect(() => command.parse(["--fault", "* 503 often"], { from: "user" })).toThrow();
  expect(said.join("")).toContain('"often" is not understood. See --help.');
  said.length = 0;
  expect(() => command.parse(["--help"], { from: "user" })).toThrow();
  for (const part of ["--no-limits", "--sandbox-quota", "--seed", "reset-after-commit x2", "stuck-offset"]) {
    expect(said.join("")).toContain(part);
  }
});
