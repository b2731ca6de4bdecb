import type { Child } from "hono/jsx";
import { keptBy, type AgentAnswer } from "./ask";
import { Environment } from "./components/environment";
import { OneObject } from "./components/object";
import { OneRequest, Requests } from "./components/requests";
import { SwitchedOn } from "./components/switched-on";
import type { ConsoleContext, ConsoleServices, Query } from "./handler";
import { masked } from "./known-secrets";
import { environment, objectPage } from "./model/looks";
import { findObject, TYPES, type ConsoleObject } from "./model/objects";
import { requestPage, requests } from "./model/requests";
import { switchedOn } from "./model/switched-on";
import { AgentPart } from "./pages/agent";
import { BreakPage, ObjectForms } from "./pages/forms";
import { PageShell, type PageParts } from "./pages/page";

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

interface Page extends Pick<PageParts, "title" | "place" | "content"> {
  readonly isGone?: boolean;
  /** What stands below the living part, and is drawn only with the whole page. @param answer What its agent has just been asked. */
  readonly forms?: (asked: ConsoleContext, answer: AgentAnswer | undefined) => Child | Promise<Child>;
}

/** A page as text, or its living part alone; undefined for a path without a page. @param answer What its agent has just been asked. */
export async function show(
  services: ConsoleServices,
  path: string,
  asked: ConsoleContext,
  answer?: AgentAnswer,
): Promise<Response | undefined> {
  const search = new URL(asked.req.url).searchParams;
  const page = pageAt(services, path, (name) => search.get(name) ?? undefined);
  if (page === undefined) return undefined;
  const { title, place, isGone = false, forms } = page;
  const status = isGone ? 404 : 200;
  const content = (
    <div>
      <SwitchedOn list={masked(switchedOn(services), services.secrets)} />
      {page.content}
    </div>
  );
  if (search.has("living")) return htmlOf(content, status);
  const notice = NOTICES.get(search.get("done") ?? "");
  search.set("living", "");
  const from = `/console${path}?${search.toString()}`;
  const shell = { title, place, content, from, notice, forms: await forms?.(asked, answer) };
  return htmlOf(<PageShell {...shell} />, status);
}

/** What is at a path below /console; undefined for a path without a page. */
function pageAt(services: ConsoleServices, path: string, query: Query): Page | undefined {
  const [place = "", id = "", ...rest] = path.split("/").slice(1);
  if (rest.length > 0) return undefined;
  removeDue(services);
  const { store, secrets } = services;
  if (place === "") {
    const view = masked(environment(services, query), secrets);
    return { title: "Environment", place: "/console", content: <Environment view={view} /> };
  }
  if (place === "break" && id === "")
    return { title: "Break it", place: "/console/break", content: null, forms: () => <BreakPage /> };
  if (place === "requests" && id === "") {
    const view = masked(requests(services, query), secrets);
    return { title: "Requests", place: "/console/requests", content: <Requests view={view} /> };
  }
  if (place === "requests") {
    const view = masked(requestPage(services, id), secrets);
    if (view === undefined) return gone("The log does not contain this request.");
    return { title: `Request ${id}`, place: "/console/requests", content: <OneRequest view={view} /> };
  }
  if (!TYPES.some(({ collection }) => collection === place)) return undefined;
  const object = findObject(store, place, id);
  return object === undefined
    ? gone("This object does not exist, or no longer exists.")
    : pageOfObject(services, object);
}

const gone = (what: string): Page => ({
  title: "It is gone",
  place: "/console",
  isGone: true,
  content: (
    <p class="empty" data-empty="">
      {what} <a href="/console">Back to the environment</a>
    </p>
  ),
});

function pageOfObject(services: ConsoleServices, object: ConsoleObject): Page {
  const { deployment, record } = object;
  const view = masked(objectPage(services, object), services.secrets);
  const { silence } = view;
  return {
    title: view.name,
    place: "/console",
    content: <OneObject view={view} />,
    forms: async ({ env }, answer) => {
      const kept = deployment && silence === undefined ? await keptBy(services, deployment, env) : undefined;
      return (
        <div>
          {deployment && <AgentPart id={record.id} kept={kept} asked={answer} silence={silence} />}
          <ObjectForms object={object} isBuilt={deployment?.source === "github"} />
        </div>
      );
    },
  };
}

/** Whatever is due to go goes with a look, as for the API. */
function removeDue({ tenants: [first], platform, clock }: ConsoleServices): void {
  if (first !== undefined) platform.deployments.list(first.tenantId, clock.now());
}

/** An element as the text of a whole page. */
export const htmlOf = (element: { toString(): string }, status: number): Response =>
  new Response(`<!doctype html>${element.toString()}`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
