import { ArgumentError, HttpError, TransportError } from "../../provider/base/errors";
import { RunError, StreamError } from "../../provider/streaming/errors";
import { failureOf, type Situation } from "./failure";
import { wrongUsage } from "../base/cli-error";

const run = { runId: "r-1", attempt: 1 };
const stateless: Situation = {
  isFound: true,
  isByUrl: true,
  hasKey: true,
  joined: false,
  thread: undefined,
  runId: "r-1",
};
const deployed: Situation = { ...stateless, isByUrl: false };
const onThread: Situation = { ...stateless, thread: "t-1" };
const unfound: Situation = { ...stateless, isFound: false, hasKey: false };
const joined: Situation = { ...onThread, joined: true };
const refusal = (status: number) => new HttpError("POST", "/runs/stream", status, "why");

test.each<[reason: string, error: unknown, situation: Situation, code: number, advice: RegExp | undefined]>([
  ["the command line is wrong", wrongUsage("--url: x"), stateless, 2, undefined],
  ["the client does not take a value", new ArgumentError("url", "must be x"), stateless, 2, undefined],
  ["the graph failed: its message says it all", new RunError(run, "ValueError", "x", []), stateless, 1, undefined],
  ["a join of an unknown run", new RunError(undefined, "HTTPException", "404", []), joined, 1, /--join.*r-1/],
  ["cut off, where nothing is kept", new StreamError(run, "x"), stateless, 1, /not known/],
  ["cut off, as it says", new StreamError(run, "was cut off; the run may still be going"), stateless, 1, undefined],
  ["a redirect: its message says it all", refusal(302), stateless, 1, undefined],
  ["a key of the environment", refusal(403), stateless, 1, /^The key in AGENT_PLATFORM_API_KEY is not accepted/],
  ["a key of a stack", refusal(401), deployed, 1, /^The key of the deployment's connection \(apiKey\) is not accepted/],
  ["no key in a stack", refusal(401), { ...deployed, hasKey: false }, 1, /set the one of the deployment's connection/],
  ["not there, at a deployment", refusal(404), deployed, 1, /^Correct --assistant: nothing is there\.$/],
  ["not there, of a run that is joined", refusal(404), joined, 1, /^Correct --url or --thread or --join: /],
  ["no such value", refusal(422), joined, 1, /^Correct --thread or --join or --mode: the answer/],
  ["no key", refusal(401), { ...stateless, hasKey: false }, 1, /No key.*AGENT_PLATFORM_API_KEY/],
  ["not there", refusal(404), stateless, 1, /^Correct --url or --assistant/],
  ["a busy thread", refusal(409), onThread, 1, /busy/],
  ["too many requests", refusal(429), stateless, 1, /later/],
  ["not ready", refusal(503), stateless, 1, /later/],
  ["never sent", new TransportError("POST", "/x", "refused", false), stateless, 1, /its address\.$/],
  ["the platform is silent", new TransportError("GET", "/x", "no", false), unfound, 1, /the stack's baseUrl\.$/],
  ["the platform refuses the key: its message says it all", refusal(401), unfound, 1, undefined],
  ["perhaps sent", new TransportError("POST", "/x", "reset", true), stateless, 1, /The run may have begun/],
  ["anything else", new Error("x"), stateless, 1, undefined],
])("%s", (_reason, error, situation, code, advice) => {
  const failure = failureOf(error, situation);
  expect(failure.code).toBe(code);
  expect(failure.message).not.toBe("");
  if (advice === undefined) expect(failure.advice).toBeUndefined();
  else expect(failure.advice).toMatch(advice);
});
