import type { Child } from "hono/jsx";
import { z } from "zod";
import { EmulatorError } from "../base/emulator-error";
import { readJson } from "../base/json-text";
import type { Fault } from "../faults/fault";
import { readFault } from "../faults/fault-schema";
import { revisionOutcome } from "../platform/revision-outcomes";
import type { OwnRequest } from "../server/own-requests";
import { askAgent } from "./ask";
import { REDACTED } from "../../provider/base/masker";
import { Refusal, formOf, type ConsoleContext, type ConsoleServices } from "./handler";
import { findObject, type ConsoleObject } from "./model/objects";
import { ChangeForm, FaultForm } from "./pages/forms";
import { show } from "./show";

/** Carries out one of the changes that forms ask for. */
type Action = (services: ConsoleServices, asked: ConsoleContext) => Response | Promise<Response>;
const fields = z.record(z.string(), z.unknown());

/** All changes, by their paths below /console. Whoever gets here has the cookie, and comes from a page of ours. */
export const CHANGES: Readonly<Record<string, Action>> = {
  "/faults": async (services, asked) => {
    const typed = await formOf(asked);
    try {
      services.faults.add(faultOf(typed));
    } catch (error) {
      if (error instanceof EmulatorError) throw refused(services, error.message, <FaultForm typed={typed} />);
      throw error;
    }
    return done("/console/break", "fault-on");
  },
  "/faults/:id/off": (services, asked) => {
    activeFault(services, asked)?.remove();
    return done(pageOf(asked), "fault-off");
  },
  "/faults/:id/release": (services, asked) => {
    activeFault(services, asked)?.release();
    return done(pageOf(asked), "released");
  },
  "/next-revision": async (services, asked) => {
    const outcome = revisionOutcome.safeParse((await formOf(asked)).get("outcome"));
    if (!outcome.success) throw refused(services, "A revision cannot end like this.");
    services.outcomes.push(outcome.data);
    return done("/console/break", "revision-set");
  },
  "/next-revision/off": (services, asked) => {
    services.outcomes.clear();
    return done(pageOf(asked), "revisions-off");
  },
  "/deployments/:id/push": async (services, asked) => {
    const { id, source_config: config, source_revision_config: revision } = namedDeployment(services, asked).deployment;
    const commit = z.object({ repoUrl: z.string(), branch: z.string() });
    const read = commit.safeParse({ repoUrl: config["repo_url"], branch: revision["repo_ref"] });
    if (!read.success) throw refused(services, "This deployment is built from no branch.");
    services.platform.deployments.push(read.data, services.clock.now());
    await services.commit();
    return done(`/console/deployments/${id}`, "pushed");
  },
  "/objects/:collection/:id/change": async (services, asked) => {
    const object = namedObject(services, asked);
    const typed = await formOf(asked);
    const problem = await change(services, object, typed.get("change") ?? "", asked);
    if (problem !== undefined) throw refused(services, problem, <ChangeForm object={object} typed={typed} />);
    return done(`/console/${object.collection}/${object.record.id}`, "changed");
  },
  "/objects/:collection/:id/delete": async (services, asked) => {
    const object = namedObject(services, asked);
    const problem = await ask(services, object, { method: "DELETE", path: object.path }, asked);
    if (problem !== undefined) throw refused(services, problem);
    return done(`/console/${object.collection}/${object.record.id}`, "deleted");
  },
  "/deployments/:id/revisions/:revision/redeploy": async (services, asked) => {
    const object = namedDeployment(services, asked);
    const path = `${object.path}/revisions/${encodeURIComponent(asked.req.param("revision") ?? "")}/redeploy`;
    const problem = await ask(services, object, { method: "POST", path }, asked);
    if (problem !== undefined) throw refused(services, problem);
    return done(`/console/deployments/${object.record.id}`, "rolled-back");
  },
  "/deployments/:id/ask": async (services, asked) => {
    const { deployment: record } = namedDeployment(services, asked);
    const values = await formOf(asked);
    const question = { question: values.get("question") ?? "", graph: values.get("graph") ?? "agent" };
    const answered = await askAgent(services, record, question, asked.env);
    const path = `/deployments/${record.id}`;
    return (await show(services, path, asked, answered)) ?? done(`/console${path}`, "changed");
  },
};

