// Generated from the table of Cron by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of a {@link Cron} (docs/internals/platform.md, Crons of an agent). */
export interface DeclaredCronArgs {
  /** The assistant that runs: its id, or the name of a graph. Changing this replaces the resource. @default that of `assistant` */
  assistantId?: pulumi.Input<string>;
  /** The thread that the runs continue. Changing this replaces the resource. @default each run has its own */
  threadId?: pulumi.Input<string>;
  /** When it runs, as in a crontab: "0 9 * * 1-5", "@daily". A sixth field is the seconds. */
  schedule: pulumi.Input<string>;
  /** The timezone of the schedule, like "Europe/Berlin". @default "UTC" */
  timezone?: pulumi.Input<string>;
  /** Input for the graph. State keeps it: wrap a secret in pulumi.secret. Once set, it can be changed, but not removed. */
  input?: pulumi.Input<unknown>;
  /** What the graph gets as its context in these runs. */
  context?: pulumi.Input<Record<string, unknown>>;
  /** How the graph runs; takes precedence over the settings of the assistant. */
  config?: pulumi.Input<Record<string, unknown>>;
  /** Marks of your own. Keys that others have set stay as they are. You can change a key, but not remove it. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /** Whether it runs. @default true */
  enabled?: pulumi.Input<boolean>;
  /** A URL to call after each run. The server looks up its host at once. Once set, it can be changed, but not removed. */
  webhook?: pulumi.Input<string>;
  /** When it stops for good (ISO 8601). */
  endTime?: pulumi.Input<string>;
  /** What happens to the thread of a run. Not with `threadId`. Once removed, it keeps its value on the platform. */
  onRunCompleted?: pulumi.Input<"delete" | "keep" | (string & {})>;
  /** What happens when its thread is busy. @default "enqueue" */
  multitaskStrategy?: pulumi.Input<"enqueue" | "reject" | "interrupt" | "rollback" | (string & {})>;
  /** The nodes before which a run stops; `["*"]` for each. */
  interruptBefore?: pulumi.Input<pulumi.Input<string>[]>;
  /** The nodes after which a run stops; `["*"]` for each. */
  interruptAfter?: pulumi.Input<pulumi.Input<string>[]>;
  /** What a stream of a run has. */
  streamMode?: pulumi.Input<
    pulumi.Input<
      | "values"
      | "updates"
      | "messages-tuple"
      | "debug"
      | "custom"
      | "events"
      | "messages"
      | "tasks"
      | "checkpoints"
      | (string & {})
    >[]
  >;
  /** Whether it has what subgraphs emit. @default false */
  streamSubgraphs?: pulumi.Input<boolean>;
  /** Whether who comes late can read it from its start. @default false */
  streamResumable?: pulumi.Input<boolean>;
  /** When a run's checkpoints are kept: before the next step, beside it, or when the run ends. @default "async" */
  durability?: pulumi.Input<"sync" | "async" | "exit" | (string & {})>;
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

/** The properties of a {@link Cron}. */
export interface CronOutputs {
  /** The assistant that runs: its id, or the name of a graph. */
  readonly assistantId: pulumi.Output<string>;
  /** The thread that the runs continue. */
  readonly threadId: pulumi.Output<string | undefined>;
  /** When it runs, as in a crontab: "0 9 * * 1-5", "@daily". A sixth field is the seconds. */
  readonly schedule: pulumi.Output<string>;
  /** The timezone of the schedule, like "Europe/Berlin". */
  readonly timezone: pulumi.Output<string | undefined>;
  /** Input for the graph. State keeps it: wrap a secret in pulumi.secret. */
  readonly input: pulumi.Output<unknown>;
  /** What the graph gets as its context in these runs. */
  readonly context: pulumi.Output<Record<string, unknown> | undefined>;
  /** How the graph runs; takes precedence over the settings of the assistant. */
  readonly config: pulumi.Output<Record<string, unknown> | undefined>;
  /** Marks of your own. Keys that others have set stay as they are. You can change a key, but not remove it. */
  readonly metadata: pulumi.Output<Record<string, unknown> | undefined>;
  /** Whether it runs. */
  readonly enabled: pulumi.Output<boolean | undefined>;
  /** A URL to call after each run. The server looks up its host at once. */
  readonly webhook: pulumi.Output<string | undefined>;
  /** When it stops for good (ISO 8601). */
  readonly endTime: pulumi.Output<string | undefined>;
  /** What happens to the thread of a run. Not with `threadId`. */
  readonly onRunCompleted: pulumi.Output<string | undefined>;
  /** What happens when its thread is busy. */
  readonly multitaskStrategy: pulumi.Output<string | undefined>;
  /** The nodes before which a run stops; `["*"]` for each. */
  readonly interruptBefore: pulumi.Output<string[] | undefined>;
  /** The nodes after which a run stops; `["*"]` for each. */
  readonly interruptAfter: pulumi.Output<string[] | undefined>;
  /** What a stream of a run has. */
  readonly streamMode: pulumi.Output<string[] | undefined>;
  /** Whether it has what subgraphs emit. */
  readonly streamSubgraphs: pulumi.Output<boolean | undefined>;
  /** Whether who comes late can read it from its start. */
  readonly streamResumable: pulumi.Output<boolean | undefined>;
  /** When a run's checkpoints are kept: before the next step, beside it, or when the run ends. */
  readonly durability: pulumi.Output<string | undefined>;
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
}
