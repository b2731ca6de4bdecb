import { messageOf } from "../../../provider/base/errors";
import { makes } from "../makes";
import { holds } from "../subjects";
import { excuseOf } from "./excuses";
import { mend } from "./mending";
import type { Strike } from "./spoiler";
import { API_KEY, subjectOf, type Stage } from "./stage";
import type { Story } from "./stories";

/** A promise, and how it was broken. */
export interface Broken {
  readonly promise: (typeof PROMISES)[number];
  readonly how: string;
  /** An example. */
  readonly shown?: string;
}

export const PROMISES = [
  "(i) nothing but the platform's own 404 drops an object",
  "(ii) no delete succeeds while the object is there, unless a warning names it",
  "(iii) no verb makes two objects, or two revisions",
  "(iv) a failure names the object, and what to do; no secret",
  "(v) the same command repeated brings everything right",
  "(vi) a failure that passes does not end a wait",
  "(vii) nothing goes on for ever",
  "(viii) a reported success is real",
] as const;
const [DROPS, DELETES, DOUBLES, TELLS, MENDS, WAITS, ENDS, IS_TRUE] = PROMISES;

const TYPED = ["UnfinishedError", "AgentPlatformError", "HttpError", "TransportError", "AnswerError"];
const SECRETS = [API_KEY, "client-secret-", "deployment-secret-"];
const ADVICE = /\b(run|set|look|check|correct|declare|adopt|delete it|again|raise|point|remove|unset|wait|base URL)\b/i;

/** Plays the story with that strike on a prepared stage; undefined where nothing was struck. */
export async function trial(stage: Stage, story: Story, strike: Strike): Promise<Broken[] | undefined> {
  const { spoiler, platform } = stage;
  const revisionsBefore = new Set(stage.revisionIds());
  const idBefore = stage.model(story.kind).state?.id;
  const name = subjectOf(story.managedType).nameOf(story.declared);
  const ours = stage.objects(story.managedType).filter((each) => /-[78]$/.test(each.name));
  const names = new Set([name, ...ours.flatMap((each) => [each.name, each.id])]);
  spoiler.begin(strike, (item) => [...names].some((each) => JSON.stringify(item).includes(`"${each}"`)));
  const warned = platform.warnings.length;
  const error = await story.act(stage).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { witnessed, hasStruck, isEndless } = spoiler;
  spoiler.begin(undefined);
  if (!hasStruck) return undefined;
  const ended = { error, idBefore, names, witnessed, warnings: platform.warnings.slice(warned) };
  const broken: Broken[] = [];
  const breaks = (promise: Broken["promise"], found: string | undefined) => {
    if (found === undefined) return;
    const [how = "", ...rest] = found.split(": ");
    broken.push({ promise, how, shown: rest.join(": ") });
  };
  if (isEndless) return [{ promise: ENDS, how: "it went on until it was cut off" }];
  breaks(DROPS, dropped(stage, story, strike, ended));
  breaks(DELETES, leftBehind(stage, story, strike, ended));
  const made = stage.revisionIds().filter((id) => !revisionsBefore.has(id));
  breaks(DOUBLES, doubled(ended, made));
  if (error !== undefined) breaks(TELLS, untold(ended));
  else breaks(IS_TRUE, untrue(stage, story));
  breaks(WAITS, cutShort(story, strike, ended));
  const isDropped = story.verb === "read" && !stage.model(story.kind).hasState;
  if (isDropped || broken.some(({ promise }) => promise === DROPS || promise === DELETES)) return broken;
  breaks(
    MENDS,
    await mend(stage, story, error).catch((reason: unknown) => `the repetition failed: ${messageOf(reason)}`),
  );
  return broken;
}

interface Ended {
  readonly error: unknown;
  readonly idBefore: string | undefined;
  readonly names: ReadonlySet<string>;
  readonly witnessed: Parameters<typeof excuseOf>[2];
  readonly warnings: readonly string[];
}

function dropped(stage: Stage, story: Story, strike: Strike, { error, witnessed }: Ended): string | undefined {
  const { verb, kind } = story;
  const said = error === undefined ? "" : messageOf(error);
  const isGone =
    (verb === "read" && stage.model(kind).state === undefined) ||
    (verb === "get" && error === undefined && stage.got?.id === "") ||
    ((verb === "get" || verb === "adopt") && /does not exist/.test(said));
  if (!isGone || excuseOf(story, strike, witnessed) !== undefined) return undefined;
  return said === "" ? "it is read as gone" : `it is said not to exist: ${said}`;
}

/** A delete, or the first half of a replacement, that leaves the object on the platform. */
function leftBehind(stage: Stage, story: Story, strike: Strike, ended: Ended): string | undefined {
  const { error, idBefore, warnings, witnessed } = ended;
  const isRemoved = stage.model(story.kind).state === undefined;
  if (story.verb !== "delete" || error !== undefined || !isRemoved) return undefined;
  if (!stage.objects(story.managedType).some(({ id }) => id === idBefore)) return undefined;
  const [warning] = warnings.filter((each) => [...ended.names].some((name) => each.includes(name)));
  if (warning === undefined) {
    return excuseOf(story, strike, witnessed) === undefined ? "it is there, and nothing warns of it" : undefined;
  }
  // A platform that does not offer the endpoint: it stays, as the warning says.
  const { means } = strike.spoiling;
  const reached = witnessed.some(({ method, status }) => method === "DELETE" && (status === 404 || status === 405));
  return reached || means === "not offered" || means === "lie" ? undefined : `it is left behind: ${warning}`;
}

function doubled({ witnessed }: Ended, revisions: readonly string[]): string | undefined {
  const done = witnessed.filter(({ method, path, status }) => makes(method, path) && (status ?? 0) > 0);
  const first = done.findIndex(({ status }) => (status ?? 500) < 300);
  if (first >= 0 && first < done.length - 1) return "another POST after one that had made it";
  return revisions.length > 1 ? `${revisions.length} revisions were made` : undefined;
}

function untold({ error, idBefore, names }: Ended): string | undefined {
  const text = messageOf(error);
  if (!(error instanceof Error) || !TYPED.includes(error.name)) return `an error of another kind: ${text}`;
  if (SECRETS.some((secret) => text.includes(secret))) return `a secret in: ${text}`;
  const namesIt = [...names].some((name) => text.includes(name)) || (idBefore !== undefined && text.includes(idBefore));
  if (!namesIt) return `it does not name the object: ${text}`;
  return ADVICE.test(text) ? undefined : `it does not say what to do: ${text}`;
}

/** Checks the claim of a success. */
function untrue(stage: Stage, { verb, managedType, declared }: Story): string | undefined {
  if (verb === "read" || verb === "get" || verb === "delete") return undefined;
  const { id } = stage.model(managedType).current;
  const object = stage.objects(managedType).find((each) => each.id === id);
  if (object === undefined) return "it is not there";
  return holds(subjectOf(managedType), object, declared) ? undefined : `it is ${JSON.stringify(object.state)}`;
}

/** A wait for a revision, or for the end of a deletion. */
function cutShort(
  { verb, kind }: Story,
  { spoiling, forEver }: Strike,
  { error, witnessed }: Ended,
): string | undefined {
  if (forEver || error === undefined || !(verb === "roll out" || (verb === "delete" && kind === "Deployment")))
    return undefined;
  const struck = witnessed.find((each) => each.struck);
  const isFresh = struck?.path.includes("/revisions/") && spoiling.name === "the platform's own 404, untrue";
  if (struck?.method !== "GET" || !(spoiling.means === "passes" || isFresh)) return undefined;
  return `the wait ends: ${messageOf(error)}`;
}
