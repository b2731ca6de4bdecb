import * as pulumi from "@pulumi/pulumi";
import { typeToken } from "../../provider/kinds";
import type { StreamMode } from "../../provider/streaming/events";
import { knowAbsent, refuseImport, registered, secret, warnOfIgnored } from "../resource";
import type { Deployment } from "./deployment";

/** A value that at least one event has to show. */
export interface ExpectedValueArgs {
  /** The mode of the events to look at. */
  mode: pulumi.Input<StreamMode>;
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
  modes?: pulumi.Input<pulumi.Input<StreamMode>[]>;
  /** Nodes that have to be reached. */
  nodes?: pulumi.Input<pulumi.Input<string>[]>;
  values?: pulumi.Input<pulumi.Input<ExpectedValueArgs>[]>;
  /** The longest time until the first event, like "5s". */
  firstEventWithin?: pulumi.Input<string>;
  /** The longest time of the whole run, like "1m". */
  totalWithin?: pulumi.Input<string>;
}

/** Arguments of a {@link RunCheck} (docs/platform.md, POST /runs/stream). A change of what is asked or expected, or of the revision, runs it again. */
export interface RunCheckArgs {
  /** The deployment to check: its `url`, its `activeRevisionId`, and its Platform unless the options name one. Or give `url`. */
  deployment?: Deployment;
  /** Where the agent answers. @default the deployment's */
  url?: pulumi.Input<string | null>;
  /** The revision whose change runs the check again. @default the deployment's active one */
  revisionId?: pulumi.Input<string | null>;
  /** An assistant's id, or the name under which the graph is deployed. */
  assistantId: pulumi.Input<string>;
  /**
   * For the graph. It is kept in state: wrap it in pulumi.secret where it holds a secret. Messages of a check whose `input` or `expect` is
   * secret do not show what the run put out.
   */
  input?: pulumi.Input<unknown>;
  /** Let events of subgraphs count too. @default false */
  streamSubgraphs?: pulumi.Input<boolean>;
  /** Run on a thread made for it, which then keeps what the run put out. @default false: a run that keeps nothing */
  stateful?: pulumi.Input<boolean>;
  /** @default that the run is named, shows something and ends without an error */
  expect?: pulumi.Input<ExpectationsArgs>;
  /** Keep the data of the last event in state, as the secret `output`. @default false */
  keepOutput?: pulumi.Input<boolean>;
  /** Sent to the agent as x-api-key. Encrypted in state. @default the connection's apiKey */
  apiKey?: pulumi.Input<string>;
  /** How often to ask an agent that does not accept requests yet. A run that may have been started is never sent again. @default 10 */
  attempts?: pulumi.Input<number>;
  /** The pause between two attempts, like "5s". @default "3s" */
  interval?: pulumi.Input<string>;
  /** The longest time for everything, also for the silence of a run, like "10m". @default "5m" */
  runTimeout?: pulumi.Input<string>;
}

const TYPE = typeToken("RunCheck");
const PROPERTIES = {
  inputs: ["url", "revisionId", "assistantId", "input", "streamSubgraphs", "stateful", "expect", "keepOutput"],
  computed: ["runId", "attempt", "threadId", "tried", "firstEventMs", "totalMs", "events", "digest", "output"],
};

/**
 * Runs an assistant on a deployment, and fails `pulumi up` where the run fails or does not show what is expected: a revision that says
 * DEPLOYED may hold a graph that throws. It runs again when the revision or its own arguments change, and after a failure; not on every `up`.
 */
export class RunCheck extends pulumi.CustomResource {
  declare readonly url: pulumi.Output<string>;
  declare readonly revisionId: pulumi.Output<string | null | undefined>;
  declare readonly assistantId: pulumi.Output<string>;
  /** The run that passed. */
  declare readonly runId: pulumi.Output<string>;
  /** The server's own count of attempts at this run; null where it does not say. */
  declare readonly attempt: pulumi.Output<number | null>;
  /** The thread of a stateful run; null otherwise. */
  declare readonly threadId: pulumi.Output<string | null>;
  /** How often the agent was asked until it accepted the run. */
  declare readonly tried: pulumi.Output<number>;
  /** Milliseconds until the first event. */
  declare readonly firstEventMs: pulumi.Output<number>;
  /** Milliseconds of the whole run. */
  declare readonly totalMs: pulumi.Output<number>;
  /** How many events came. */
  declare readonly events: pulumi.Output<number>;
  /** SHA-256 of all that the run put out, in order. Secret, as all that comes from its data. */
  declare readonly digest: pulumi.Output<string>;
  /** The data of the last event, where `keepOutput` asks for it. Secret: it may hold what the input held. */
  declare readonly output: pulumi.Output<unknown>;

  constructor(name: string, args: RunCheckArgs, options: pulumi.CustomResourceOptions = {}) {
    refuseImport("RunCheck", name, options);
    const { deployment, ...rest } = args;
    const inputs = {
      ...rest,
      url: args.url ?? deployment?.url,
      revisionId: args.revisionId ?? deployment?.activeRevisionId,
      apiKey: secret(args.apiKey),
      runTimeout: args.runTimeout ?? options.customTimeouts?.create,
      // The plugin is not told whose row of the engine's display is the check's.
      progressUrn: pulumi.createUrn(name, TYPE, options.parent),
      showData: isPublic(args, options),
    };
    // The key that is sent to the agent is that of the connection, which has to be the one that the deployment was made through.
    const provider = options.provider ?? deployment?.getProvider(TYPE);
    const secretOutputs = { additionalSecretOutputs: ["digest", "output"] };
    const chosen = pulumi.mergeOptions(secretOutputs, provider ? { ...options, provider } : options);
    super(TYPE, name, registered("RunCheck", inputs, PROPERTIES), chosen);
    knowAbsent(this, inputs, PROPERTIES);
    warnOfIgnored(this, `RunCheck "${name}"`, options, ["create"]);
  }
}

/** Whether none of what the run is given and compared with is secret: the plugin gets values without that mark. */
async function isPublic(
  { input, expect }: RunCheckArgs,
  { additionalSecretOutputs = [] }: pulumi.CustomResourceOptions,
): Promise<boolean> {
  if (additionalSecretOutputs.some((name) => name === "input" || name === "expect")) return false;
  return !(await pulumi.isSecret(pulumi.output({ input, expect })));
}
