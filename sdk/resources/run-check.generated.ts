// Generated from the table of RunCheck by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** A value that at least one event has to contain. */
export interface ExpectedValueArgs {
  /** The mode of the events to check. */
  mode: pulumi.Input<"values" | "updates" | "messages-tuple" | "debug" | "custom" | "events">;
  /**
   * The path in the event's data, like "messages[0].content". @default the data itself; of "messages-tuple" the whole text of all tokens
   */
  path?: pulumi.Input<string>;
  /** The expected value. Give exactly one of `equals` and `matches`. */
  equals?: pulumi.Input<unknown>;
  /** A JavaScript regular expression for the text at the path; for any other value, for its JSON. */
  matches?: pulumi.Input<string>;
}

/** What a run has to show besides ending without an error. */
export interface ExpectationsArgs {
  /** Modes that each have to yield at least one event. */
  modes?: pulumi.Input<pulumi.Input<"values" | "updates" | "messages-tuple" | "debug" | "custom" | "events">[]>;
  /** Nodes that the run has to reach. */
  nodes?: pulumi.Input<pulumi.Input<string>[]>;
  /** Values that the run has to show. */
  values?: pulumi.Input<pulumi.Input<ExpectedValueArgs>[]>;
  /** Whether the run has to stop and wait for a person (an interrupt). Otherwise a run that stops there fails. @default false */
  interrupt?: pulumi.Input<boolean>;
  /** The time limit for the first event, like "5s". */
  firstEventWithin?: pulumi.Input<string>;
  /** The time limit for the whole run, like "1m". */
  totalWithin?: pulumi.Input<string>;
}

/**
 * Arguments of a {@link RunCheck} (docs/internals/platform.md, POST /runs/stream). Changing the question, the expectations or the revision
 * runs it again.
 */
export interface DeclaredRunCheckArgs {
  /** The agent's address. @default the deployment's */
  url?: pulumi.Input<string | null>;
  /** An assistant's id, or the name under which the graph is deployed. @default that of `assistant` */
  assistantId?: pulumi.Input<string>;
  /** The version of the assistant: a new one runs the check again. @default that of `assistant` */
  assistantVersion?: pulumi.Input<number>;
  /**
   * Input for the graph. State keeps it: wrap a secret in pulumi.secret. If `input` or `expect` is secret, messages do not show the run's
   * output.
   */
  input?: pulumi.Input<unknown>;
  /**
   * The revision: a new one runs the check again. With `deploymentId`, it has to be the one that serves. @default the deployment's active
   * one
   */
  revisionId?: pulumi.Input<string | null | undefined>;
  /**
   * Whether a check that fails redeploys the revision that served before, with its image, environment and secrets; `pulumi up` still fails.
   * If `secrets` have changed since, only "with-old-secrets" does (docs/how-to/roll-back.md). Needs contract "extended". @default false
   */
  rollBack?: pulumi.Input<boolean | "with-old-secrets">;
  /** The deployment's id: the check then makes sure that `revisionId` serves, before and after the run. @default that of `deployment` */
  deploymentId?: pulumi.Input<string>;
  /** The deployment's `secretsRevisionId`, for `rollBack`. @default that of `deployment` */
  secretsRevisionId?: pulumi.Input<string | null | undefined>;
  /** Whether events of subgraphs count. @default false */
  streamSubgraphs?: pulumi.Input<boolean>;
  /** Run on a new thread, which keeps the run's output. @default false: a run without a thread */
  stateful?: pulumi.Input<boolean>;
  /** What the run has to show. @default that the run is identified, shows something and ends without an error */
  expect?: pulumi.Input<ExpectationsArgs>;
  /** Keep the data of the last event in state, as the secret output `output`. @default false */
  keepOutput?: pulumi.Input<boolean>;
  /**
   * Sent to the agent as x-api-key, wherever `url` is. Encrypted in state as a whole, never shown. @default the connection's, for an
   * address that is vouched for
   */
  apiKey?: pulumi.Input<string>;
  /**
   * The agent's address, written out and no output: the connection's key may go there (docs/run-checks.md). @default a plain `url`, else
   * the deployment's `sourceConfig.customUrl`
   */
  customUrl?: pulumi.Input<string>;
  /** How often to try an agent that does not accept requests yet. A run that may have started is not sent again. @default 10 */
  attempts?: pulumi.Input<number>;
  /** The pause between two attempts, like "5s". @default "3s" */
  interval?: pulumi.Input<string>;
  /** The time limit for everything, and for a silent run, like "10m". @default "5m" */
  runTimeout?: pulumi.Input<string>;
}

/** The properties of a {@link RunCheck}. */
export interface RunCheckOutputs {
  /** The agent's address. */
  readonly url: pulumi.Output<string>;
  /** An assistant's id, or the name under which the graph is deployed. */
  readonly assistantId: pulumi.Output<string>;
  /** The version of the assistant: a new one runs the check again. */
  readonly assistantVersion: pulumi.Output<number | undefined>;
  /**
   * Input for the graph. State keeps it: wrap a secret in pulumi.secret. If `input` or `expect` is secret, messages do not show the run's
   * output.
   */
  readonly input: pulumi.Output<unknown>;
  /** The revision: a new one runs the check again. With `deploymentId`, it has to be the one that serves. */
  readonly revisionId: pulumi.Output<string | null | undefined>;
  /** Whether events of subgraphs count. */
  readonly streamSubgraphs: pulumi.Output<boolean | undefined>;
  /** Run on a new thread, which keeps the run's output. */
  readonly stateful: pulumi.Output<boolean | undefined>;
  /** What the run has to show. */
  readonly expect: pulumi.Output<pulumi.Unwrap<ExpectationsArgs> | undefined>;
  /** Keep the data of the last event in state, as the secret output `output`. */
  readonly keepOutput: pulumi.Output<boolean | undefined>;
  /** The run that passed. */
  readonly runId: pulumi.Output<string>;
  /** How often the server tried this run; null if it does not say. */
  readonly attempt: pulumi.Output<number | null>;
  /** The thread of a stateful run; null otherwise. */
  readonly threadId: pulumi.Output<string | null>;
  /** How many attempts it took until the agent accepted the run. */
  readonly tried: pulumi.Output<number>;
  /** Milliseconds until the first event. */
  readonly firstEventMs: pulumi.Output<number>;
  /** Milliseconds of the whole run. */
  readonly totalMs: pulumi.Output<number>;
  /** How many events arrived. */
  readonly events: pulumi.Output<number>;
  /** SHA-256 of the run's whole output, in order. Secret. */
  readonly digest: pulumi.Output<string>;
  /** The data of the last event, if `keepOutput` is true. Secret. */
  readonly output: pulumi.Output<unknown>;
}
