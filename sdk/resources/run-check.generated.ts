// Generated from provider/resources/run-check/fields.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** A value that at least one event has to show. */
export interface ExpectedValueArgs {
  /** The mode of the events to look at. */
  mode: pulumi.Input<"values" | "updates" | "messages-tuple" | "debug" | "custom" | "events">;
  /** Where in the event's data, like "messages[0].content". @default the data itself; of "messages-tuple" the whole text of all tokens */
  path?: pulumi.Input<string>;
  /** The value that has to be there. Exactly one of `equals` and `matches`. */
  equals?: pulumi.Input<unknown>;
  /** A regular expression of JavaScript that the text there (of another value: its JSON) has to match. */
  matches?: pulumi.Input<string>;
}

/** What a run has to show besides ending without an error. */
export interface ExpectationsArgs {
  /** Modes of which at least one event has to come. */
  modes?: pulumi.Input<pulumi.Input<"values" | "updates" | "messages-tuple" | "debug" | "custom" | "events">[]>;
  /** Nodes that have to be reached. */
  nodes?: pulumi.Input<pulumi.Input<string>[]>;
  /** Values that have to be shown. */
  values?: pulumi.Input<pulumi.Input<ExpectedValueArgs>[]>;
  /** The longest time until the first event, like "5s". */
  firstEventWithin?: pulumi.Input<string>;
  /** The longest time of the whole run, like "1m". */
  totalWithin?: pulumi.Input<string>;
}

/**
 * Arguments of a {@link RunCheck} (docs/platform.md, POST /runs/stream). A change of what is asked or expected, or of the revision, runs it
 * again.
 */
export interface DeclaredRunCheckArgs {
  /** Where the agent answers. @default the deployment's */
  url?: pulumi.Input<string | null>;
  /** An assistant's id, or the name under which the graph is deployed. */
  assistantId: pulumi.Input<string>;
  /**
   * For the graph. It is kept in state: wrap it in pulumi.secret where it holds a secret. Messages of a check whose `input` or `expect` is
   * secret do not show what the run put out.
   */
  input?: pulumi.Input<unknown>;
  /** The revision whose change runs the check again. @default the deployment's active one */
  revisionId?: pulumi.Input<string | null | undefined>;
  /** Let events of subgraphs count too. @default false */
  streamSubgraphs?: pulumi.Input<boolean>;
  /** Run on a thread made for it, which then keeps what the run put out. @default false: a run that keeps nothing */
  stateful?: pulumi.Input<boolean>;
  /** What the run has to show. @default that the run is named, shows something and ends without an error */
  expect?: pulumi.Input<ExpectationsArgs>;
  /** Keep the data of the last event in state, as the secret `output`. @default false */
  keepOutput?: pulumi.Input<boolean>;
  /** Sent to the agent as x-api-key. Encrypted in state as a whole, never shown. @default the connection's apiKey */
  apiKey?: pulumi.Input<string>;
  /** How often to ask an agent that does not accept requests yet. A run that may have been started is never sent again. @default 10 */
  attempts?: pulumi.Input<number>;
  /** The pause between two attempts, like "5s". @default "3s" */
  interval?: pulumi.Input<string>;
  /** The longest time for everything, also for the silence of a run, like "10m". @default "5m" */
  runTimeout?: pulumi.Input<string>;
}
