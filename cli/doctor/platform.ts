import { z } from "zod";
import { nameText } from "../base/printable";
import { type Finding, fix, ok, skip } from "./finding";
import { realClock } from "../../provider/base/clock";
import type { Connection } from "../../provider/base/connection";
import { isForbidden, isHttpError, messageOf } from "../../provider/base/errors";
import { configKey, environmentName, type Setting } from "../../provider/base/settings";
import { showDuration } from "../../provider/base/time";
import { createSend } from "../../provider/http/client";
import type { Send } from "../../provider/http/request";
import { type Observation, observe } from "../../provider/lifecycle/observe/observation";
import { createSession } from "../../provider/lifecycle/session";

/** How long one question may take, in milliseconds. */
const LONGEST_MS = 10_000;
/** A clock that is further off breaks certificates and tokens. */
const SKEW_MS = 60_000;

const Owned = z.looseObject({ tenant_id: z.string().nullish() });
const Deployments = z.looseObject({ resources: z.array(Owned) });
/** The lists that contract `extended` has and `documented` lacks. */
const EXTENDED = ["/v2/deployments", "/v2/auth/providers", "/v2/listeners"] as const;

interface Asked {
  readonly connection: Connection;
  readonly control: Send;
  readonly sandboxes: Send;
  readonly place: GivenIn;
}

/** What to say of the place in which a setting is given. */
export interface GivenIn {
  readonly nameOf: (setting: Setting) => string;
  readonly toSetKey: string;
  readonly toSetContract: string;
}

/** Where the stack's configuration has something of it. @param where The end of a command of the engine: which stack is meant. */
export const inStack = (where: string): GivenIn => ({
  nameOf: configKey,
  toSetKey: `\`pulumi config set --secret ${configKey("apiKey")}${where}\``,
  toSetContract: `\`pulumi config set ${configKey("contract")} documented${where}\``,
});

/** Where it has nothing of it, or is not read. */
export const ENVIRONMENT: GivenIn = {
  nameOf: environmentName,
  toSetKey: `the environment variable ${environmentName("apiKey")}`,
  toSetContract: `set ${environmentName("contract")} to documented`,
};

/** The connection of a Platform, by its name. */
export function inPlatform(platform: string, where: string): GivenIn {
  const nameOf = (setting: Setting): string => `${setting} of Platform "${nameText(platform)}"`;
  return {
    nameOf,
    toSetKey: `it is ${nameOf("apiKey")} at the latest \`pulumi up\`. Set it where the program takes it from, and run \`pulumi up${where}\``,
    toSetContract: `give it \`contract: "documented"\``,
  };
}

/**
 * What the platform of a connection answers to a handful of reads, each sent once.
 * @param place Where the connection is given.
 */
export async function platformFindings(connection: Connection, place: GivenIn): Promise<Finding[]> {
  const session = createSession();
  const control = createSend(connection, connection.baseUrl, session);
  const sandboxes = createSend(connection, connection.sandboxBaseUrl, session);
  const asked = { connection, control, sandboxes, place };
  // What people see as the machine's time; requests have a clock that is never set back.
  const sent = Date.now();
  try {
    const deployments = await ask(control, EXTENDED[0], Deployments);
    // A platform without that list has at least this one.
    const answered = deployments.state === "found" ? deployments : await askTemplates(asked);
    const date = answered.state === "found" ? answered.date : undefined;
    return [
      ok("address", addressText(connection)),
      ok("key", "the platform accepts it"),
      tenantOf(asked, deployments),
      await contractOf(asked, deployments),
      clockOf(date, sent),
    ];
  } catch (error) {
    return unanswered(asked, error);
  }
}

const ask = <T>(send: Send, path: string, answer: z.ZodType<T>): Promise<Observation<T>> =>
  observe(() =>
    send({ method: "GET", path, query: { limit: 1 }, effort: "once" }, answer, realClock.now() + LONGEST_MS),
  );

async function askTemplates({ sandboxes, connection }: Asked): Promise<Observation<unknown>> {
  const found = await ask(sandboxes, "/v2/sandboxes/templates", z.unknown());
  if (found.state === "found") return found;
  throw new Error(
    `${connection.baseUrl} knows neither deployments nor sandbox templates: is it the address of the platform's API?`,
  );
}

const addressText = ({ baseUrl, sandboxBaseUrl }: Connection): string =>
  sandboxBaseUrl === baseUrl ? baseUrl : `${baseUrl}, sandboxes at ${sandboxBaseUrl}`;

function unanswered({ connection, place }: Asked, error: unknown): Finding[] {
  const left = ["tenant", "contract", "clock"].map((what) => skip(what, "not asked"));
  if (isHttpError(error) && [401, 403, 429].includes(error.status)) {
    const remedy =
      error.status === 429
        ? "Too many requests are being sent with this key: run this again later"
        : `Set the right key: ${place.toSetKey}`;
    return [ok("address", addressText(connection)), fix("key", `${sentenceOf(error)} ${remedy}`), ...left];
  }
  const remedy = `Check ${place.nameOf("baseUrl")} (${addressText(connection)}), and any proxy in between`;
  return [fix("address", `${sentenceOf(error)} ${remedy}`), skip("key", "not asked"), ...left];
}

function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function tenantOf(
  { connection: { tenantId }, place }: Asked,
  deployments: Observation<z.output<typeof Deployments>>,
): Finding {
  const named = deployments.state === "found" ? deployments.value.resources[0]?.tenant_id : undefined;
  if (typeof named !== "string")
    return ok(
      "tenant",
      tenantId === undefined ? "the key's own; the answers do not name it yet" : `${tenantId}, as configured`,
    );
  if (tenantId === undefined || tenantId === named) return ok("tenant", named);
  return fix(
    "tenant",
    `${place.nameOf("tenantId")} is ${tenantId}, but the answers are for ${named}: set the right one`,
  );
}

async function contractOf(
  { connection: { contract }, control, place }: Asked,
  deployments: Observation<unknown>,
): Promise<Finding> {
  const missing: string[] = deployments.state === "found" ? [] : [EXTENDED[0]];
  for (const path of EXTENDED.slice(1)) {
    if (!(await isOffered(control, path))) missing.push(path);
  }
  if (contract === "documented") {
    const more =
      missing.length === 0 ? `; the platform offers extended, too (without ${place.nameOf("contract")})` : "";
    return ok("contract", `documented${more}`);
  }
  if (missing.length === 0) return ok("contract", "extended");
  return fix("contract", `extended, but the platform does not offer ${missing.join(", ")}: ${place.toSetContract}`);
}

/** A list that the key may not read is there. */
const isOffered = (control: Send, path: string): Promise<boolean> =>
  ask(control, path, z.unknown()).then(
    ({ state }) => state === "found",
    (error: unknown) => {
      if (isForbidden(error)) return true;
      throw error;
    },
  );

function clockOf(date: number | undefined, sent: number): Finding {
  if (date === undefined) return skip("clock", "the platform does not say what time it is");
  const off = Math.round((sent - date) / 1000);
  if (Math.abs(sent - date) <= SKEW_MS) return ok("clock", "agrees with the platform's");
  const which = off > 0 ? "ahead of" : "behind";
  return fix("clock", `this machine is ${showDuration(Math.abs(off) * 1000)} ${which} the platform: correct its clock`);
}
