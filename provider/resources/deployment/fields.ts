import { withoutSlash } from "../../base/address";
import { asObject, type Json, type JsonObject, sameJson, sameMembers, UNKNOWN } from "../../base/json";
import { sameId } from "../../base/uuid";
import type { Path, Problem } from "../../lifecycle/fields/fields";
import { type Fields, type InputsOf, table } from "../../lifecycle/fields/table";
import {
  adoptField,
  anyText,
  checkedText,
  choice,
  entries,
  extra,
  flag,
  json,
  list,
  nullable,
  object,
  oneOfKnown,
  progressUrn,
  text,
  url,
} from "../../lifecycle/fields/types";
import { agentId } from "../platform-agent/fields";
import { leastAboveMost, resourceSpecFields } from "./resource-spec";
import { address, createdAt, outputs, pulumiName, remembered, updatedAt } from "../rows";
import { choices, DEPLOYMENT_TYPES, platformType, sentencesOf, SOURCE_NAMES, TAG } from "./sources";

const UNCLEARABLE = {
  refuse: "cannot be removed: the platform has no way to clear it. Set another value, or replace the deployment",
} as const;

/** The rows of an object, with the sentences of the table of sources about each. */
function withSentences<F extends Fields>(place: string, rows: F): F;
function withSentences(place: string, rows: Fields): Fields {
  const described = Object.entries(rows).map(([name, row]) => {
    const description = [row.description, sentencesOf(`${place}.${name}`)].join(" ").trim();
    return [name, { ...row, description }] as const;
  });
  return Object.fromEntries(described);
}

/** A repository's address, which may end in ".git". */
const repository = (given: Json): Json =>
  typeof given === "string" ? withoutSlash(given).replace(/\.git$/, "") : given;

/** Where an agent of the platform can be deployed (docs/internals/platform.md, Agents). */
export const AGENT_ENVIRONMENTS = ["development", "staging", "production"] as const;

const fixedId = { type: text(255), replaceOn: "always", equal: sameId } as const;

export const sourceConfigFields = withSentences("sourceConfig", {
  integrationId: { ...fixedId, description: "The GitHub integration that can read the repository." },
  repoUrl: {
    type: url(),
    description: "The repository's URL.",
    replaceOn: "always",
    equal: (one, other) => address.equal(repository(one), repository(other)),
  },
  deploymentType: {
    type: oneOfKnown(DEPLOYMENT_TYPES),
    description: `${choices(DEPLOYMENT_TYPES)}. Or the deploy CLI's words: "serverless" is "dev_zero", "dedicated" is "prod".`,
    replaceOn: "always",
    equal: (one, other) => platformType(one) === platformType(other),
  },
  buildOnPush: {
    type: flag(),
    description: "Whether each push to the branch makes a new revision. Not possible for a tag.",
    withoutRevision: true,
    default: false,
  },
  customUrl: {
    ...address,
    description: 'A custom address for the deployment: a host ("a.example.com") or a URL.',
    withoutRevision: true,
    onRemove: UNCLEARABLE,
  },
  // PATCH overwrites the spec, so the live values are sent back: a key that is no longer declared keeps its value.
  resourceSpec: {
    type: object(resourceSpecFields, {
      name: "DeploymentResourceSpecArgs",
      description:
        "Resources of the agent server, and with a prefix those of its queue workers (default: the server's), orchestrators, executors, Redis and database. " +
        "If you remove a key, it keeps its value on the platform.",
      rules: leastAboveMost,
    }),
    description:
      "Resources of the agent server; with a prefix those of its `queue` workers (default: the server's), `orchestrator`, `executor`, `redis` and `db`.",
    onRemove: "unmanage",
  },
  listenerId: { ...fixedId, description: "The id of the listener that runs the deployment." },
  listenerConfig: {
    type: object({ k8sNamespace: { type: text(253), description: "The namespace in the listener's cluster." } }),
    description: "How the listener runs the deployment.",
    replaceOn: "always",
    notReturned: "always",
  },
  installCommand: {
    type: text(8192),
    description: "The command that installs the dependencies of the code.",
    notReturned: "when-null",
    onRemove: UNCLEARABLE,
  },
  buildCommand: {
    type: text(8192),
    description: "The command that builds the code.",
    notReturned: "when-null",
    onRemove: UNCLEARABLE,
  },
  templateId: { ...fixedId, description: "The template from which the deployment is created." },
} as const satisfies Fields);

