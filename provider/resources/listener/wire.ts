import { z } from "zod";
import { compact, type JsonObject } from "../../base/json";
import { toInputNames, toRequest } from "../../lifecycle/fields/rename";
import { listenerTable, type ListenerInputs } from "./fields";

/** What is needed of an answer (docs/internals/platform.md, Listeners). */
export const ListenerWire = z.looseObject({
  id: z.string().min(1),
  compute_type: z.string().optional().catch(undefined),
  compute_id: z.string().optional().catch(undefined),
  compute_config: z
    .looseObject({ k8s_namespaces: z.array(z.string()).nullish() })
    .nullish()
    .catch(undefined),
  version: z.string().nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
});
export type ListenerWire = z.infer<typeof ListenerWire>;

const { fields } = listenerTable;

/** The request of a creation: the platform has no default for compute_type. */
export const toWire = (inputs: ListenerInputs): JsonObject =>
  toRequest(fields, { computeType: fields.computeType.default, ...compact({ ...inputs }) });

/** The request of an update, which clears what is not declared any more. */
export const toPatch = ({ computeConfig, extra }: ListenerInputs): JsonObject =>
  toRequest(fields, { computeConfig: { k8sNamespaces: null, ...compact({ ...computeConfig }) }, extra });

/** A live listener in the vocabulary of the inputs. */
export const toInputs = (live: ListenerWire): JsonObject => toInputNames(fields, live);