const NO_OBJECT = new Refusal(404, "It is gone", "This object does not exist, or no longer exists.");

/** The object that a path names; 404 for none. */
function namedObject({ store }: ConsoleServices, { req }: ConsoleContext, collection = req.param("collection")) {
  const found = findObject(store, collection ?? "", req.param("id") ?? "");
  if (found === undefined) throw NO_OBJECT;
  return found;
}

function namedDeployment(services: ConsoleServices, asked: ConsoleContext) {
  const { deployment, ...object } = namedObject(services, asked, "deployments");
  if (deployment === undefined) throw NO_OBJECT;
  return { ...object, deployment };
}

const activeFault = ({ faults }: ConsoleServices, asked: ConsoleContext) =>
  faults.list.find(({ id }) => String(id) === asked.req.param("id"));

/** The page that a switch is on, by the Referer: pages of ours send it whole to ourselves. */
function pageOf({ req }: ConsoleContext): string {
  const referer = req.header("referer") ?? "";
  const path = URL.canParse(referer) ? new URL(referer).pathname : "";
  return path.startsWith("/console") ? path : "/console";
}

/** Leads to the page that says what was done. */
const done = (page: string, what: string): Response =>
  new Response(null, { status: 303, headers: { location: `${page}?done=${what}` } });

/** Why it is refused, and the form as it was sent, to be corrected. */
const refused = ({ secrets }: ConsoleServices, reason: string, form?: Child): Refusal =>
  new Refusal(422, "This is refused", secrets.mask(reason), form);

/** The fault that a form describes. Throws EmulatorError on one that is not valid. */
function faultOf(typed: ReadonlyMap<string, string>): Fault {
  const given = (name: string): string => typed.get(name)?.trim() ?? "";
  const more = fields.safeParse(readJson(given("more") === "" ? "{}" : given("more")).value);
  if (!more.success) throw new EmulatorError("The further fields are no JSON object.");
  const [method, path, count] = [given("method"), given("path"), given("count")];
  return readFault({
    kind: given("kind"),
    ...(method !== "" && { method }),
    ...(path !== "" && { path }),
    ...(count !== "" && { count: Number(count) }),
    ...more.data,
  });
}

/** Changes an object as another client of the platform would, by the rules of its routes. */
async function change(
  services: ConsoleServices,
  object: ConsoleObject,
  text: string,
  asked: ConsoleContext,
): Promise<string | undefined> {
  if (text.includes(REDACTED)) return `${REDACTED} stands for a secret: leave this field out, or write it anew.`;
  const body = fields.safeParse(readJson(text).value).data ?? {};
  if (Object.keys(body).length === 0) return "Nothing was changed: write a JSON object with the fields to change.";
  const { path, method, collection, record } = object;
  const now = (): string => contentOf(services, findObject(services.store, collection, record.id));
  const before = now();
  const problem = await ask(services, object, { method, path, body }, asked);
  if (problem !== undefined || now() !== before) return problem;
  return "Nothing was changed: it is so already, or the API has no such field. Write the API's names.";
}

/** What an object holds, and how many revisions it has: a write that changes none of it has only touched it. */
const contentOf = ({ platform }: ConsoleServices, object: ConsoleObject | undefined): string =>
  JSON.stringify([
    { ...object?.record, updated_at: "" },
    object?.deployment && platform.revisions.all(object.deployment).length,
  ]);

/** Asks the API's routes, as the workspace of the object: why they refuse, in their words; undefined if they do not. */
async function ask(
  { tenants, ask: askRoutes }: ConsoleServices,
  { record }: Pick<ConsoleObject, "record">,
  request: Omit<OwnRequest, "tenant">,
  { env }: ConsoleContext,
): Promise<string | undefined> {
  const tenant = tenants.find(({ tenantId }) => tenantId === record.tenant_id);
  if (tenant === undefined) return "No key of this emulator opens the workspace of this object.";
  const answer = await askRoutes({ tenant, ...request }, env);
  return answer.ok ? undefined : reasonOf(await answer.json());
}

const problem = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() });
const refusal = z.object({ detail: z.union([z.string(), z.object({ message: z.string() }), z.array(problem)]) });

function reasonOf(body: unknown): string {
  const { detail } = refusal.parse(body);
  if (typeof detail === "string") return detail;
  if ("message" in detail) return detail.message;
  return detail.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
}
