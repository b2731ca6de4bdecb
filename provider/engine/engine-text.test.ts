import { AgentPlatformError, isHttpError, HttpError } from "../base/errors";
import { engineText, withEngineText } from "./engine-text";

test.each([
  ["a colour of the engine", "a <{%fg 1%}>b", "a < {%fg 1%}>b"],
  ["of a template too, which is none", "<{%<{% if x %}>", "< {%< {% if x %}>"],
  ["any other text stays", "{% if x %} <b> 100%", "{% if x %} <b> 100%"],
])("%s", (_reason, message, text) => expect(engineText(message)).toBe(text));

test("an error stays what it is, with such a message", async () => {
  const error = new HttpError("GET", "/", 422, "no <{%x%}>");
  const thrown: unknown = await withEngineText(Promise.reject(error)).catch((reason: unknown) => reason);
  expect(isHttpError(thrown) && thrown.message).toBe("GET / answered 422: no < {%x%}>");
  await expect(withEngineText(Promise.reject(new AgentPlatformError("plain")))).rejects.toThrow("plain");
  await expect(withEngineText(Promise.resolve(1))).resolves.toBe(1);
});
