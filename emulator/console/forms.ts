import { deployments } from "../platform/deployment-record";
import type { RevisionOutcome } from "../platform/options";
import { faultKinds } from "../faults/fault-kinds";
import { changeableFields } from "./change-fields";
import { faultFields } from "./fault-form";
import type { ConsoleServices } from "./handler";
import type { Query } from "./model/environment";
import { allOf, findObject, objectName, type CollectionName, type ConsoleObject } from "./model/objects";
import type { BreakForms, FaultForm } from "./pages/break-page";
import type { FormField } from "./pages/field";
import type { ObjectForms } from "./pages/object-forms";

/** What was entered into a form, and why it is refused: by field, "" for the whole. */
export interface Entered {
  /** "fault <kind>", "push", "outcome", or "<collection>/<id>". */
  readonly form: string;
  readonly values: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, string>;
}

/** What goes wrong first. */
const OUTCOMES: readonly RevisionOutcome[] = ["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "STUCK", "DEPLOYED"];
/** Objects that a search offers. */
const MOST_FOUND = 20;

/** The forms to change an object, with its current values. */
export function objectForms({ secrets }: ConsoleServices, object: ConsoleObject, entered?: Entered): ObjectForms {
  const place = `${object.collection}/${object.record.id}`;
  const own = entered?.form === place ? entered : undefined;
  const fields = changeableFields(object).map((field): FormField => {
    const given = own && (field.type === "checkbox" ? (own.values.get(field.name) ?? "") : own.values.get(field.name));
    return {
      ...field,
      label: field.name,
      value: given ?? secrets.mask(field.value),
      problem: own?.problems.get(field.name),
    };
  });
  return { name: secrets.mask(objectName(object)), action: `/console/objects/${place}`, fields };
}

/** All forms of the page that breaks things. */
export function breakForms(services: ConsoleServices, query: Query, entered?: Entered): BreakForms {
  const { store, secrets } = services;
  const [collection = "", id = ""] = (query("object") ?? "").split("/");
  const chosen = findObject(store, collection, id);
  const search = (query("find") ?? "").trim();
  const sources = deployments.in(store).all();
  return {
    faults: faultKinds.map((kind) => faultForm(services, kind, entered)),
    outcomes: OUTCOMES,
    push: pushFields(entered),
    repositories: distinct(sources.map(({ source_config: config }) => config["repo_url"])).map((url) =>
      secrets.mask(url),
    ),
    branches: distinct(
      sources.map(({ source, source_revision_config: revision }) => source === "github" && revision["repo_ref"]),
    ),
    search,
    found: foundObjects(services, search),
    object: chosen && objectForms(services, chosen, entered),
  };
}

function faultForm({ faults }: ConsoleServices, kind: FaultForm["kind"], entered: Entered | undefined): FaultForm {
  const own = entered?.form === `fault ${kind}` ? entered : undefined;
  const fields = faultFields(kind, own?.values ?? new Map(), own?.problems ?? new Map());
  const on = faults.list.filter(({ fault }) => fault.kind === kind).length;
  return { kind, ...fields, on, isOpen: own !== undefined, problem: own?.problems.get("") };
}

function pushFields(entered: Entered | undefined): readonly FormField[] {
  const own = entered?.form === "push" ? entered : undefined;
  const field = (name: string, label: string, list: string): FormField => ({
    name,
    label,
    type: "text",
    list,
    value: own?.values.get(name) ?? "",
    problem: own?.problems.get(name),
  });
  return [field("repoUrl", "Repository", "repositories"), field("branch", "Branch", "branches")];
}

const distinct = (values: readonly unknown[]): readonly string[] =>
  [...new Set(values)].filter((value) => typeof value === "string").slice(0, 100);

const MANAGED: Readonly<Record<CollectionName, string>> = {
  deployments: "deployment",
  oauth_providers: "OAuth provider",
  sandbox_templates: "sandbox template",
  listeners: "listener",
};

function foundObjects({ store, secrets }: ConsoleServices, search: string): BreakForms["found"] {
  const objects: readonly ConsoleObject[] = [
    ...allOf.deployments(store).map((record) => ({ collection: "deployments", record }) as const),
    ...allOf.oauth_providers(store).map((record) => ({ collection: "oauth_providers", record }) as const),
    ...allOf.sandbox_templates(store).map((record) => ({ collection: "sandbox_templates", record }) as const),
    ...allOf.listeners(store).map((record) => ({ collection: "listeners", record }) as const),
  ];
  const wanted = search.toLowerCase();
  return objects
    .filter((object) => objectName(object).toLowerCase().includes(wanted))
    .slice(0, MOST_FOUND)
    .map((object) => ({
      href: `/console/break?object=${object.collection}/${object.record.id}#behind`,
      name: secrets.mask(objectName(object)),
      what: MANAGED[object.collection],
    }));
}
