import { sameJson, sameMembers, withoutNullKeys, type Json, type JsonObject } from "../../base/json";
import type { Problem } from "../../lifecycle/fields/fields";
import type { Fields } from "../../lifecycle/fields/table";
import { anyText, count, entries, json, list, number, object, record, text } from "../../lifecycle/fields/types";
import { CORES } from "./sources";

// docs/internals/platform.md, resource_spec. All rows have this from the whole spec; those that repeat it say so in their comments too.
const UNMANAGED = { onRemove: "unmanage" } as const;

/** The platform rounds cores to one decimal, in Python: of 0.25, half way between two, it makes the even one, 0.2. */
const rounded = (cores: number): string => (cores % 1 === 0.25 ? cores - 0.05 : cores).toFixed(1);
const sameCores = (a: Json, b: Json): boolean =>
  typeof a === "number" && typeof b === "number" && rounded(a) === rounded(b);
/** Rows that count cores. */
const cores = (description: string, { least, most }: Readonly<Record<"least" | "most", number>>) =>
  ({ type: number(), description: `${description}, ${least} to ${most}.`, equal: sameCores, ...UNMANAGED }) as const;

// Rows of the same meaning have the same description: the reference shows them as one.
const fewest = { type: count(0), description: "The fewest instances." } as const;
const most = { type: count(1), description: "The most instances." } as const;
const cpu = cores("CPUs of an instance", CORES.request);
const cpuLimit = cores("The limit of its CPUs (for `cpuLimit`, twice `cpu` by default)", CORES.limit);
const memory = { type: count(1), description: "Memory of an instance, in MB." } as const;
const memoryLimit = { type: count(1), description: "The limit of its memory, in MB." } as const;

/** Objects in the form of Kubernetes, passed through as they are. In an answer, null means that a key is not set. */
const kubernetes = {
  type: list(record(json())),
  ...UNMANAGED,
  equal: (a: Json, b: Json) => sameJson(withoutNullKeys(a), withoutNullKeys(b)),
} as const;

const imagePullSecret = object({ name: { type: text(253), description: "The secret's name.", required: true } });

export const resourceSpecFields = {
  minScale: fewest,
  maxScale: most,
  cpu,
  cpuLimit,
  memoryMb: memory,
  memoryLimitMb: memoryLimit,
  queueMinScale: fewest,
  queueMaxScale: most,
  queueCpu: cpu,
  queueCpuLimit: cpuLimit,
  queueMemoryMb: memory,
  queueMemoryLimitMb: memoryLimit,
  orchestratorMinScale: fewest,
  orchestratorMaxScale: most,
  orchestratorCpu: cpu,
  orchestratorCpuLimit: cpuLimit,
  orchestratorMemoryMb: memory,
  orchestratorMemoryLimitMb: memoryLimit,
  executorCpu: cpu,
  executorCpuLimit: cpuLimit,
  executorMemoryMb: memory,
  executorMemoryLimitMb: memoryLimit,
  redisCpu: cpu,
  redisCpuLimit: cpuLimit,
  redisMemoryMb: memory,
  redisMemoryLimitMb: memoryLimit,
  dbCpu: cpu,
  dbCpuLimit: cpuLimit,
  dbMemoryMb: memory,
  dbMemoryLimitMb: memoryLimit,
  dbStorageGi: { type: count(1), description: "Storage of the database, in GiB." },
  dbMaxConnections: { type: count(1), description: "The most connections to the database." },
  labels: { type: entries(text()), description: "Labels of the instances." },
  annotations: { type: entries(anyText()), description: "Annotations of the instances." },
  serviceAccountName: { type: text(253), description: "The service account that the instances run as." },
  imagePullSecrets: {
    type: list(imagePullSecret),
    description: "Secrets of the cluster for pulling images.",
    ...UNMANAGED,
    equal: sameMembers,
  },
  volumes: { ...kubernetes, description: "Volumes of the pods and their mounts, as in Kubernetes." },
  volumeMounts: { ...kubernetes, description: "Volumes of the pods and their mounts, as in Kubernetes." },
  initContainers: {
    ...kubernetes,
    description: "Containers that run before the agent server, as in Kubernetes.",
  },
  sidecars: { ...kubernetes, description: "Containers that run beside the agent server, as in Kubernetes." },
} as const satisfies Fields;

/** Rules that no row can express: a limit is at least what it limits. */
export function* leastAboveMost(spec: JsonObject): Generator<Problem> {
  for (const [low, high] of Object.entries({ minScale: "maxScale", cpu: "cpuLimit", memoryMb: "memoryLimitMb" })) {
    const [a, b] = [spec[low], spec[high]];
    if (typeof a === "number" && typeof b === "number" && a > b)
      yield { path: [high], reason: `must be at least ${low}` };
  }
}
