import { isObject, sameJson, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import type { Problem } from "../../lifecycle/fields";
import { table, type Fields } from "../../lifecycle/table";
import {
  adoption,
  count,
  entries,
  fits,
  flag,
  json,
  list,
  nullable,
  object,
  positive,
  record,
  text,
  textOf,
  url,
  value,
} from "../../lifecycle/types";

/** Which names a variable of the environment may have. */
export const ENVIRONMENT_NAME = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  rule: "must be letters, digits and underscores, not beginning with a digit",
};

const UNCLEARABLE = {
  refuse: "cannot be removed: the platform has no way to clear it. Set another value, or replace the deployment",
} as const;

export const resourceSpecFields = {
  minScale: { type: count(0), description: "Minimum number of instances." },
  maxScale: { type: count(1), description: "Maximum number of instances." },
  cpu: { type: positive(), description: "CPUs per instance." },
  cpuLimit: { type: positive(), description: "CPU limit per instance." },
  memoryMb: { type: count(1), description: "Memory per instance, in MB." },
  memoryLimitMb: { type: count(1), description: "Memory limit per instance, in MB." },
  labels: { type: entries(text()), description: "Labels of the instances." },
  annotations: { type: entries(value()), description: "Annotations of the instances." },
  serviceAccountName: { type: text(253), description: "The service account that the instances run as." },
} as const satisfies Fields;

export const sourceConfigFields = {
  integrationId: {
    type: text(255),
    description: "The integration that reads the repository.",
    replaceOn: "always",
  },
  repoUrl: { type: url(), description: "The repository's URL.", replaceOn: "always" },
  deploymentType: { type: text(64), description: '"dev_free", "dev", "prod" ...', replaceOn: "always" },
  buildOnPush: {
    type: flag(),
    description: "Whether a push makes a revision.",
    withoutRevision: true,
    default: false,
  },
  customUrl: {
    type: url(),
    description: "The deployment's own URL.",
    withoutRevision: true,
    onRemove: UNCLEARABLE,
  },
  // PATCH overwrites the spec, so we send back what is live: a key that is no longer declared keeps its value.
  resourceSpec: {
    type: object(resourceSpecFields, {
      name: "DeploymentResourceSpecArgs",
      description: "Resources of the agent server. A key that is no longer declared keeps its value on the platform.",
      rules: leastAboveMost,
    }),
    description: "Resources of the agent server.",
    onRemove: "relinquish",
  },
  listenerId: { type: text(255), description: "The listener that runs it.", replaceOn: "always" },
  listenerConfig: {
    type: object({ k8sNamespace: { type: text(253), description: "The namespace of the listener's cluster." } }),
    description: "How the listener runs it.",
    replaceOn: "always",
    unreadable: "always",
  },
  installCommand: {
    type: text(8192),
    description: "The command that installs what the code needs.",
    unreadable: "when-null",
    onRemove: UNCLEARABLE,
  },
  buildCommand: {
    type: text(8192),
    description: "The command that builds the code.",
    unreadable: "when-null",
    onRemove: UNCLEARABLE,
  },
  templateId: { type: text(255), description: "The template that it is created from.", replaceOn: "always" },
} as const satisfies Fields;

export const revisionConfigFields = {
  repoRef: { type: text(1024), description: 'A branch, or "refs/tags/...".' },
  langgraphConfigPath: { type: text(1024), description: "Path of the graph configuration in the repository." },
  imageUri: { type: text(1024), description: "The image to run." },
  sourceTarballPath: { type: text(1024), description: "Path of the uploaded code on the platform." },
} as const satisfies Fields;

const secretReference = object(
  {
    name: {
      type: textOf({}, fits(ENVIRONMENT_NAME.pattern, ENVIRONMENT_NAME.rule)),
      description: "The variable's name.",
      required: true,
    },
    secretName: { type: text(253), description: "The name of the platform's secret.", required: true },
    secretKey: { type: text(253), description: "The key in that secret.", required: true },
  },
  {
    name: "SecretReferenceArgs",
    description: "A variable whose value comes from a secret on the platform.",
  },
);

