import { sameJson, type JsonObject } from "../../base/json";
import type { Path, Problem } from "../../lifecycle/fields/fields";
import { table, type Type, type InputsOf } from "../../lifecycle/fields/table";
import {
  choice,
  count,
  duration,
  flag,
  flagOr,
  json,
  list,
  nullable,
  object,
  positive,
  progressUrn,
  server,
  text,
  checkedText,
  unless,
} from "../../lifecycle/fields/types";
import { agentFields, NO_ADDRESS } from "../deployment/agent-fields";
import { outputs, providersTime, remembered } from "../rows";
import { STREAM_MODES } from "../../streaming/events";

const mode = () => choice(...STREAM_MODES);
const some = <T>(of: Type<T>) => list(of, { empty: "must name at least one" });

const expectedValue = object(
  {
    mode: { type: mode(), description: "The mode of the events to check.", required: true },
    path: {
      type: text(
        1024,
        unless(
          (given) => parsePath(given) !== undefined,
          'must be a path of names and positions, like "messages[0].content"',
        ),
      ),
      description: 'The path in the event\'s data, like "messages[0].content".',
      defaultText: 'the data itself; of "messages-tuple" the whole text of all tokens',
    },
    equals: {
      type: json(),
      description: "The expected value. Give exactly one of `equals` and `matches`.",
    },
    matches: {
      type: text(4096, unless(isPattern, "must be a regular expression of JavaScript, without slashes")),
      description: "A JavaScript regular expression for the text at the path; for any other value, for its JSON.",
    },
  },
  { name: "ExpectedValueArgs", description: "A value that at least one event has to contain.", rules: oneOfTwo },
);

const expectations = object(
  {
    modes: { type: some(mode()), description: "Modes that each have to yield at least one event." },
    nodes: { type: some(text(255)), description: "Nodes that the run has to reach." },
    values: { type: some(expectedValue), description: "Values that the run has to show." },
    interrupt: {
      type: flag(),
      description:
        "Whether the run has to stop and wait for a person (an interrupt). Otherwise a run that stops there fails.",
      default: false,
    },
    firstEventWithin: { type: duration(), description: 'The time limit for the first event, like "5s".' },
    totalWithin: { type: duration(), description: 'The time limit for the whole run, like "1m".' },
  },
  { name: "ExpectationsArgs", description: "What a run has to show besides ending without an error." },
);

