import type { Child } from "hono/jsx";
import type { Query } from "./model/pages";
import { objectName, findObject } from "./model/objects";
import { noticeOnTop } from "./notices";
import { ChangeObject } from "./pages/object-forms";
import { AskForm } from "./pages/ask-form";
import { BreakPage } from "./pages/break-page";
import { PageShell } from "./pages/page";
import { breakForms, objectForms, type Entered } from "./forms";
import type { ConsoleServices } from "./handler";
import { lookAt } from "./page-routes";
import { masked } from "./masked";
import type { View } from "./views";

/** A page as text: as it is asked for, or again with what was entered into one of its forms and why that is refused. */
export function show(
  services: ConsoleServices,
  path: string,
  search: URLSearchParams,
  entered?: Entered,
): Response | undefined {
  const query: Query = (name) => search.get(name) ?? undefined;
  const look = lookAt(services, path, query);
  if (look === undefined) return undefined;
  services.traffic.watch();
  const view = masked(look().view, services.secrets);
  const { title, place, forms } = dressed(services, view, path, query, entered);
  const page = (
    <PageShell
      title={services.secrets.mask(title)}
      place={place}
      view={view}
      events={`/console/events${path === "/" ? "" : path}${search.size === 0 ? "" : `?${search.toString()}`}`}
      notice={noticeOnTop(query)}
      problem={entered?.form === "redeploy" ? entered.problems.get("") : undefined}
      forms={forms}
    />
  );
  const status = entered === undefined ? (view.kind === "gone" ? 404 : 200) : 422;
  return htmlOf(page, status);
}

/** An element as the text of a whole page. */
export const htmlOf = (
  element: { toString(): string },
  status: number,
  headers: Record<string, string> = {},
): Response =>
  new Response(`<!doctype html>${element.toString()}`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", ...headers },
  });

interface Dressed {
  readonly title: string;
  readonly place: "/console" | "/console/requests" | "/console/break";
  readonly forms?: Child;
}

/** Title, place and forms of a page. */
function dressed(
  services: ConsoleServices,
  view: View,
  path: string,
  query: Query,
  entered: Entered | undefined,
): Dressed {
  switch (view.kind) {
    case "environment":
      return { title: "Environment", place: "/console" };
    case "requests":
      return { title: "Requests", place: "/console/requests" };
    case "request":
      return { title: `Request ${view.request.seq}`, place: "/console/requests" };
    case "gone":
      return { title: "It is gone", place: "/console" };
    case "break": {
      const forms = breakForms(services, query, entered);
      return { title: "Break it", place: "/console/break", forms: <BreakPage forms={forms} /> };
    }
    default:
      return objectPage(services, path, query, entered);
  }
}

function objectPage(services: ConsoleServices, path: string, query: Query, entered: Entered | undefined): Dressed {
  const [, collection = "", id = ""] = path.split("/");
  const found = findObject(services.store, collection, id);
  if (found === undefined) return { title: "It is gone", place: "/console" };
  const { graphs } = services.services.agents;
  const ask =
    found.collection === "deployments" ? (
      <AskForm
        id={found.record.id}
        graphs={["agent", ...Object.keys(graphs).filter((name) => name !== "agent"), "boom"]}
      />
    ) : undefined;
  const forms = (
    <div>
      {ask}
      <ChangeObject forms={objectForms(services, found, query, entered)} />
    </div>
  );
  return { title: objectName(found), place: "/console", forms };
}
