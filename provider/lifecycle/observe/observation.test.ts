import { HttpError, isForeignNotFound, isHttpError } from "../../base/errors";
import { requireSupported, type Unsupported } from "./observation";

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test("two objects that share an answer each get an error of their own, which is still a gateway's 404", () => {
  const cause = new HttpError("GET", "/v2/sandboxes/templates", 404, "no route", undefined, false);
  const shared: Unsupported = { state: "unsupported", cause };
  const errors = ["one", "two"].map((name) => thrownBy(() => requireSupported(shared, `SandboxTemplate "${name}"`)));
  const messages = errors.map((error) => (error instanceof Error ? error.message : ""));
  expect(messages[0]).toMatch(/^SandboxTemplate "one": GET \/v2\/sandboxes\/templates answered 404: no route\. /);
  expect(messages[1]).toBe(messages[0]?.replace('"one"', '"two"'));
  expect(errors.map((error) => isHttpError(error) && error.subject)).toEqual([
    'SandboxTemplate "one"',
    'SandboxTemplate "two"',
  ]);
  expect(errors.every(isForeignNotFound)).toBe(true);
  expect(cause.message).toBe("GET /v2/sandboxes/templates answered 404: no route");
});