/** A change of the input or the expectations runs the check again; a change of its time limits does not. None of its fields is sent to the platform's API. */
export const runCheckTable = table(
  {
    kind: "RunCheck",
    one: "run check",
    extendedArgs: "DeclaredRunCheckArgs",
    acts: { what: "runs the assistant, and fails if it does not show what you expect", limit: "runTimeout" },
    summary:
      "Runs an assistant on a deployment, and fails `pulumi up` if the run fails or does not show what you expect: a revision that is DEPLOYED may " +
      "hold a graph that throws. It runs again when the revision, the question or an expectation changes, and after a failure, but not on every `up`.",
    rules: needsForRollBack,
    description:
      "Arguments of a {@link RunCheck} (docs/internals/platform.md, POST /runs/stream). Changing the question, the expectations or the revision runs it again.",
  },
  {
    url: {
      ...agentFields.url,
      type: server({
        ifNull: "is null: the platform names no address for this deployment; give the address where the agent answers",
        ifAbsent: NO_ADDRESS,
      }),
    },
    assistantId: {
      type: text(255),
      description: "An assistant's id, or the name under which the graph is deployed.",
      required: true,
      classDefault: "that of `assistant`",
    },
    assistantVersion: {
      type: count(1),
      description: "The version of the assistant: a new one runs the check again.",
      classDefault: "that of `assistant`",
    },
    input: {
      type: json(),
      description:
        "Input for the graph. State keeps it: wrap a secret in pulumi.secret. If `input` or `expect` is secret, messages do not show the run's output.",
      equal: sameJson,
    },
    revisionId: {
      type: nullable(checkedText({})),
      description:
        "The revision: a new one runs the check again. With `deploymentId`, it has to be the one that serves.",
      classDefault: "the deployment's active one",
    },
    rollBack: {
      type: flagOr("with-old-secrets"),
      description:
        "Whether a check that fails redeploys the revision that served before, with its image, environment and secrets; `pulumi up` still fails. If " +
        '`secrets` have changed since, only "with-old-secrets" does (docs/how-to/roll-back.md). Needs contract "extended".',
      default: false,
      providerOnly: true,
    },
    deploymentId: {
      type: text(255),
      description: "The deployment's id: the check then makes sure that `revisionId` serves, before and after the run.",
      classDefault: "that of `deployment`",
      providerOnly: true,
    },
    secretsRevisionId: {
      type: nullable(checkedText({})),
      description: "The deployment's `secretsRevisionId`, for `rollBack`.",
      classDefault: "that of `deployment`",
      providerOnly: true,
    },
    streamSubgraphs: { type: flag(), description: "Whether events of subgraphs count.", default: false },
    stateful: {
      type: flag(),
      description: "Run on a new thread, which keeps the run's output.",
      default: false,
      defaultText: "false: a run without a thread",
    },
    expect: {
      type: expectations,
      description: "What the run has to show.",
      defaultText: "that the run is identified, shows something and ends without an error",
      equal: sameJson,
    },
    keepOutput: {
      type: flag(),
      description: "Keep the data of the last event in state, as the secret output `output`.",
      default: false,
    },
    apiKey: { ...agentFields.apiKey, providerOnly: true },
    customUrl: { ...agentFields.customUrl, providerOnly: true },
    attempts: {
      type: count(1),
      description:
        "How often to try an agent that does not accept requests yet. A run that may have started is not sent again.",
      defaultText: "10",
      providerOnly: true,
    },
    interval: providersTime('The pause between two attempts, like "5s".', '"3s"'),
    runTimeout: providersTime('The time limit for everything, and for a silent run, like "10m".', '"5m"'),
    __progressUrn: { ...progressUrn, providerOnly: true },
    showData: {
      type: flag(),
      description: "Whether neither the run's input nor its expectations are secret.",
      unlessSecret: ["input", "expect"],
      providerOnly: true,
      seenAs: "nothing",
    },
    // Only while the latest `up` has failed.
    ...remembered({
      problem: {
        type: text(),
        description: "What the check put back, and why: the next `up` says so again, unless something has changed.",
      },
      failedDeploymentId: { type: text(), description: "The deployment whose revision failed." },
      failedRevisionId: { type: text(), description: "The revision on which it failed." },
      rollbackRevisionId: { type: text(), description: "The revision that brings back the one before." },
      lostSecretsRevisionId: {
        type: nullable(text()),
        description: "The `secretsRevisionId` whose secrets do not serve, since older ones came back.",
      },
    }),
    ...outputs({
      runId: { type: text(), description: "The run that passed." },
      attempt: {
        type: nullable(count(1)),
        description: "How often the server tried this run; null if it does not say.",
      },
      threadId: { type: nullable(text()), description: "The thread of a stateful run; null otherwise." },
      tried: { type: count(1), description: "How many attempts it took until the agent accepted the run." },
      firstEventMs: { type: positive(), description: "Milliseconds until the first event." },
      totalMs: { type: positive(), description: "Milliseconds of the whole run." },
      events: { type: count(1), description: "How many events arrived." },
      digest: { type: text(), description: "SHA-256 of the run's whole output, in order. Secret.", secret: true },
      output: {
        type: json(),
        description: "The data of the last event, if `keepOutput` is true. Secret.",
        secret: true,
      },
    }),
  },
);

export type RunCheckInputs = InputsOf<typeof runCheckTable.fields>;
export type Expectations = NonNullable<RunCheckInputs["expect"]>;

function* needsForRollBack({ rollBack, deploymentId, revisionId, secretsRevisionId }: JsonObject): Generator<Problem> {
  if (rollBack === undefined || rollBack === false) return;
  const needed = {
    deploymentId: typeof deploymentId === "string",
    revisionId: typeof revisionId === "string",
    secretsRevisionId: rollBack === "with-old-secrets" || secretsRevisionId !== undefined,
  };
  const missing = Object.entries(needed).flatMap(([name, isGiven]) => (isGiven ? [] : [name]));
  const reason = `needs ${missing.join(", ")} of the deployment: give the check its \`deployment\`, or these outputs of it`;
  if (missing.length > 0) yield { path: ["rollBack"], reason };
}

function* oneOfTwo({ equals, matches }: JsonObject): Generator<Problem> {
  if ((equals === undefined) === (matches === undefined))
    yield { path: [], reason: "must have exactly one of equals and matches" };
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

// A name; a position in brackets; a name in brackets and quotes, which may hold anything else.
const STEP = /^(?:\.?([^.[\]"]+)|\[(\d+)\]|\["([^"]+)"\])/;

/** The path that a text spells (`messages[0].content`, `["a.b"]`); undefined unless it is a path. */
export function parsePath(given: string): Path | undefined {
  const path: (string | number)[] = [];
  for (let rest = given; rest !== "";) {
    const step = STEP.exec(rest);
    if (step === null || (path.length === 0 && rest.startsWith("."))) return undefined;
    const [whole, name, position, quoted] = step;
    path.push(position === undefined ? (name ?? quoted ?? "") : Number(position));
    rest = rest.slice(whole.length);
  }
  return path.length === 0 ? undefined : path;
}
