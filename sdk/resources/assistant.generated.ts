// Generated from the table of Assistant by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of an {@link Assistant} (docs/internals/platform.md, Assistants of an agent). */
export interface DeclaredAssistantArgs {
  /** The graph that it runs, as langgraph.json names it. */
  graphId: pulumi.Input<string>;
  /** Its name, which several assistants may have. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /** What it is for. @default "" */
  description?: pulumi.Input<string>;
  /** What the graph gets as its context. Not for secrets: everyone who may ask the agent can read it. */
  context?: pulumi.Input<Record<string, unknown>>;
  /**
   * How the graph runs: `recursion_limit`, `tags`, or `configurable` instead of `context`. Once set, it can be changed, but not removed.
   */
  config?: pulumi.Input<Record<string, unknown>>;
  /** Marks of your own. Keys that others have set stay as they are. You can change a key, but not remove it. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /** The id of an existing one to take over, and make as declared (docs/adopting.md). */
  adopt?: pulumi.Input<string>;
  /**
   * The deployment whose agent has it: new revisions keep it, a replacement loses it. Changing this replaces the resource. @default that of
   * `deployment`
   */
  deploymentId?: pulumi.Input<string>;
  /** The agent's address. @default the deployment's */
  url?: pulumi.Input<string | null | undefined>;
  /**
   * The agent's address, written out and no output: the connection's key may go there (docs/run-checks.md). @default a plain `url`, else
   * the deployment's `sourceConfig.customUrl`
   */
  customUrl?: pulumi.Input<string>;
  /**
   * Sent to the agent as x-api-key, wherever `url` is. Encrypted in state as a whole, never shown. @default the connection's, for an
   * address that is vouched for
   */
  apiKey?: pulumi.Input<string>;
}

/** The properties of a {@link Assistant}. */
export interface AssistantOutputs {
  /** The graph that it runs, as langgraph.json names it. */
  readonly graphId: pulumi.Output<string>;
  /** Its name, which several assistants may have. */
  readonly name: pulumi.Output<string>;
  /** What it is for. */
  readonly description: pulumi.Output<string | undefined>;
  /** What the graph gets as its context. Not for secrets: everyone who may ask the agent can read it. */
  readonly context: pulumi.Output<Record<string, unknown> | undefined>;
  /** How the graph runs: `recursion_limit`, `tags`, or `configurable` instead of `context`. */
  readonly config: pulumi.Output<Record<string, unknown> | undefined>;
  /** Marks of your own. Keys that others have set stay as they are. You can change a key, but not remove it. */
  readonly metadata: pulumi.Output<Record<string, unknown> | undefined>;
  /** The deployment whose agent has it: new revisions keep it, a replacement loses it. */
  readonly deploymentId: pulumi.Output<string>;
  /** The agent's address. */
  readonly url: pulumi.Output<string | null>;
  /** The agent's address, written out and no output: the connection's key may go there (docs/run-checks.md). */
  readonly customUrl: pulumi.Output<string | undefined>;
  /** Sent to the agent as x-api-key, wherever `url` is. */
  readonly apiKey: pulumi.Output<string | undefined>;
  /** When the agent created it (ISO 8601). */
  readonly createdAt: pulumi.Output<string>;
  /** The version that answers now. */
  readonly version: pulumi.Output<number>;
}
