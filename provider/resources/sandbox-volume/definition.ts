import { z } from "zod";
import { AgentPlatformError, isConflict } from "../../base/errors";
import { hasUnknown, isObject, type Json, type JsonObject, textIn } from "../../base/json";
import { excerptOf } from "../../http/excerpt";
import { segment } from "../../http/segment";
import { createObject, unfinishedOutputs } from "../../lifecycle/create";
import { defineResource } from "../../lifecycle/defined";
import { changesBetween } from "../../lifecycle/fields/diff";
import { type Problem, valueAt } from "../../lifecycle/fields/fields";
import { toInputNames } from "../../lifecycle/fields/rename";
import { type InputsOf, table } from "../../lifecycle/fields/table";
import { adoptField, anyText, count, entries, extra, inPath, nullable, text } from "../../lifecycle/fields/types";
import type { Context } from "../../lifecycle/observe/context";
import { requireSupported, valueOf } from "../../lifecycle/observe/observation";
import type { Live } from "../../lifecycle/rest/collection";
import { BEING_DELETED, buildProblem, BUILT, isAwaited, untilBuilt } from "../../lifecycle/rest/built";
import { restType } from "../../lifecycle/rest/rest-resource";
import { NOT_READY, PROBLEM, urnIn } from "../../lifecycle/state";
import { createdAt, outputs, pulumiName, remembered, updatedAt } from "../rows";

const PATH = "/v2/sandboxes/volumes";
const GIB = 1024 ** 3;
const inGib = (bytes: unknown): unknown => (typeof bytes === "number" ? Math.ceil(bytes / GIB) : bytes);
const replaceOn = "always";

/** docs/internals/platform.md, Sandbox volumes. */
const sandboxVolumeTable = table(
  {
    kind: "SandboxVolume",
    api: "sandbox",
    naturalKey: "name",
    undocumented: ["list", "create", "read", "update", "delete"],
    echoes: true,
    one: "sandbox volume",
    summary:
      "A disk that outlives the sandboxes that it is attached to: new, or a clone of another one. `pulumi up` waits until it is ready. " +
      'Needs contract "extended".',
    description: "Arguments of a {@link SandboxVolume} (docs/internals/platform.md, Sandbox volumes).",
    holdsData: true,
    goesWith: "its data",
    *rules({ sizeBytes, sourceVolume }) {
      const path = ["sizeBytes"];
      if (sizeBytes === undefined && sourceVolume === undefined)
        yield { path, reason: "is required (in bytes), unless sourceVolume names a volume to clone" };
      if (sizeBytes !== undefined && sourceVolume !== undefined)
        yield { path, reason: "must not be set with sourceVolume: a clone has the size of its source" };
    },
    reading: {
      foundBy: "its id or its name",
      place: "docs/internals/platform.md, Sandbox volumes",
      page: 100,
      cursor: true,
      details: {
        status: { type: nullable(text()), description: '"provisioning", "ready" or "failed".', computed: true },
      },
    },
  },
  {
    name: { ...pulumiName("Unique in the workspace."), replaceOn },
    sizeBytes: {
      type: count(1),
      description:
        "Its size in bytes, which the platform rounds up to a whole GiB. A clone has that of its source. It cannot change unless `name` does.",
      equal: (a, b) => inGib(a) === inGib(b),
      replaceOn,
    },
    sourceVolume: {
      type: text(255, inPath),
      description: "The id or the name of the volume to clone. It cannot change unless `name` does.",
      defaultText: "a new volume",
      wire: false,
      seenAs: "argument",
      notReturned: "always",
      replaceOn,
    },
    description: { type: anyText(4096), description: "What it is for.", default: "" },
    labels: {
      type: entries(anyText(4096)),
      description: "Labels of your own. One that the program does not have is removed.",
      default: {},
      authoritative: true,
    },
    extra: { ...extra, replaceOn },
    adopt: adoptField("name"),
    ...outputs({
      sourceVolumeId: {
        type: nullable(text()),
        description: "The id of the volume that it was cloned from; null for any other.",
        isStable: true,
        repeats: ["sourceVolume"],
      },
      createdAt,
      updatedAt,
    }),
    ...remembered({ problem: { type: text(), description: "The problem that a read found." } }),
  },
);

type SandboxVolumeInputs = InputsOf<typeof sandboxVolumeTable.fields>;

const Attachment = z.object({ sandbox_name: z.string().nullish(), mount_path: z.string().nullish() });
const Attached = z
  .object({ attachments: z.array(Attachment).nullish() })
  .catch({})
  .optional();

const rest = restType<SandboxVolumeInputs>({
  table: sandboxVolumeTable,
  path: PATH,
  postTo: ({ sourceVolume }) => (sourceVolume === undefined ? PATH : `${PATH}/${segment(sourceVolume)}/clone`),
  alias: (name) => name,
  answer: BUILT,
  toInputs(live, { sourceVolume }) {
    const inputs = toInputNames(sandboxVolumeTable.fields, live);
    return sourceVolume === undefined ? inputs : { ...inputs, sizeBytes: undefined };
  },
  toProblem: (live, before) => buildProblem(sandboxVolumeTable, live, before),
  toDetails: (live) => ({ status: textIn(live, "status") ?? null }),
  isBeingDeleted: (live) => textIn(live, "status") === "deleting",
});

