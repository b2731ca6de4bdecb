import type { Child } from "hono/jsx";
import { keptBy, type AgentAnswer } from "./ask";
import type { ConsoleContext, ConsoleServices, Look, Query } from "./handler";
import { masked } from "./masked";
import { lookAt } from "./model/looks";
import { findObject } from "./model/objects";
import { switchedOn } from "./model/switched-on";
import { AgentPart } from "./pages/agent";
import { BreakPage, ObjectForms } from "./pages/forms";
import { PageShell, type PageParts } from "./pages/page";
import type { View } from "./views";

/** What is said after a change, by the name in the address: a text in the address itself could be anybody's. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ["fault-on", "The fault is switched on."],
  ["fault-off", "The fault is switched off."],
  ["released", "Everything that it held continues."],
  ["revision-set", "The next revision will end like this."],
  ["revisions-off", "The next revisions will end normally."],
  ["changed", "Changed behind the stack's back."],
  ["deleted", "Deleted behind the stack's back."],
  ["pushed", "The commit is pushed."],
  ["rolled-back", "The configuration of that revision is deployed once more, as a new revision."],
]);

/** A page as text; undefined for a path without a page. @param answer What its agent has just been asked. */
export async function show(
  services: ConsoleServices,
  path: string,
  asked: ConsoleContext,
  answer?: AgentAnswer,
): Promise<Response | undefined> {
  const search = new URL(asked.req.url).searchParams;
  const query: Query = (name) => search.get(name) ?? undefined;
  const look = lookAt(services, path, query);
  if (look === undefined) return undefined;
  const { view } = viewOf(services, look);
  const page = (
    <PageShell
      {...headOf(view)}
      view={view}
      events={`/console/events${path === "/" ? "" : path}${search.size === 0 ? "" : `?${search.toString()}`}`}
      notice={NOTICES.get(query("done") ?? "")}
      forms={await formsOf(services, view, path, asked, answer)}
    />
  );
  return htmlOf(page, view.kind === "gone" ? 404 : 200);
}

/** What a page shows now, without secrets. */
export function viewOf(services: ConsoleServices, look: Look): { readonly view: View; readonly nextAt: number } {
  const { shown, nextAt } = look();
  return { view: masked({ ...shown, switchedOn: switchedOn(services) }, services.secrets), nextAt };
}

/** An element as the text of a whole page. */
export const htmlOf = (element: { toString(): string }, status: number): Response =>
  new Response(`<!doctype html>${element.toString()}`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
  });

/** Title and place of a page. */
function headOf(view: View): Pick<PageParts, "title" | "place"> {
  switch (view.kind) {
    case "environment":
      return { title: "Environment", place: "/console" };
    case "requests":
      return { title: "Requests", place: "/console/requests" };
    case "request":
      return { title: `Request ${view.request.seq}`, place: "/console/requests" };
    case "gone":
      return { title: "It is gone", place: "/console" };
    case "break":
      return { title: "Break it", place: "/console/break" };
    case "object":
      return { title: view.name, place: "/console" };
  }
}

async function formsOf(
  services: ConsoleServices,
  view: View,
  path: string,
  asked: ConsoleContext,
  answer: AgentAnswer | undefined,
): Promise<Child> {
  if (view.kind === "break") return <BreakPage />;
  const [, collection = "", id = ""] = path.split("/");
  const object = view.kind === "object" ? findObject(services.store, collection, id) : undefined;
  if (view.kind !== "object" || object === undefined) return null;
  const { deployment } = object;
  const { silence } = view;
  const kept = deployment && silence === undefined ? await keptBy(services, deployment, asked.env) : undefined;
  return (
    <div>
      {deployment && <AgentPart id={id} kept={kept} asked={answer} silence={silence} />}
      <ObjectForms object={object} isBuilt={deployment?.source === "github"} />
    </div>
  );
}
