import { z } from "zod";
import { ManualClock, startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** The rest of a request besides method and path. `body` goes out as JSON, `text` as it is. */
export interface Sent {
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An emulator on a real port, with a clock that the test moves. */
export interface Platform {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  /** Moves the clock on by seconds. */
  advance(seconds: number): void;
  call(method: string, path: string, sent?: Sent): Promise<Answer>;
}

const started: Emulator[] = [];
afterAll(() => Promise.all(started.map((emulator) => emulator.close())));

/** A new one for each test of a suite. */
export function platformForTests(options: EmulatorOptions = {}): Platform {
  let platform: Platform;
  beforeEach(async () => void (platform = await startPlatform(options)));
  afterEach(() => platform.emulator.close());
  return {
    get emulator() {
      return platform.emulator;
    },
    get clock() {
      return platform.clock;
    },
    advance: (seconds) => platform.advance(seconds),
    call: (...asked) => platform.call(...asked),
  };
}

/** Closes with the suite. */
export async function startPlatform(options: EmulatorOptions = {}): Promise<Platform> {
  const clock = new ManualClock();
  const emulator = await startEmulator({ clock, buildSeconds: 100, ...options });
  started.push(emulator);
  const call = async (method: string, path: string, sent: Sent = {}): Promise<Answer> => {
    const content = sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const response = await fetch(`${emulator.url}${path}`, {
      method,
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json", ...sent.headers },
      ...(content === undefined ? {} : { body: content }),
    });
    const answered = await response.text();
    const body: unknown = answered === "" ? undefined : JSON.parse(answered);
    return { status: response.status, body, headers: response.headers };
  };
  return { emulator, clock, call, advance: (seconds) => clock.advance(seconds * 1000) };
}

/** One field of an object that a test knows to be there. */
export function field(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    const container = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).parse(current);
    current = new Map(Object.entries(container)).get(String(step));
  }
  return current;
}

/** An object that a test knows to be one. */
export function record(value: unknown): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(value);
}

/** The same, for a text. */
export function text(value: unknown, ...path: readonly (string | number)[]): string {
  return z.string().parse(field(value, ...path));
}

/** The records of a validation error, which answers 422, as "loc: type". */
export function problems(answer: Answer): string[] {
  expect(answer.status).toBe(422);
  const problemSchema = z.object({
    loc: z.array(z.union([z.string(), z.number()])),
    msg: z.string().min(1),
    type: z.string(),
  });
  const { detail } = z.object({ detail: z.array(z.strictObject(problemSchema.shape)) }).parse(answer.body);
  return detail.map(({ loc, type }) => `${loc.join(".")}: ${type}`);
}

export const deploymentBody = {
  name: "triage",
  source: "external_docker",
  source_config: { resource_spec: { cpu: 2 } },
  source_revision_config: { image_uri: "registry.example/triage:1" },
  secrets: [{ name: "MODEL_KEY", value: "deployment-canary" }],
};

/** The quantities of a resource_spec, and its other fields. */
export const SPEC_QUANTITIES = [
  ...["min_scale", "max_scale", "cpu", "cpu_limit", "memory_mb", "memory_limit_mb"],
  ...["queue_min_scale", "queue_max_scale", "queue_cpu", "queue_cpu_limit", "queue_memory_mb"],
  ...["queue_memory_limit_mb", "redis_cpu", "redis_cpu_limit", "redis_memory_mb", "redis_memory_limit_mb"],
  ...["orchestrator_min_scale", "orchestrator_max_scale", "orchestrator_cpu", "orchestrator_cpu_limit"],
  ...["orchestrator_memory_mb", "orchestrator_memory_limit_mb", "executor_cpu", "executor_cpu_limit"],
  ...["executor_memory_mb", "executor_memory_limit_mb"],
  ...["db_cpu", "db_cpu_limit", "db_memory_mb", "db_memory_limit_mb", "db_storage_gi", "db_max_connections"],
];
const SPEC_OTHERS = [
  ...["labels", "annotations", "service_account_name", "image_pull_secrets", "volumes", "volume_mounts"],
  ...["init_containers", "sidecars"],
];

/** A resource_spec as the platform answers it: what is not set is null. */
export const completeSpec = (set: object): object => ({
  ...Object.fromEntries([...SPEC_QUANTITIES, ...SPEC_OTHERS].map((name) => [name, null])),
  ...{ min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 },
  ...set,
});

export const githubBody = {
  name: "desk",
  source: "github",
  source_config: {
    integration_id: "8f3c2d1e-5b4a-4f60-9d7e-1a2b3c4d5e6f",
    repo_url: "https://github.com/example/agents",
    deployment_type: "dev",
    build_on_push: false,
  },
  source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  secrets: [],
};

export const providerBody = {
  provider_id: "tracker",
  name: "Tracker",
  client_id: "client-1",
  client_secret: "client-canary",
  auth_url: "https://tracker.example/authorize",
  token_url: "https://tracker.example/token",
};

export const templateBody = {
  name: "python",
  image: "registry.example/python:3.12",
  resources: { cpu: "500m", memory: "512Mi", storage: "1Gi" },
};

/** Matchers, typed: those of jest are `any`. */
export const anyHeaders: unknown = expect.any(Headers);
export const anyText: unknown = expect.any(String);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const containing = (part: string): unknown => expect.stringContaining(part);
export const uuid: unknown = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