/** A volume of sandboxes. All of its endpoints belong to contract `extended`. */
export const sandboxVolume = defineResource<SandboxVolumeInputs, Live>({
  ...rest,
  refuse({ before, after: { name, ...after } }) {
    if (typeof name !== "string" || before["name"] !== name) return [];
    const { [PROBLEM]: problem } = before;
    if (problem === undefined || problem === NOT_READY) return lostData(before, after);
    return [{ path: ["name"], reason: problem === BEING_DELETED ? GOING : FAILED }];
  },
  // The engine deletes a dependent of a replaced resource first if an unknown value would replace it: before any check.
  suppressDiff: ({ path }, { name }, after) =>
    after["name"] === name && MADE_OF.includes(String(path[0])) && hasUnknown(valueAt(after, path)),
  async create(context, wanted) {
    const { sourceVolume } = wanted.inputs;
    let { claim } = wanted;
    if (sourceVolume !== undefined) {
      // The 404 of a clone would look like that of a platform without volumes.
      const source = requireSupported(await rest.observe(context, { name: sourceVolume }), wanted.what);
      if (source.state === "absent")
        throw new AgentPlatformError(
          `${wanted.what}: there is no sandbox volume "${sourceVolume}" to clone: correct sourceVolume`,
        );
      const { id } = source.value;
      claim = (adopted, what) => {
        const { source_volume_id: from } = adopted.live;
        if (from !== undefined && from !== id) throw clonedFromAnother(what, from, sourceVolume);
        wanted.claim(adopted, what);
      };
    }
    const made = await createObject(context, { ...wanted, claim }, rest.posting(context, wanted));
    // One that no sandbox has ever had keeps nobody's data.
    const live = await untilUsable(context, wanted.what, made.live, made.origin === undefined);
    return { ...made, live };
  },
  async update(context, state, inputs, changes) {
    const live = await rest.update(context, state, inputs, changes);
    // Waits on if the wait of its create ended too early.
    return isAwaited(sandboxVolumeTable, state.outputs)
      ? untilUsable(context, `SandboxVolume "${inputs.name}"`, live, false)
      : live;
  },
  async delete(context, state) {
    try {
      return await rest.delete(context, state);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const holders = Attached.parse(valueOf(await rest.observe(context, state))?.live)?.attachments ?? [];
      const shown = holders.slice(0, 5).map((each) => `"${each.sandbox_name ?? "?"}" (${each.mount_path ?? "?"})`);
      if (shown.length === 0) throw error;
      const more = holders.length > shown.length ? ` and ${holders.length - shown.length} more` : "";
      throw new AgentPlatformError(
        `SandboxVolume "${textIn(state.outputs, "name") ?? ""}" (${state.id}) cannot be deleted: attached to it are the sandboxes ` +
          `${excerptOf(shown).join(", ")}${more}. Delete those, or detach it from them, and run the command again`,
        { cause: error },
      );
    }
  },
});

/** A sandbox can have it only once it is ready. @param isNew This create has made it. */
const untilUsable = (context: Context, title: string, live: Live, isNew: boolean): Promise<Live> =>
  untilBuilt(context, live, {
    what: `${title} (${rest.collection.idOf(live)})`,
    collection: rest.collection,
    limitMs: undefined,
    isOurs: isNew,
    unfinished: unfinishedOutputs(rest, live, ["sourceVolumeId"]),
    afterFailure: isNew ? "Correct the arguments, and run `pulumi up` again, which makes a new one" : FAILED_STAYS,
    urn: urnIn({}, context.call),
  });

const clonedFromAnother = (what: string, from: unknown, declared: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what} cannot be adopted: it is ${typeof from === "string" ? `a clone of ${from}` : "no clone"}, not one of "${declared}". ` +
      "Correct sourceVolume, or declare its sizeBytes in place of sourceVolume",
  );

/** Nobody but a person can know whether it still has data: a new one would have none. */
const FAILED_STAYS =
  "It may still have its data. Repair it there, or delete it there if it has nothing to keep, run `pulumi refresh`, and then `pulumi up` again";
const GOING =
  "names a volume that is being deleted. Once it is gone, run `pulumi refresh`, and then `pulumi up`, which makes a new one";
const FAILED = `names a volume that has failed on the platform. ${FAILED_STAYS}`;

const MADE_OF = ["sizeBytes", "sourceVolume", "extra"];

/** Not "as it was" alone: after an import, a program has never had it. */
const asItWas = (was: Json | undefined): string =>
  was === undefined ? "Leave it out" : isObject(was) ? "Keep it as it was" : `Keep ${JSON.stringify(was)}`;

/** What a volume is made of cannot change under its name: the platform does not change it, and a replacement would not have the data. */
function lostData(before: JsonObject, after: JsonObject): Problem[] {
  const changed = changesBetween(sandboxVolumeTable.fieldRules, before, after).map(({ path }) => path[0]);
  return MADE_OF.filter((name) => changed.includes(name)).map((name) => ({
    path: [name],
    reason:
      `cannot change: a new volume would take its place, without its data. ${asItWas(before[name])} (where another resource gives it: by the option ` +
      "`ignoreChanges`), or declare another volume, under another name",
  }));
}
