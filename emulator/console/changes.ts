import { faultKinds } from "../faults/fault-kinds";
import { revisionOutcome } from "../platform/revision-schema";
import { askAgent } from "./ask";
import { change, redeploy, remove, type Problems } from "./change";
import { changeableFields, changedFieldsOf } from "./change-fields";
import { readFaultForm } from "./fault-form";
import type { Entered } from "./forms";
import { formOf, consoleObjectOf, Refusal, type ConsoleContext, type ConsoleServices } from "./handler";
import { show } from "./show";

/** Carries out one of the changes that forms ask for. */
type Action = (services: ConsoleServices, asked: ConsoleContext) => Response | Promise<Response>;

/** All changes, by their paths below /console. Whoever gets here has the cookie, and comes from a page of ours. */
export const CHANGES: Readonly<Record<string, Action>> = {
  "/faults": async (services, asked) => {
    const values = await formOf(asked.req.raw);
    const kind = values.get("kind") ?? "";
    if (!faultKinds.some((known) => known === kind)) {
      throw new Refusal(422, "There is no such fault", "Choose one from the list on the Break it page.");
    }
    const read = readFaultForm(kind, values);
    if ("problems" in read) return refused(services, asked, { form: `fault ${kind}`, values, problems: read.problems });
    services.faults.add(read.fault);
    return done(services, asked, { done: "fault-on", kind }, `fault-${kind}`);
  },
  "/faults/:id/off": (services, asked) => {
    faultOf(services, asked)?.remove();
    return done(services, asked, { done: "fault-off" });
  },
  "/faults/:id/release": (services, asked) => {
    faultOf(services, asked)?.release();
    return done(services, asked, { done: "released" });
  },
  "/next-revision": async (services, asked) => {
    const values = await formOf(asked.req.raw);
    const outcome = revisionOutcome.safeParse(values.get("outcome"));
    if (!outcome.success) throw new Refusal(422, "A revision cannot end like this", "Choose an outcome from the list.");
    services.outcomes.push(outcome.data);
    return done(services, asked, { done: "revision-set" }, "next-revision");
  },
  "/next-revision/off": (services, asked) => {
    services.outcomes.clear();
    return done(services, asked, { done: "revisions-off" });
  },
  "/push": async (services, asked) => {
    const values = await formOf(asked.req.raw);
    const [repoUrl = "", branch = ""] = [values.get("repoUrl")?.trim(), values.get("branch")?.trim()];
    const problems = new Map([
      ...(repoUrl === "" ? [["repoUrl", "Say which repository, as in source_config.repo_url."] as const] : []),
      ...(branch === "" ? [["branch", "Say which branch, such as main."] as const] : []),
    ]);
    if (problems.size > 0) return refused(services, asked, { form: "push", values, problems });
    services.services.platform.deployments.push({ repoUrl, branch }, services.clock.now());
    await services.commit();
    return done(services, asked, { done: "pushed" }, "push");
  },
  "/objects/:collection/:id/change": async (services, asked) => {
    const object = consoleObjectOf(services, asked.req.param("collection") ?? "", asked.req.param("id") ?? "");
    const values = await formOf(asked.req.raw);
    // Compared with what the page showed: a masked text that comes back is no change.
    const fields = changeableFields(object).map((field) => ({ ...field, value: services.secrets.mask(field.value) }));
    const problems = await change(services, object, changedFieldsOf(fields, values), asked.env);
    if (problems.size > 0) return refused(services, asked, { form: formName(object), values, problems });
    return done(services, asked, { done: "changed" }, "behind");
  },
  "/objects/:collection/:id/delete": async (services, asked) => {
    const object = consoleObjectOf(services, asked.req.param("collection") ?? "", asked.req.param("id") ?? "");
    const problems = await remove(services, object, asked.env);
    const form = `delete ${formName(object)}`;
    if (problems.size > 0) return refused(services, asked, { form, values: new Map(), problems });
    return done(services, asked, { done: "deleted" });
  },
  "/deployments/:id/revisions/:revision/redeploy": async (services, asked) => {
    const object = consoleObjectOf(services, "deployments", asked.req.param("id") ?? "");
    const revision = asked.req.param("revision") ?? "";
    const problems = await redeploy(services, object, revision, asked.env);
    if (problems.size > 0) return refused(services, asked, { form: "redeploy", values: new Map(), problems });
    return done(services, asked, { done: "rolled-back", revision }, `revision-${revision}`);
  },
  "/deployments/:id/ask": async (services, asked) => {
    const object = consoleObjectOf(services, "deployments", asked.req.param("id") ?? "");
    if (object.collection !== "deployments") throw new Refusal(404, "It is gone", "There is no such deployment.");
    const values = await formOf(asked.req.raw);
    const question = { question: values.get("question") ?? "", graph: values.get("graph") ?? "agent" };
    return askAgent(services, services.secrets, object.record, question, asked.env);
  },
};

const formName = ({ collection, record }: ReturnType<typeof consoleObjectOf>): string => `${collection}/${record.id}`;

const faultOf = ({ faults }: ConsoleServices, asked: ConsoleContext) =>
  faults.list.find(({ id }) => String(id) === asked.req.param("id"));

/** The page whose form is sent to this path; a page that repeats a refused form has the path of the change as its own. */
export function pageBehind(path: string): string | undefined {
  const [, collection, id] = /^\/console\/objects\/(\w+)\/([^/]+)\/\w+$/.exec(path) ?? [];
  if (collection !== undefined && id !== undefined) return `/console/${collection}/${id}`;
  const [, deployment] = /^\/console\/deployments\/([^/]+)\/revisions\/[^/]+\/redeploy$/.exec(path) ?? [];
  if (deployment !== undefined) return `/console/deployments/${deployment}`;
  return /^\/console\/(faults|next-revision|push)(\/|$)/.test(path) ? "/console/break" : undefined;
}

/** The page that the form is on, by the Referer: pages of ours send it whole to ourselves. */
function pageOf({ req }: ConsoleContext): URL {
  const referer = req.header("referer") ?? "";
  const page = URL.canParse(referer) ? new URL(referer) : undefined;
  if (page?.pathname.startsWith("/console") !== true) return new URL("/console/break", "http://localhost");
  const behind = pageBehind(page.pathname);
  return behind === undefined ? page : new URL(behind, page);
}

/** Back to the page that the form is on, which says at that place what was done. */
function done(
  { live }: ConsoleServices,
  asked: ConsoleContext,
  what: Readonly<Record<string, string>> & { readonly done: string },
  place?: string,
): Response {
  live.changed();
  const { pathname, searchParams } = pageOf(asked);
  for (const [name, value] of Object.entries(what)) searchParams.set(name, value);
  const location = `${pathname}?${searchParams.toString()}${place === undefined ? "" : `#${place}`}`;
  return new Response(null, { status: 303, headers: { location } });
}

/** The page that the form is on once more, with the reasons at its fields. */
function refused(services: ConsoleServices, asked: ConsoleContext, entered: Entered): Response {
  const { pathname, searchParams } = pageOf(asked);
  const values = new Map(entered.values);
  const masked = { ...entered, values, problems: maskedProblems(services, entered.problems) };
  const path = pathname.slice("/console".length) || "/";
  searchParams.delete("done");
  const page = show(services, path, searchParams, masked) ?? show(services, "/break", new URLSearchParams(), masked);
  return page ?? new Response(null, { status: 422 });
}

const maskedProblems = ({ secrets }: ConsoleServices, problems: Problems): Problems =>
  new Map([...problems].map(([field, reason]) => [field, secrets.mask(reason)]));
