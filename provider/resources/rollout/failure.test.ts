import { contextWith } from "../../../tests/support/context";
import { CancelledError, HttpError } from "../../base/errors";
import { secretsInEnvironment } from "./failure";
import { DeploymentWire } from "../deployment/wire";
import { rollOut } from "./definition";

const declared = [{ environmentVariables: { LEVEL: "info" }, secrets: { KEY: "declared" } }];

test.each<[reason: string, live: object, declared: typeof declared, values: string[], unknown: string[] | undefined]>([
  ["a value that is shown", { secrets: [{ name: "KEY", value: "shown" }] }, [], ["shown"], []],
  ["a plain variable of the program is none", { secrets: [{ name: "LEVEL", value: "info" }] }, declared, [], []],
  ["unless it was changed by hand", { secrets: [{ name: "LEVEL", value: "other" }] }, declared, ["other"], []],
  ["names alone, of the program", { secrets: [{ name: "KEY" }, { name: "LEVEL", value: null }] }, declared, [], []],
  ["a name that the program does not have", { secrets: [{ name: "KEY" }, { name: "MINE" }] }, declared, [], ["MINE"]],
  ["names alone, of another program", { secrets: [{ name: "KEY" }] }, [], [], ["KEY"]],
  [
    "a reference, whose value nobody shows",
    { secrets: [], secret_references: [{ name: "REF", secret_name: "s", secret_key: "k" }] },
    declared,
    [],
    ["REF"],
  ],
  ["no environment", { secrets: [] }, [], [], []],
  ["an answer that does not speak of it", {}, declared, [], []],
  ["an answer that does not speak of it, of another program", {}, [], [], undefined],
])("%s", (_reason, live, program, values, unknown) => {
  const wire = DeploymentWire.parse({ id: "d", latest_revision_id: "r", ...live });
  expect(secretsInEnvironment(wire, program)).toEqual({ values, unknown });
});

test.each([
  [
    "an answer that waiting cannot change is to be corrected",
    undefined,
    "answered 403: no. Nothing is lost: fix that, and run",
  ],
  [
    "after a cancelled run there is nothing to correct",
    AbortSignal.abort(new CancelledError()),
    "cancelled. Nothing is lost: run",
  ],
])("%s", async (_reason, signal, end) => {
  const send = () => Promise.reject(new HttpError("GET", "/v2/deployments/d/revisions/r", 403, "no"));
  const wait = rollOut(contextWith({ send, signal }), { deploymentId: "d", revisionId: "r" });
  await expect(wait).rejects.toThrow(`${end} \`pulumi up\` again, which resumes the wait`);
});
