import { sameJson, withoutNullKeys, type Json, type JsonObject } from "../../base/json";
import type { Problem } from "../../lifecycle/fields/fields";
import type { Fields } from "../../lifecycle/fields/table";
import { count, entries, json, list, number, object, record, text, value } from "../../lifecycle/fields/types";
import { CORES } from "./sources";

// docs/internals/platform.md, resource_spec. A row with a rule of its own has to repeat the rule of the whole spec, because it no longer inherits it.
const UNMANAGED = { onRemove: "unmanage" } as const;

/** The platform rounds cores to one decimal. */
const sameCores = (a: Json, b: Json): boolean =>
  typeof a === "number" && typeof b === "number" && Math.round(a * 10) === Math.round(b * 10);
/** Rows that count cores. */
const counting =
  (whose: "CPUs" | "CPU limit", { least, most }: Readonly<Record<"least" | "most", number>>) =>
  (what: string, otherwise?: string) => {
    const defaults = otherwise === undefined ? "" : ` Defaults to ${otherwise}.`;
    const description = `${whose} ${what}, ${least} to ${most}.${defaults}`;
    return { type: number(), description, equal: sameCores, ...UNMANAGED } as const;
  };
const cores = counting("CPUs", CORES.request);
const coresLimit = counting("CPU limit", CORES.limit);

/** Objects in the form of Kubernetes, passed through as they are. In an answer, null means that a key is not set. */
const kubernetes = {
  type: list(record(json())),
  ...UNMANAGED,
  equal: (a: Json, b: Json) => sameJson(withoutNullKeys(a), withoutNullKeys(b)),
} as const;

const imagePullSecret = object({ name: { type: text(253), description: "The secret's name.", required: true } });

export const resourceSpecFields = {
  minScale: { type: count(0), description: "Minimum number of instances." },
  maxScale: { type: count(1), description: "Maximum number of instances." },
  cpu: cores("per instance"),
  cpuLimit: coresLimit("per instance", "twice `cpu`"),
  memoryMb: { type: count(1), description: "Memory per instance, in MB." },
  memoryLimitMb: { type: count(1), description: "Memory limit per instance, in MB." },
  queueMinScale: { type: count(0), description: "Minimum number of queue workers. Defaults to `minScale`." },
  queueMaxScale: { type: count(1), description: "Maximum number of queue workers. Defaults to `maxScale`." },
  queueCpu: cores("per queue worker", "`cpu`"),
  queueCpuLimit: coresLimit("per queue worker", "`cpuLimit`"),
  queueMemoryMb: { type: count(1), description: "Memory per queue worker, in MB. Defaults to `memoryMb`." },
  queueMemoryLimitMb: {
    type: count(1),
    description: "Memory limit per queue worker, in MB. Defaults to `memoryLimitMb`.",
  },
  orchestratorMinScale: { type: count(0), description: "Minimum number of orchestrators." },
  orchestratorMaxScale: { type: count(1), description: "Maximum number of orchestrators." },
  orchestratorCpu: cores("per orchestrator"),
  orchestratorCpuLimit: coresLimit("per orchestrator"),
  orchestratorMemoryMb: { type: count(1), description: "Memory per orchestrator, in MB." },
  orchestratorMemoryLimitMb: { type: count(1), description: "Memory limit per orchestrator, in MB." },
  executorCpu: cores("per executor"),
  executorCpuLimit: coresLimit("per executor"),
  executorMemoryMb: { type: count(1), description: "Memory per executor, in MB." },
  executorMemoryLimitMb: { type: count(1), description: "Memory limit per executor, in MB." },
  redisCpu: cores("of Redis"),
  redisCpuLimit: coresLimit("of Redis"),
  redisMemoryMb: { type: count(1), description: "Memory of Redis, in MB." },
  redisMemoryLimitMb: { type: count(1), description: "Memory limit of Redis, in MB." },
  dbCpu: cores("of the database"),
  dbCpuLimit: coresLimit("of the database"),
  dbMemoryMb: { type: count(1), description: "Memory of the database, in MB." },
  dbMemoryLimitMb: { type: count(1), description: "Memory limit of the database, in MB." },
  dbStorageGi: { type: count(1), description: "Storage of the database, in GiB." },
  dbMaxConnections: { type: count(1), description: "Maximum number of connections to the database." },
  labels: { type: entries(text()), description: "Labels of the instances." },
  annotations: { type: entries(value()), description: "Annotations of the instances." },
  serviceAccountName: { type: text(253), description: "The service account that the instances run as." },
  imagePullSecrets: {
    type: list(imagePullSecret),
    description: "Secrets of the cluster for pulling images.",
  },
  volumes: { ...kubernetes, description: "Volumes of the pods, as in Kubernetes." },
  volumeMounts: { ...kubernetes, description: "Mounts of those volumes, as in Kubernetes." },
  initContainers: {
    ...kubernetes,
    description: "Containers that run before the agent server, as in Kubernetes.",
  },
  sidecars: { ...kubernetes, description: "Containers that run beside the agent server, as in Kubernetes." },
} as const satisfies Fields;

/** Rules that no row can express: a limit is at least what it limits. */
export function leastAboveMost(spec: JsonObject): Problem[] {
  const pairs = [
    ["minScale", "maxScale"],
    ["cpu", "cpuLimit"],
    ["memoryMb", "memoryLimitMb"],
  ] as const;
  return pairs.flatMap(([low, high]) => {
    const [a, b] = [spec[low], spec[high]];
    const isAbove = typeof a === "number" && typeof b === "number" && a > b;
    return isAbove ? [{ path: [high], reason: `must be at least ${low}` }] : [];
  });
}
