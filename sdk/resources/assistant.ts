import * as pulumi from "@pulumi/pulumi";
import { propertiesOf } from "../../provider/lifecycle/fields/table";
import { assistantTable } from "../../provider/resources/assistant/fields";
import { afterRegistration, givenArgs, registration } from "../resource";
import { agentOfAssistant, onAgent } from "./agent-object";
import type { DeclaredAssistantArgs, AssistantOutputs } from "./assistant.generated";
import type { Deployment } from "./deployment";

/** Arguments of an {@link Assistant}: those of its table, and those of the class itself. */
export interface AssistantArgs extends DeclaredAssistantArgs {
  /** The deployment whose agent has it: its id, its `url`, and its Platform unless the options name one. Or give `deploymentId` and `url`. */
  deployment?: Deployment;
}

const TYPE = { kind: "Assistant", ...propertiesOf(assistantTable) } as const;

export interface Assistant extends AssistantOutputs {}

/**
 * An assistant on a deployment's agent: a graph with a context and settings of its own. Each change makes a version. A new revision of the
 * deployment keeps it, and a replaced deployment loses it: the same `up` creates it again.
 *
 * @example
 * import { Assistant, Deployment } from "pulumi-agent-platform";
 *
 * const desk = new Deployment("desk", {
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 * });
 * const triage = new Assistant("triage", {
 *   deployment: desk,
 *   graphId: "agent",
 *   context: { tone: "brief" },
 * });
 * export const triageId = triage.id;
 */
export class Assistant extends pulumi.CustomResource {
  constructor(name: string, args: AssistantArgs, options: pulumi.CustomResourceOptions = {}) {
    const { deployment, ...declared } = givenArgs(args);
    const { place, chosen } = onAgent("Assistant", name, { deployment, ...declared }, options);
    const inputs = { ...declared, ...place, name: declared.name ?? name };
    super(...registration(TYPE, name, inputs, chosen));
    agentOfAssistant.set(this, { deployment, ...declared });
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
