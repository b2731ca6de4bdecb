import * as pulumi from "@pulumi/pulumi";
import { propertiesOf } from "../../provider/lifecycle/fields/table";
import { cronTable } from "../../provider/resources/cron/fields";
import { afterRegistration, givenArgs, registration } from "../resource";
import { onAgent } from "./agent-object";
import type { Assistant } from "./assistant";
import type { DeclaredCronArgs, CronOutputs } from "./cron.generated";
import type { Deployment } from "./deployment";

/** Arguments of a {@link Cron}: those of its table, and those of the class itself. */
export interface CronArgs extends DeclaredCronArgs {
  /** The assistant that runs: its id, and where it is. Or give a `deployment`, and a graph as `assistantId`. */
  assistant?: Assistant;
  /** The deployment whose agent has it. @default that of `assistant` */
  deployment?: Deployment;
}

const TYPE = { kind: "Cron", ...propertiesOf(cronTable) } as const;

export interface Cron extends CronOutputs {}

/**
 * Starts runs of an assistant on a schedule. It is created at most once, and deleted with its assistant.
 *
 * @example
 * import { Assistant, Cron, Deployment } from "pulumi-agent-platform";
 *
 * const desk = new Deployment("desk", {
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 * });
 * const digest = new Assistant("digest", { deployment: desk, graphId: "agent" });
 * new Cron("digest", {
 *   assistant: digest,
 *   schedule: "0 9 * * 1-5",
 *   timezone: "Europe/Berlin",
 *   input: { topic: "what came in yesterday" },
 * });
 */
export class Cron extends pulumi.CustomResource {
  constructor(name: string, args: CronArgs, options: pulumi.CustomResourceOptions = {}) {
    const { assistant, deployment, ...declared } = givenArgs(args);
    const { place, chosen } = onAgent("Cron", name, { assistant, deployment, ...declared }, options);
    const inputs = { ...declared, ...place, assistantId: declared.assistantId ?? assistant?.id };
    super(...registration(TYPE, name, inputs, chosen));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
