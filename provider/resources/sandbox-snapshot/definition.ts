import { z } from "zod";
import { textOfJson } from "../../base/json";
import { durationMs } from "../../base/time";
import { NO_BODY } from "../../http/request";
import { segment } from "../../http/segment";
import { toInputNames, toRequest } from "../../lifecycle/fields/rename";
import { urnOfResource } from "../../lifecycle/identity/create";
import { digest } from "../../lifecycle/identity/origin";
import type { Live } from "../../lifecycle/rest/addressed";
import { BUILT, buildProblem, untilBuilt } from "../../lifecycle/rest/built";
import { restResource } from "../../lifecycle/rest/rest-resource";
import { sandboxRegistry } from "../sandbox-registry/definition";
import { OWN_LABEL, sandboxSnapshotTable, type SandboxSnapshotInputs } from "./fields";

const { fields } = sandboxSnapshotTable;
const PATH = "/v2/sandboxes/snapshots";
const ANSWER = {
  ...BUILT,
  tags: z.array(z.string()).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
};
const answerOf = (live: Live) => z.object(ANSWER).parse(live);
const tagOf = ({ tag }: { readonly tag?: unknown }): string => (typeof tag === "string" ? tag : fields.tag.default);
/** The first half of its key names the resource. */
const isMadeBy = (live: Live, urn: string): boolean =>
  answerOf(live).labels?.[OWN_LABEL]?.split("-")[0] === digest(urn, 12);

/** A snapshot, once it is built. A label on it tells which resource, and which of its inputs, it was made for. */
export const sandboxSnapshot = restResource<SandboxSnapshotInputs>({
  api: "sandbox",
  table: sandboxSnapshotTable,
  naturalKey: "name",
  path: PATH,
  alias: (name, inputs) => (inputs === undefined ? name : `${name}:${tagOf(inputs)}`),
  items: "snapshots",
  answer: ANSWER,
  undocumented: ["list", "create", "read", "update", "delete"],
  references: [
    {
      path: ["registryId"],
      one: "sandbox registry",
      observe: (context, id) => sandboxRegistry.observe(context, { id }),
      remedy: "Correct the id, or declare the SandboxRegistry and use its id",
    },
  ],

  body: ({ labels, ...inputs }, ownKey) => toRequest(fields, { ...inputs, labels: { ...labels, [OWN_LABEL]: ownKey } }),
  own: {
    of: (urn, { buildTimeout: _limit, adopt: _adopt, __progressUrn: _row, ...inputs }) =>
      `${digest(urn, 12)}-${digest(textOfJson(inputs), 12)}`,
    isOfInputs: true,
    filters: (ownKey) => ({ label: `${OWN_LABEL}=${ownKey}` }),
    has: (live, ownKey) => answerOf(live).labels?.[OWN_LABEL] === ownKey,
    isOfUse(live, inputs) {
      const { status, tags } = answerOf(live);
      // One that has lost its tag does not get it back.
      return status === "building" || (status === "ready" && tags?.includes(tagOf(inputs)) === true);
    },
    isMadeBy,
    async giveWay(context, { id, live }, inputs) {
      const urn = urnOfResource(context, inputs);
      // Left by an attempt that was cut off: nobody needs it.
      const isOfNoUse = answerOf(live).status === "failed" && isMadeBy(live, urn);
      if (isOfNoUse) await context.send({ method: "DELETE", path: `${PATH}/${segment(id)}` }, NO_BODY);
      else context.log.info(`${inputs.name}:${tagOf(inputs)} moves from snapshot ${id} to a new one`, urn);
    },
  },
  settle(context, { id, live }, inputs) {
    const urn = urnOfResource(context, inputs);
    return untilBuilt(context, live, {
      what: `SandboxSnapshot "${inputs.name}:${tagOf(inputs)}" (${id})`,
      path: PATH,
      limitMs: durationMs(inputs.buildTimeout ?? ""),
      limit: "buildTimeout",
      isOurs: isMadeBy(live, urn),
      urn,
    });
  },

  toInputs(live, outputs) {
    const { status, tags, labels } = answerOf(live);
    const { [OWN_LABEL]: _key, ...own } = labels ?? {};
    // One that is being built may get its tag at the end.
    const other = status === "building" ? undefined : tags && (tags[0] ?? "");
    const tag = tags?.includes(tagOf(outputs)) ? tagOf(outputs) : other;
    return { ...toInputNames(fields, live), tag, labels: own };
  },
  toProblem(live, outputs) {
    const { status, tags } = answerOf(live);
    const hasTag = status !== "ready" || tags?.includes(tagOf(outputs)) !== false;
    return buildProblem(live) ?? (hasTag ? undefined : `another snapshot has its tag, ${tagOf(outputs)}`);
  },
  problemReplaces: true,
  toDetails: (live) => ({ status: answerOf(live).status ?? null }),
  isBeingDeleted: (live) => answerOf(live).status === "deleting",
});
