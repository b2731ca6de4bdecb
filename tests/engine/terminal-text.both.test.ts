import { spawnSync } from "node:child_process";
import type { Layer } from "../../emulator";
import { runProcess } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

// What `pulumi` prints of texts from elsewhere: the provider has one door to the engine, and each of these takes another way to it.

/** A title of the window, a colour, the one-character forms of both (C1), and a mark that reverses the line. */
const COMMANDS = "\x1b]0;owned\x07\x1b[31m\x9d0;owned\x9c\x9b31m\u202e<{%reset%}>";
const OBEYED = /[^\P{Cc}\n\t\r]|[\u202a-\u202e\u2066-\u2069]/u;

/** The rows of a wait take a terminal: script is one. What is printed goes elsewhere, so that the engine adds no colours. */
const hasScript = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** Statuses as no emulator has them, each once; the refusal of a provider; an agent whose events and errors steer. */
const layer: Layer = {
  beforeRoute({ request: { method, url } }) {
    const { pathname } = new URL(url);
    if (method === "POST" && pathname === "/v2/auth/providers")
      return Promise.resolve(json({ detail: `bad${COMMANDS}` }, 422));
    if (!pathname.endsWith("/runs/stream")) return Promise.resolve(undefined);
    const events = [
      ["metadata", { run_id: "r-1" }],
      [`values|node${COMMANDS}`, { text: `said${COMMANDS}` }],
      [`updates`, { [`node${COMMANDS}`]: {} }],
      ["error", { error: `ValueError${COMMANDS}`, message: `lost${COMMANDS}` }],
    ] as const;
    const body = events
      .map(([name, data]) => `event: ${name.replace("\r", "")}\ndata: ${JSON.stringify(data)}\n\n`)
      .join("");
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  },
  async afterCommit({ request: { method, url } }, response) {
    const { pathname } = new URL(url);
    const isWatched = /\/revisions\/[^/]+$|\/snapshots\/[^/]+$/.test(pathname);
    if (method !== "GET" || !isWatched || steered.has(pathname)) return response;
    steered.add(pathname);
    const text = await response.text();
    return new Response(
      text.replace(/"status":"[^"]*"/, () => `"status":${JSON.stringify(`WARMING${COMMANDS}`)}`),
      response,
    );
  },
};
const steered = new Set<string>();
const platform = onEmulator({ buildSeconds: 0.2, layers: [layer] });

const PROGRAM = `
  const desk = new platform.Deployment("desk", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } });
  new platform.RunCheck("answers", { deployment: desk, assistantId: "agent", showData: true, expect: { modes: ["values"] } });
  new platform.SandboxSnapshot("python", { dockerImage: "python:3.12", fsCapacityBytes: 1_000_000_000 });
  new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: "s3cret-1", authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
  });
`;

(hasScript ? describeWithEngine : describe.skip)("no text from elsewhere steers the terminal of `pulumi up`", () => {
  test("statuses of revisions and snapshots, refusals, names of events and nodes, and errors of an agent", async () => {
    const stack = await platform.stackOf(PROGRAM);
    const environment = { ...stack.environment, CI: undefined };
    const up = `'${stack.pulumi}' --non-interactive up --yes --skip-preview --continue-on-error 2>&1 | cat`;
    const { output } = await runProcess("script", ["-qec", up, "/dev/null"], stack.folder, { environment });
    expect(OBEYED.exec(output)).toBeNull();
    for (const shown of [
      /desk .*WARMING/,
      /python .*WARMING/,
      /answered 422: bad/,
      /ValueError.*: lost/,
      /values node.*: /,
    ])
      expect(output).toMatch(shown);
    expect(steered.size).toBeGreaterThanOrEqual(2);
  });
});
