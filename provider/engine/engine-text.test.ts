import { inspect } from "node:util";
import { AgentPlatformError, isHttpError, HttpError, UnfinishedError } from "../base/errors";
import { noteSecrets, safeText } from "../base/masker";
import { withEngineText } from "./log";

test.each([
  ["a colour of the engine", "a <{%fg 1%}>b", "a < {%fg 1%}>b"],
  ["of a template too, which is none", "<{%<{% if x %}>", "< {%< {% if x %}>"],
  ["a command of the terminal", "a\x1b[31m\x9b1mb\x07", "ab"],
  ["any other text stays", "{% if x %} <b> 100%", "{% if x %} <b> 100%"],
])("%s", (_reason, message, text) => expect(safeText(message)).toBe(text));

test("no secret that the process knows reaches the engine: not in a line, an error, the reasons of an unfinished one, or the trace of a fault", async () => {
  noteSecrets("canary-1");
  expect(safeText("got canary-1")).toBe("got [secret]");
  const unfinished = new UnfinishedError("made canary-1", "id", {});
  const fault = new TypeError("canary-1 is not a function");
  for (const error of [unfinished, fault]) {
    const thrown: unknown = await withEngineText(() => Promise.reject(error)).catch((reason: unknown) => reason);
    expect(thrown).toBe(error);
    expect(inspect(thrown)).not.toContain("canary");
  }
  expect(unfinished.reasons).toEqual(["made [secret]"]);
});

test("an error stays what it is, with such a message", async () => {
  const error = new HttpError("GET", "/", 422, "no <{%x%}>");
  const thrown: unknown = await withEngineText(() => Promise.reject(error)).catch((reason: unknown) => reason);
  expect(isHttpError(thrown) && thrown.message).toBe("GET / answered 422: no < {%x%}>");
  await expect(withEngineText(() => Promise.reject(new AgentPlatformError("plain")))).rejects.toThrow("plain");
  await expect(withEngineText(() => 1)).resolves.toBe(1);
});
