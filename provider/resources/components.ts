import { nativeTokenOf, SETTINGS, settingRow, type Setting } from "../base/settings";
import { argumentRows, type Field, type Fields, type Shape, type Table } from "../lifecycle/fields/table";
import { entries, flag, list, nullable, number, object, record, text } from "../lifecycle/fields/types";
import { assistantTable } from "./assistant/fields";
import { cronTable } from "./cron/fields";
import { deploymentTable } from "./deployment/fields";
import { oauthProviderTable } from "./oauth-provider/fields";
import { rolloutTable } from "./rollout/fields";
import { runCheckTable } from "./run-check/fields";
import { sandboxTemplateTable } from "./sandbox-template/fields";

/** A resource that is made of others. Its rows are theirs. */
export interface Component {
  readonly kind: string;
  readonly summary: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
  /** The resource whose inputs are among its own. */
  readonly like?: Table;
}

/** The inputs of a resource, without those that its component fills in. */
function rowsOf(table: Table, ...filledIn: readonly string[]): Fields {
  const given = argumentRows(table.fields).filter(([name]) => !filledIn.includes(name));
  return Object.fromEntries(
    given.map(([name, { required, classDefault, ...row }]): [string, Field] => {
      const isFilled = (row.defaultText ?? classDefault) !== undefined;
      return [name, { ...row, ...(required && !isFilled && { required }) }];
    }),
  );
}

const plain = (type: Shape, description: string): Field => ({ type, description, isPlain: true });

/** Values for some of the parts, by the parts' names. @param name The type of one value. */
const parts = (name: string, fields: Fields, description: string): Field =>
  plain(entries(object(fields, { name })), description);

const WHOSE = ["deploymentId", "url", "customUrl"];
const assistant = plain(text(), "The assistant, by its key among `assistants`. Or give `assistantId`.");
const checkInputs = { ...rowsOf(runCheckTable, ...WHOSE, "revisionId"), assistant };
const { rolloutTimeout } = rolloutTable.fields;

const agentInputs: Fields = {
  ...rowsOf(deploymentTable, "awaitRollout"),
  awaitRollout: { ...plain(flag(), "Whether `pulumi up` waits until the revision is DEPLOYED."), default: true },
  rolloutTimeout,
  check: {
    ...plain(
      object(checkInputs, { name: "AgentCheck" }),
      "A run that has to pass before `url` is known and `pulumi up` is done: the inputs of a `RunCheck`, or `assistant`, a key of `assistants`.",
    ),
    defaultText: "none: DEPLOYED is enough",
  },
  assistants: parts(
    "AgentAssistant",
    rowsOf(assistantTable, ...WHOSE),
    "Its assistants, by their names: the inputs of an `Assistant`.",
  ),
  crons: parts(
    "AgentCron",
    { ...rowsOf(cronTable, ...WHOSE), assistant },
    "What runs on a schedule: the inputs of a `Cron`, or `assistant`, a key of `assistants`.",
  ),
};

const output = (type: Shape, description: string): Field => ({ type, description, computed: true });
const orNull = nullable(text());

export const agentComponent: Component = {
  kind: "Agent",
  like: deploymentTable,
  summary:
    "An agent in one resource: a Deployment, the Rollout that waits for it, its assistants and crons, and the check that it has to pass.",
  inputs: agentInputs,
  outputs: {
    url: output(
      orNull,
      "Its address, once it is DEPLOYED and its check has passed; null if the platform does not say.",
    ),
    deployed: output(flag(), "True once the revision is DEPLOYED; false with `awaitRollout: false`."),
    revisionId: output(orNull, "The revision that serves; null with `awaitRollout: false`."),
    latestRevisionId: output(orNull, "The revision that the last request made. Nothing waits for it."),
    deploymentId: output(text(), "The platform's id of the deployment."),
    assistantIds: output(record(text()), "The ids of its assistants, by their keys."),
  },
};

/** A setting as a region has it; the class checks it. */
function settingOf(name: Setting): Field {
  const { type, description, secret } = settingRow(name);
  const shape = type.kind === "flag" ? flag() : type.kind === "amount" ? number() : text();
  return { type: shape, description, ...(secret && { secret }) };
}

const regionInputs: Fields = {
  name: { ...plain(text(), 'Part of the Pulumi names of all that is in it, like "us".'), required: true },
  ...Object.fromEntries(SETTINGS.map((name) => [name, settingOf(name)])),
};

export const environmentComponent: Component = {
  kind: "AgentEnvironment",
  summary:
    "A whole environment as data: sandbox templates, OAuth providers and agents that belong together, in one region or in several. Each key is the name on the platform, unless what is behind it has another one.",
  inputs: {
    sandboxTemplates: parts(
      "EnvironmentSandboxTemplate",
      rowsOf(sandboxTemplateTable),
      "Its sandbox templates, by their names: the inputs of a `SandboxTemplate`.",
    ),
    oauthProviders: parts(
      "EnvironmentOAuthProvider",
      rowsOf(oauthProviderTable, "providerId"),
      "Its OAuth providers, by their ids: the inputs of an `OAuthProvider`.",
    ),
    agents: {
      ...parts("EnvironmentAgent", agentInputs, "Its agents, by their names: the inputs of an `Agent`."),
      required: true,
    },
    regions: {
      ...plain(
        list(object(regionInputs, { name: "EnvironmentRegion" }), {
          empty: "must have a region: without any, everything would be deleted",
        }),
        "The same environment in each of these regions: a name, and settings.",
      ),
      defaultText: "one, at the stack's connection",
    },
  },
  outputs: {
    urls: output(record(orNull), "The `url` of each agent, by key, with regions by `<region>-<key>`."),
    deploymentIds: output(record(text()), "The platform's ids of the deployments, under the same names."),
  },
};

export const COMPONENTS: readonly Component[] = [agentComponent, environmentComponent];

/** The component that a type token names; undefined for any other type. */
export const componentOf = (type: string): Component | undefined =>
  COMPONENTS.find(({ kind }) => nativeTokenOf(kind) === type);
