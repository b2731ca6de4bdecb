import { rowOf } from "../platform/source-table";
import type { ConsoleObject } from "./model/objects";
import type { FormField } from "./pages/field";

/** A field of an object that can be changed, by its path on the wire. */
type Changeable = Pick<FormField, "name" | "type" | "value" | "hint">;

/** The fields that a change behind the stack's back can change, with their current values. No field holds a secret. */
export function changeableFields(object: ConsoleObject): readonly Changeable[] {
  switch (object.collection) {
    case "deployments":
      return deploymentFields(object.record);
    case "oauth_providers": {
      const { name, client_id, auth_url, token_url, uses_pkce: usesPkce } = object.record;
      const texts = Object.entries({ name, client_id, auth_url, token_url });
      return [...texts.map(([path, value]) => text(path, value)), checkbox("uses_pkce", usesPkce)];
    }
    case "sandbox_templates": {
      const { image, resources } = object.record;
      return [
        text("image", image),
        text("resources.cpu", resources.cpu),
        text("resources.memory", resources.memory),
        text("resources.storage", resources.storage),
      ];
    }
    case "listeners": {
      const { version, compute_config: config } = object.record;
      const names = config.k8s_namespaces?.join(", ");
      return [
        text("version", version),
        { ...text("compute_config.k8s_namespaces", names), hint: "names, separated by commas" },
      ];
    }
  }
}

function deploymentFields(
  record: Extract<ConsoleObject, { collection: "deployments" }>["record"],
): readonly Changeable[] {
  const row = rowOf(record.source);
  const takes = (part: "source_config" | "source_revision_config", name: string): boolean =>
    row?.[part].refuses.includes(name) !== true;
  const revision = ["image_uri", "repo_ref", "langgraph_config_path"].filter((name) =>
    takes("source_revision_config", name),
  );
  const config = ["custom_url", "install_command", "build_command"].filter((name) => takes("source_config", name));
  const numbers = takes("source_config", "resource_spec") ? ["min_scale", "max_scale", "cpu", "memory_mb"] : [];
  return [
    ...revision.map((name) => text(`source_revision_config.${name}`, record.source_revision_config[name])),
    text("display_name", record.display_name),
    ...(record.source === "github"
      ? [checkbox("source_config.build_on_push", record.source_config["build_on_push"])]
      : []),
    ...config.map((name) => text(`source_config.${name}`, record.source_config[name])),
    ...numbers.map((name) => number(`source_config.resource_spec.${name}`, record.resource_spec[name])),
  ];
}

const shown = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const text = (name: string, value: unknown): Changeable => ({ name, type: "text", value: shown(value) });
const number = (name: string, value: unknown): Changeable => ({ name, type: "number", value: shown(value) });
const checkbox = (name: string, value: unknown): Changeable => ({
  name,
  type: "checkbox",
  value: value === true ? "true" : "false",
});

/** What a form changes: the fields whose text is not the one that the page showed. */
export function changedFieldsOf(
  fields: readonly Changeable[],
  entered: ReadonlyMap<string, string>,
): ReadonlyMap<string, unknown> {
  const changes = fields.flatMap(({ name, type, value }): [string, unknown][] => {
    const given = type === "checkbox" ? String(entered.get(name) === "on") : (entered.get(name)?.trim() ?? value);
    return given === value ? [] : [[name, typed(type, given)]];
  });
  return new Map(changes);
}

/** What is no number stays text: the schema then says so. */
function typed(type: FormField["type"], given: string): unknown {
  if (type === "checkbox") return given === "true";
  return type === "number" && given !== "" && Number.isFinite(Number(given)) ? Number(given) : given;
}
