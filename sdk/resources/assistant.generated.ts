// Generated from the table of Assistant by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of an {@link Assistant} (docs/internals/platform.md, Assistants of an agent). */
export interface DeclaredAssistantArgs {
  /** The graph that it runs, as langgraph.json names it. */
  graphId: pulumi.Input<string>;
  /** Its name. The server does not mind two of one name. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /** What it is for. @default "" */
  description?: pulumi.Input<string>;
  /** What the graph gets as its context. Not for secrets: whoever may ask the agent may read it. */
  context?: pulumi.Input<Record<string, unknown>>;
  /**
   * How the graph is run: `recursion_limit`, `tags`, or `configurable` in place of `context`. Once set, it can be changed, but not removed.
   */
  config?: pulumi.Input<Record<string, unknown>>;
  /** Marks of your own. Keys that others have set are left alone; a key that is set can be changed, but not taken out. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /**
   * The id of an existing one to take over instead of creating one. It is changed to match the declaration; you can remove this argument
   * later.
   */
  adopt?: pulumi.Input<string>;
  /**
   * The deployment whose agent has it: in its own database, which every revision keeps and a replacement loses. Changing this replaces the
   * resource. @default that of `deployment`
   */
  deploymentId?: pulumi.Input<string>;
  /** The agent's address. @default the deployment's */
  url?: pulumi.Input<string | null | undefined>;
  /**
   * The agent's address as the program declares it, written out. Not an output of the deployment: after a refresh that is what somebody may
   * have set on the platform. The connection's key goes only there, and to hosts of the platform. @default the `url`, if it is a plain
   * value; otherwise the deployment's `sourceConfig.customUrl`
   */
  customUrl?: pulumi.Input<string>;
  /**
   * Sent to the agent as x-api-key, wherever `url` is. Encrypted in state as a whole, never shown. @default the connection's apiKey, for an
   * address that the program or the configuration vouches for
   */
  apiKey?: pulumi.Input<string>;
}
