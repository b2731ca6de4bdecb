import { z } from "zod";
import { goneMeanwhile } from "../../base/errors";
import { asObject, type JsonObject, textOfJson } from "../../base/json";
import { durationMs } from "../../base/time";
import { toInputNames, toRequest } from "../../lifecycle/fields/rename";
import { createObject, seedOf, unfinishedOutputs } from "../../lifecycle/create";
import { defineResource } from "../../lifecycle/defined";
import { digest } from "../../lifecycle/identity/origin";
import type { Context, Found } from "../../lifecycle/observe/context";
import { mapFound, type Observation, observeAll, requireSupported } from "../../lifecycle/observe/observation";
import type { Live } from "../../lifecycle/rest/collection";
import { buildProblem, BUILT, untilBuilt } from "../../lifecycle/rest/built";
import { restType } from "../../lifecycle/rest/rest-resource";
import { urnIn } from "../../lifecycle/state";
import { sandboxRegistry } from "../sandbox-registry/definition";
import { OWN_LABEL, type SandboxSnapshotInputs, sandboxSnapshotTable } from "./fields";

const { fields } = sandboxSnapshotTable;
const ANSWER = {
  ...BUILT,
  tags: z.array(z.string()).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
};
const answerOf = (live: Live) => z.object(ANSWER).parse(live);
const tagOf = ({ tag }: { readonly tag?: unknown }): string => (typeof tag === "string" ? tag : fields.tag.default);
/** The first half of the label identifies the resource. */
const isMadeFor = (live: Live, seed: string): boolean =>
  answerOf(live).labels?.[OWN_LABEL]?.split("-")[0] === digest(seed, 12);
const titleOf = (inputs: SandboxSnapshotInputs): string => `${inputs.name}:${tagOf(inputs)}`;

const rest = restType<SandboxSnapshotInputs>({
  table: sandboxSnapshotTable,
  path: "/v2/sandboxes/snapshots",
  alias: (name, inputs) => (inputs === undefined ? name : `${name}:${tagOf(inputs)}`),
  items: "snapshots",
  answer: ANSWER,
  references: [
    {
      path: ["registryId"],
      one: "sandbox registry",
      observe: (context, id) => sandboxRegistry.observe(context, { id }),
      remedy: "Correct the id, or declare the SandboxRegistry and use its id",
    },
  ],
  body: ({ labels, ...inputs }, key) => toRequest(fields, { ...inputs, labels: { ...labels, [OWN_LABEL]: key } }),
  toInputs(live, outputs) {
    const { status, tags, labels } = answerOf(live);
    const { [OWN_LABEL]: _key, ...all } = labels ?? {};
    // A snapshot also has its image's labels. Without a state (an import), they cannot be told apart from the declared ones.
    const own =
      outputs["name"] === undefined
        ? all
        : Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(asObject(outputs["labels"]), name)));
    // While a snapshot is being built, it may not have its tag yet.
    const other = status === "building" ? undefined : tags && (tags[0] ?? "");
    const tag = tags?.includes(tagOf(outputs)) ? tagOf(outputs) : other;
    return { ...toInputNames(fields, live), tag, labels: own };
  },
  toProblem(live, outputs) {
    const { status, tags } = answerOf(live);
    const hasTag = status !== "ready" || tags?.includes(tagOf(outputs)) !== false;
    return (
      buildProblem(sandboxSnapshotTable, live, outputs) ??
      (hasTag ? undefined : `another snapshot has its tag, ${tagOf(outputs)}`)
    );
  },
  toDetails: (live) => ({ status: answerOf(live).status ?? null }),
  isBeingDeleted: (live) => answerOf(live).status === "deleting",
});

/** A snapshot, once it is built. Its label identifies the resource and the inputs that it was made for. */
export const sandboxSnapshot = defineResource<SandboxSnapshotInputs, Live>({
  ...rest,
  async create(context, wanted) {
    const { inputs } = wanted;
    const seed = seedOf(context, wanted.declared);
    const made = await createObject(context, wanted, {
      ...rest.posting(context, wanted),
      own: {
        // The seed is part of it, so that a reader of the label cannot guess the variables.
        of: (each) =>
          `${digest(each, 12)}-${digest((inputs.runConfig ? each : "") + textOfJson(builtFrom(inputs)), 12)}`,
        // A snapshot that has lost its tag to a newer one never gets it back.
        canTakeOver(live) {
          const { status, tags } = answerOf(live);
          return status === "building" || (status === "ready" && tags?.includes(tagOf(inputs)) === true);
        },
      },
      find: (key) => labelled(context, key),
      async releaseName(holder, isYoung) {
        const isOurs = isMadeFor(holder.live, seed);
        // A failed build that an attempt left behind when it was cut off: delete it.
        if (isOurs && answerOf(holder.live).status === "failed") {
          await rest.collection.delete(context.send, holder.id);
          return true;
        }
        if (!wanted.isBeingReplaced(holder) && !(isOurs && isYoung)) return false;
        const moves = `${titleOf(inputs)} moves from snapshot ${holder.id} to a new one`;
        context.log.info(moves, urnIn({ ...inputs }, context.call));
        return true;
      },
    });
    const live = await untilUsable(context, made, inputs, made.origin !== "adopted" || isMadeFor(made.live, seed));
    return { ...made, live };
  },
  // Only finishes an unfinished create: every change needs a new snapshot.
  async update(context, state, inputs) {
    const seen = requireSupported(await rest.observe(context, state), titleOf(inputs));
    if (seen.state !== "found") throw goneMeanwhile(`SandboxSnapshot "${titleOf(inputs)}" (${state.id})`);
    return untilUsable(context, seen.value, inputs, true, true);
  },
});

/** The inputs that make a different snapshot if they change. */
function builtFrom({
  buildTimeout: _limit,
  adopt: _adopt,
  __progressUrn: _row,
  ...inputs
}: SandboxSnapshotInputs): JsonObject {
  return inputs;
}

/** The snapshots with our label. */
async function labelled(context: Context, key: string): Promise<Observation<readonly Found<Live>[]>> {
  const pages = rest.collection.pages(context.send, { label: `${OWN_LABEL}=${key}` });
  const all = await observeAll(pages, (live) => answerOf(live).labels?.[OWN_LABEL] === key);
  return mapFound(all, (each) => each.map(rest.collection.foundIn));
}

/** Waits until it is built. If the wait ends before that, a snapshot of ours is saved in state, and the next `up` continues to wait. */
async function untilUsable(
  context: Context,
  found: Found<Live>,
  inputs: SandboxSnapshotInputs,
  isOurs: boolean,
  isInState = false,
): Promise<Live> {
  const { live } = found;
  const again = `pulumi up${isInState ? " --refresh`" : "` again"}`;
  return untilBuilt(context, live, {
    what: `SandboxSnapshot "${titleOf(inputs)}" (${found.id})`,
    collection: rest.collection,
    limitMs: durationMs(inputs.buildTimeout ?? ""),
    limit: "buildTimeout",
    isOurs,
    unfinished: unfinishedOutputs(rest, live, ["imageDigest"]),
    afterFailure: isOurs
      ? `Correct the arguments, and run \`${again}, which builds a new one`
      : "It stays. Leave adopt out, or give it another name, to build a new one",
    urn: urnIn({ ...inputs }, context.call),
  });
}