export const revisionConfigFields = withSentences("sourceRevisionConfig", {
  repoRef: { type: text(1024), description: `A branch, or "${TAG}...".` },
  langgraphConfigPath: { type: text(1024), description: "Path of the graph configuration in the repository." },
  imageUri: { type: text(1024), description: "The image to run." },
  sourceTarballPath: { type: text(1024), description: "Path of the uploaded code on the platform." },
} as const satisfies Fields);

const secretReference = object(
  {
    name: { type: checkedText({ isNeverEmpty: true }), description: "The variable's name.", required: true },
    secretName: { type: text(253), description: "The name of the platform's secret.", required: true },
    secretKey: { type: text(253), description: "The key in that secret.", required: true },
  },
  { name: "SecretReferenceArgs", description: "A variable whose value comes from a secret on the platform." },
);

/** docs/internals/platform.md, Deployments: what replaces, what the platform hides, what it cannot clear. */
export const deploymentTable = table(
  {
    kind: "Deployment",
    naturalKey: "name",
    undocumented: ["list", "delete"],
    one: "deployment",
    extendedArgs: "DeclaredDeploymentArgs",
    goesWith: "its address and all its revisions",
    summary:
      "A deployment of an agent server. Its id and revision are in state as soon as the platform has accepted it; a `Rollout` waits until the revision " +
      "is DEPLOYED.",
    rules: namesGivenTwice,
    description:
      "Arguments of a {@link Deployment} (docs/internals/platform.md, Deployments). Unless an argument says otherwise, changing it makes a new revision.",
    reading: {
      key: "Its whole name.",
      result:
        ", with the defaults that the platform filled in, but without the variables of its environment: the platform does not say which of " +
        "them are secret",
      place: "docs/internals/platform.md, Endpoints: GET /v2/deployments/{deployment_id}",
      page: 100,
      details: outputs({
        status: { type: nullable(text()), description: '"READY", "AWAITING_DATABASE", "AWAITING_DELETE" ...' },
        activeRevisionId: { type: nullable(text()), description: "The revision that serves." },
        url: { type: nullable(text()), description: "The agent's address." },
        repoCommitSha: { type: nullable(text()), description: "The commit that the latest revision was built from." },
        imageVersion: { type: nullable(text()), description: "The version of its agent server." },
        updatedAt,
      }),
    },
  },
  {
    name: {
      ...pulumiName("Unique in the tenant. With `agent`, the platform gives it."),
      unlessGiven: "agent",
      isStable: true,
      repeats: ["agent"],
      replaceOn: "always",
    },
    agent: {
      type: object(
        {
          agentId: { type: agentId, description: "The `agentId` of a `PlatformAgent`.", required: true },
          environment: { type: choice(...AGENT_ENVIRONMENTS), description: "Its environment.", required: true },
        },
        { name: "DeploymentAgentArgs", description: "An environment of an agent of the platform." },
      ),
      description:
        'The agent of the platform that it runs, and in which environment, instead of `name`: one has one deployment in each. Needs contract "extended".',
      replaceOn: "always",
    },
    source: {
      type: oneOfKnown(SOURCE_NAMES),
      description: `Where the code comes from, and so what else is needed or refused: ${choices(SOURCE_NAMES)} (docs/sources.md).`,
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
        description: "What a revision is built from.",
      }),
      description: "What a revision is built from.",
    },
    environmentVariables: {
      type: entries(anyText()),
      description:
        "Plain environment variables. With `secrets`, they are the whole environment: a variable set elsewhere is removed. " +
        "If you declare neither, the environment stays as it is.",
      carriedBy: "secrets",
      notReturned: "values",
      authoritative: true,
    },
    secrets: {
      type: entries(anyText()),
      description: "Secret environment variables.",
      carriedBy: "secrets",
      notReturned: "values",
      authoritative: true,
      secret: true,
    },
    secretReferences: {
      type: list(secretReference),
      description: `Variables whose values come from secrets on the platform. ${sentencesOf("secretReferences")}`,
      default: [],
      equal: sameMembers,
    },
    displayName: {
      type: text(255),
      description: "A name for people to read.",
      afterCreate: true,
      withoutRevision: true,
      onRemove: UNCLEARABLE,
    },
    extra: { ...extra, withoutRevision: true },
    redeployTrigger: {
      type: json(),
      description:
        "Any value: a change makes a new revision of the same configuration, with the declared environment, for example after a transient failure.",
      wire: false,
      seenAs: "argument",
      notReturned: "always",
      equal: sameJson,
      onRemove: "unmanage",
    },
    deleteTracingProject: {
      type: flag(),
      description: "Whether deleting or replacing the deployment also deletes its tracing project with all traces.",
      wire: false,
      seenAs: "argument",
      withoutRevision: true,
      notReturned: "always",
      default: false,
    },
    awaitRollout: {
      type: flag(),
      description:
        "Whether a `Rollout` should wait until the revision is DEPLOYED. Where the program declares none, `pulumi up` warns, unless this is false.",
      defaultText: "true",
      providerOnly: true,
    },
    adopt: adoptField("name"),
    __progressUrn: progressUrn,
    ...outputs({
      latestRevisionId: {
        type: nullable(text()),
        description:
          'The revision that the last request made; until the platform names it, null, or after an update "after <the previous one>". Nothing waits for it.',
      },
      secretsRevisionId: {
        type: nullable(text()),
        description:
          "The revision with which this program last changed `secrets`, in the form of `latestRevisionId`; empty if none is known.",
      },
      tenantId: {
        type: nullable(text()),
        description: "The tenant (workspace) of the deployment; null if the platform does not say.",
        isStable: true,
      },
      createdAt,
    }),
    ...remembered({
      __ownRevisionId: {
        type: text(),
        description:
          "The last revision that this program made, where a read has found that the latest one is, or may be, somebody else's.",
      },
      __declaredUrl: {
        type: text(),
        description: "The address that the program declared, where a read has found another one in its place.",
        repeats: ["sourceConfig"],
      },
      __changedVariables: {
        type: list(text()),
        description: "The variables that this program has changed with updates: an earlier revision may have others.",
      },
      // A deployment that is being deleted cannot be kept.
      problem: {
        type: text(),
        description: "The problem that a read found: the deployment is being deleted.",
        replaceOn: "always",
      },
    }),
  },
);

export type DeploymentInputs = InputsOf<typeof deploymentTable.fields>;

/** Rules that no row can express: a variable of the environment has one source. */
function* namesGivenTwice(inputs: JsonObject): Generator<Problem> {
  const seen = new Set<string>();
  for (const { name, path } of variablesOf(inputs)) {
    const how = path[0] === "secrets" ? "is also in environmentVariables" : "is given twice";
    // Two unknown names may differ.
    if (seen.has(name) && name !== UNKNOWN) yield { path, reason: `${how}; give each variable once` };
    seen.add(name);
  }
}

/** The variables that a declaration names, whose parts may be unknown or of a wrong type. */
export function variablesOf(inputs: JsonObject): { readonly name: string; readonly path: Path }[] {
  const { secretReferences: references } = inputs;
  return [
    ...["environmentVariables", "secrets"].flatMap((map) =>
      Object.keys(asObject(inputs[map])).map((name) => ({ name, path: [map, name] })),
    ),
    ...(Array.isArray(references) ? references : []).flatMap((reference, index) => {
      const { name } = asObject(reference);
      return typeof name === "string" ? [{ name, path: ["secretReferences", index, "name"] }] : [];
    }),
  ];
}
