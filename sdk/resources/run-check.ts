import * as pulumi from "@pulumi/pulumi";
import { propertiesOf } from "../../provider/lifecycle/fields/table";
import { runCheckTable } from "../../provider/resources/run-check/fields";
import { lastly, tokenOf } from "../protocol";
import { afterRegistration, givenArgs, registration } from "../resource";
import { onAgent } from "./agent-object";
import type { Assistant } from "./assistant";
import type { Deployment } from "./deployment";
import type { DeclaredRunCheckArgs, RunCheckOutputs } from "./run-check.generated";

/** Arguments of a {@link RunCheck}: those of its table, and those of the class itself. */
export interface RunCheckArgs extends DeclaredRunCheckArgs {
  /** The deployment to check: its `url`, its `activeRevisionId`, and its Platform unless the options name one. Or give `url`. */
  deployment?: Deployment;
  /** The assistant to ask, on its own deployment: its id, and its version, so that the check runs again when that changes. */
  assistant?: Assistant;
}

const TYPE = { kind: "RunCheck", hasTimeout: true, ...propertiesOf(runCheckTable) } as const;

export interface RunCheck extends RunCheckOutputs {}

/**
 * Runs an assistant on a deployment, and fails `pulumi up` if the run fails or does not show what you expect: a revision that is
 * DEPLOYED may hold a graph that throws. It runs again when the revision, the question or an expectation
 * changes, and after a failure, but not on every `up`.
 *
 * @example
 * import { Deployment, RunCheck } from "pulumi-agent-platform";
 *
 * const desk = new Deployment("desk", {
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 * });
 * new RunCheck("answers", {
 *   deployment: desk,
 *   assistantId: "agent",
 *   input: { topic: "opening hours" },
 *   expect: { values: [{ mode: "messages-tuple", matches: "opening hours" }], totalWithin: "30s" },
 * });
 */
export class RunCheck extends pulumi.CustomResource {
  constructor(name: string, args: RunCheckArgs, options: pulumi.CustomResourceOptions = {}) {
    const { assistant, deployment, ...declared } = givenArgs(args);
    const agent = onAgent("RunCheck", name, { assistant, deployment, ...declared }, options);
    const inputs = {
      ...declared,
      ...agent.place,
      assistantId: declared.assistantId ?? assistant?.id,
      assistantVersion: declared.assistantVersion ?? assistant?.version,
      revisionId: declared.revisionId ?? agent.deployment?.activeRevisionId,
      ...(declared.rollBack === undefined
        ? {}
        : { secretsRevisionId: declared.secretsRevisionId ?? secretsOf(agent.deployment) }),
      runTimeout: declared.runTimeout ?? options.customTimeouts?.create,
    };
    const deciding = pulumi.mergeOptions({ transformations: [lastly(decideShown)] }, agent.chosen);
    super(...registration(TYPE, name, inputs, deciding));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}

/** The deployment's secretsRevisionId; null if a state of an earlier version lacks it. */
const secretsOf = (deployment: Deployment | undefined) =>
  deployment?.secretsRevisionId.apply((revision: string | null | undefined) => revision ?? null);

/** A transformation may have made secret what the program has not. Whatever is below the check inherits this. */
const decideShown: pulumi.ResourceTransformation = ({ type, props, opts }) =>
  type === tokenOf("RunCheck") ? { props: { ...props, showData: isPublic(props, opts) }, opts } : undefined;

/** Whether neither `input` nor `expect` is secret. Decided here, because the plugin cannot see which values are secret. */
async function isPublic(
  { input, expect }: Readonly<Record<string, unknown>>,
  { additionalSecretOutputs = [] }: pulumi.CustomResourceOptions,
): Promise<boolean> {
  if (additionalSecretOutputs.some((name) => name === "input" || name === "expect")) return false;
  return !(await pulumi.isSecret(pulumi.output({ input, expect })));
}