/** docs/platform.md, Deployments: what replaces, what the platform hides, what it cannot clear. */
export const deploymentTable = table(
  {
    kind: "Deployment",
    one: "deployment",
    extendedArgs: "DeclaredDeploymentArgs",
    description:
      "Arguments of a {@link Deployment} (docs/platform.md, Deployments). Unless it says otherwise, a change is an update that makes a new revision.",
  },
  {
    name: {
      type: text(255),
      description: "Unique in the tenant.",
      required: true,
      defaultText: "the Pulumi name",
      replaceOn: "always",
    },
    source: {
      type: text(64),
      description: '"github", "external_docker", "internal_docker", "internal_source", "internal_template" ...',
      required: true,
      replaceOn: "always",
    },
    sourceConfig: {
      type: object(sourceConfigFields, {
        name: "SourceConfigArgs",
        description: "Where the code comes from, and how it runs.",
      }),
      description: "Where the code comes from, and how it runs.",
    },
    sourceRevisionConfig: {
      type: object(revisionConfigFields, {
        name: "SourceRevisionConfigArgs",
        description: "What each revision is made of.",
      }),
      description: "What each revision is made of.",
    },
    environmentVariables: {
      type: entries(value(), ENVIRONMENT_NAME),
      description:
        "Plain variables of the environment. With `secrets` they are the whole environment: a variable set elsewhere is removed.",
      wire: false,
      closed: true,
      writeOnly: true,
    },
    secrets: {
      type: entries(value(), ENVIRONMENT_NAME),
      description: "Secret variables of the environment.",
      wire: false,
      closed: true,
      writeOnly: true,
      secret: true,
    },
    secretReferences: {
      type: list(secretReference),
      description: "Variables whose values come from secrets on the platform.",
      default: [],
    },
    displayName: {
      type: text(255),
      description: "Name for people.",
      withoutRevision: true,
      unreadable: "when-null",
      onRemove: UNCLEARABLE,
    },
    extra: {
      type: record(json()),
      description:
        "Fields of the platform that this version does not know, in the platform's own names, merged into every request as given. Not for secrets.",
      wire: false,
      argumentOnly: true,
      withoutRevision: true,
      unreadable: "always",
      writeOnly: true,
      equal: sameJson,
      onRemove: "relinquish",
    },
    redeployTrigger: {
      type: json(),
      description:
        "Any value; a change requests a new revision of the same configuration, to retry a transient failure.",
      wire: false,
      argumentOnly: true,
      unreadable: "always",
      equal: sameJson,
      onRemove: "relinquish",
    },
    adopt: adoption("name"),
    latestRevisionId: {
      type: nullable(text()),
      description:
        'The revision that the last request made; while the platform has not named it, null or, after an update, "after <the one before>". Not waited for.',
      computed: true,
    },
    tenantId: {
      type: nullable(text()),
      description: "The tenant (workspace) that it is in; null if the platform does not say.",
      computed: true,
    },
    createdAt: { type: nullable(text()), description: "When the platform created it (ISO 8601).", computed: true },
    // A deployment that is being deleted cannot be kept.
    problem: {
      type: text(),
      description: "What a read found wrong: it is being deleted.",
      computed: true,
      internal: true,
      replaceOn: "always",
    },
  },
);

function leastAboveMost(spec: JsonObject): Problem[] {
  const pairs = [
    ["minScale", "maxScale"],
    ["cpu", "cpuLimit"],
    ["memoryMb", "memoryLimitMb"],
  ] as const;
  return pairs.flatMap(([low, high]) => {
    const [a, b] = [spec[low], spec[high]];
    const isAbove = typeof a === "number" && typeof b === "number" && a > b;
    return isAbove ? [{ path: [high], reason: `must be at least ${low}` }] : [];
  });
}

/** Rules that no row can express: a variable of the environment has one source. */
export function namesGivenTwice(inputs: JsonObject): Problem[] {
  const keys = (map: Json | undefined): string[] => (isObject(map) ? Object.keys(map) : []);
  const plain = new Set(keys(inputs["environmentVariables"]));
  const secret = new Set(keys(inputs["secrets"]));
  const twice = [...secret].filter((name) => plain.has(name));
  const references = Array.isArray(inputs["secretReferences"]) ? inputs["secretReferences"] : [];
  const seen = new Set<Json | undefined>();
  return [
    ...twice.map((name) => ({
      path: ["secrets", name],
      reason: "is also in environmentVariables; give each variable once",
    })),
    ...references.flatMap((reference, index) => {
      const name = isObject(reference) ? reference["name"] : undefined;
      // Two unknown names may differ.
      if (name === UNKNOWN) return [];
      const given = typeof name === "string" && (plain.has(name) || secret.has(name) || seen.has(name));
      seen.add(name);
      return given
        ? [{ path: ["secretReferences", index, "name"], reason: "is given twice; give each variable once" }]
        : [];
    }),
  ];
}
