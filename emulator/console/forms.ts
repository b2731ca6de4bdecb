import { deployments } from "../platform/deployment-record";
import type { RevisionOutcome } from "../platform/options";
import { faultKinds } from "../faults/fault-kinds";
import { changeableFields } from "./change-fields";
import { faultFields } from "./fault-form";
import type { ConsoleServices } from "./handler";
import type { Query } from "./model/pages";
import { masked } from "./masked";
import { objectName, type ConsoleObject } from "./model/objects";
import { noticeOf } from "./notices";
import type { BreakForms, FaultForm } from "./pages/break-page";
import type { FormField } from "./pages/field";
import type { ObjectForms } from "./pages/object-forms";

/** What was entered into a form, and why it is refused: by field, "" for the whole. */
export interface Entered {
  /** "fault <kind>", "push", "<collection>/<id>", or "delete <collection>/<id>". */
  readonly form: string;
  readonly values: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, string>;
}

/** What goes wrong first. */
const OUTCOMES: readonly RevisionOutcome[] = ["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "STUCK", "DEPLOYED"];

/** The forms to change an object, with its current values. */
export function objectForms(
  { secrets }: ConsoleServices,
  object: ConsoleObject,
  query: Query,
  entered?: Entered,
): ObjectForms {
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
  const said = { notice: noticeOf(query, "changed"), problem: own?.problems.get("") };
  const refused = entered?.form === `delete ${place}` ? [...entered.problems.values()].join(" ") : undefined;
  return { name: secrets.mask(objectName(object)), action: `/console/objects/${place}`, fields, said, refused };
}

/** All forms of the page that breaks things. */
export function breakForms(services: ConsoleServices, query: Query, entered?: Entered): BreakForms {
  const { store, secrets } = services;
  const sources = deployments.in(store).all();
  return {
    faults: faultKinds.map((kind) => faultForm(services, kind, query, entered)),
    outcomes: OUTCOMES,
    outcomeSaid: { notice: noticeOf(query, "revision-set") },
    push: pushFields(entered),
    pushSaid: { notice: noticeOf(query, "pushed") },
    repositories: masked(distinct(sources.map(({ source_config: config }) => config["repo_url"])), secrets),
    branches: masked(
      distinct(
        sources.map(({ source, source_revision_config: revision }) => source === "github" && revision["repo_ref"]),
      ),
      secrets,
    ),
  };
}

function faultForm(
  { faults }: ConsoleServices,
  kind: FaultForm["kind"],
  query: Query,
  entered: Entered | undefined,
): FaultForm {
  const own = entered?.form === `fault ${kind}` ? entered : undefined;
  const fields = faultFields(kind, own?.values ?? new Map(), own?.problems ?? new Map());
  const notice = query("kind") === kind ? noticeOf(query, "fault-on") : undefined;
  const on = faults.list.filter(({ fault }) => fault.kind === kind).length;
  return {
    kind,
    ...fields,
    on,
    isOpen: own !== undefined || notice !== undefined,
    said: { notice, problem: own?.problems.get("") },
  };
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
