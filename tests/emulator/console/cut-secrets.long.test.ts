import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { deployments } from "../../../emulator";
import { deploymentBody, githubBody, templateBody, text } from "../api";
import { serving } from "../../support/serving";
import { everyPage, rawRequest, visit, withoutEntities, type Visitor } from "./visitor";

describe("a secret in every field that a caller can set, so often that each cut falls inside of it", () => {
  const random = (length: number): string =>
    createHash("sha512").update(`${length}`).digest("base64url").replace(/[-_]/g, "x").slice(0, length);
  const apiKey = random(61);
  const walked = [
    apiKey,
    `https://robot:${random(20)}@hooks.walk.test/services/${random(40)}`,
    `https://files.walk.test/${random(30)}/archive?signature=${random(41)}`,
    `it's "${random(12)}" {${random(13)}} [%41] é🎉 <${random(14)}> & \\${random(15)}`,
    `-----BEGIN KEY-----\n${random(64)}\n${random(63)}\n-----END KEY-----`,
  ];
  const longTexts = walked.flatMap((secret) =>
    [0, 33].map((shift) => "x".repeat(shift) + secret.repeat(Math.ceil(1500 / secret.length))),
  );
  const printable = (words: string): string =>
    words.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

  /** What of a secret is worth something; schemes and frames are everybody's. */
  const pieces = walked.flatMap((secret) =>
    Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8)).filter(
      (part) => !/^https?:\/\/|--|(BEGIN|END) KEY|\n/.test(part),
    ),
  );
  /** The pieces that somebody reads in a page or an event, once HTML, a URL, JSON and a shell are undone. */
  const readIn = (page: string): string[] => {
    const plain = withoutEntities(page);
    const url = plain.replace(/(%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll("%", ""), "hex").toString());
    const json = plain.replaceAll(`'\\''`, "'").replace(/\\(["\\])/g, "$1");
    const looks = new Set([plain, url, json, json.replace(/\\(["\\])/g, "$1")]);
    return pieces.filter((piece) => [...looks].some((look) => look.includes(piece)));
  };

  let own: Visitor;
  let ownId: string;
  beforeAll(async () => {
    own = await visit({
      apiKey,
      agents: { own: await serving((request, response) => void answer(request, response)) },
      sourceRules: false,
      revisionLog: ({ deploymentName }) => {
        const long = longTexts[Number(deploymentName.split("-")[1])];
        return long === undefined ? undefined : [long, `failed with ${long}`];
      },
    });
    const secrets = walked.map((value, index) => ({ name: `SECRET_${index}`, value }));
    ownId = text(await made("/v2/deployments", { ...deploymentBody, name: "own", secrets }), "id");
    await own.get("/console");
    for (const [index, long] of longTexts.entries()) await makeAll(index, long);
    own.platform.advance(200);
    const [{ id: any } = { id: "" }] = own.platform.emulator.outOfBand(deployments).list().slice(-1);
    for (const long of longTexts) await askAll(long, any);
    for (const secret of walked) {
      const words = printable(`for ${secret}`);
      own.platform.emulator.faults.add({ kind: "status", status: 503, path: `/never/${secret}`, retryAfter: words });
      own.platform.emulator.faults.add({ kind: "wrong-content-type", path: "/never", contentType: words });
    }
  });
  afterAll(() => own.platform.emulator.close());

  async function made(path: string, body: object, method = "POST"): Promise<unknown> {
    const { status, body: answered } = await own.platform.call(method, path, { body });
    if (status < 300) return answered;
    throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answered).slice(0, 300)}`);
  }

  /** Objects of all types, with the text in each field but the name. */
  async function makeAll(index: number, long: string): Promise<void> {
    const commands = { repo_url: long, install_command: long, build_command: long, build_on_push: true };
    const github = {
      ...githubBody,
      name: `built-${index}`,
      source_config: { ...githubBody.source_config, ...commands },
      source_revision_config: { repo_ref: long, langgraph_config_path: long },
      secret_references: [{ name: long, secret_name: long, secret_key: long }],
      [long]: long,
    };
    const built = text(await made("/v2/deployments", github), "id");
    await made(`/v2/deployments/${built}`, { display_name: long }, "PATCH");
    const place = text(await made(`/v2/deployments/${built}/upload-url`, {}), "upload_url");
    await fetch(place, { method: "PUT", body: "code" });
    pieces.push(place.slice(-36));
    const image = {
      ...{ ...deploymentBody, name: `image-${index}`, secrets: [{ name: long, value: "short" }] },
      source_config: { resource_spec: { labels: { [long]: long }, service_account_name: long }, custom_url: long },
      source_revision_config: { image_uri: long },
    };
    const other = text(await made("/v2/deployments", image), "id");
    await made(`/v2/deployments/${other}/revisions`, { source_revision_config: { image_uri: `2${long}` } });
    const provider = { provider_id: `provider-${index}`, name: long, client_id: long };
    await made("/v2/auth/providers", { ...provider, auth_url: long, token_url: long });
    await made(`/v2/auth/providers/provider-${index}`, { allowed_redirect_uris: [long] }, "PATCH");
    const rule = { name: long, match_hosts: [long], inject_headers: { [long]: long }, match_paths: [long] };
    await made("/v2/sandboxes/templates", {
      ...{ ...templateBody, name: `template-${index}`, image: long },
      volume_mounts: [{ volume_name: long, mount_path: `/${long}` }],
      proxy_config: { rules: [rule], no_proxy: [long] },
    });
    const listener = { compute_type: "k8s", compute_id: `listener-${index}`, version: long };
    await made("/v2/listeners", { ...listener, compute_config: { k8s_namespaces: [long] } });
  }

  /** Requests with the text in path, query, headers and body, most of which are refused; threads, assistants and runs, of both kinds of agents. */
  async function askAll(long: string, deployment: string): Promise<void> {
    const { emulator } = own.platform;
    const parts = [encodeURI(long).replace(/[?&]/g, encodeURIComponent), encodeURIComponent(long)];
    for (const [at, part] of parts.entries()) {
      const headers = {
        "user-agent": "y".repeat(at) + Buffer.from(long.replaceAll("\n", " ")).toString("latin1"),
        "x-api-key": apiKey,
      };
      const address = `${emulator.url}/v2/deployments/${part}?name=${part}&${part}=1&name_contains=x${part}`;
      expect([404, 501]).toContain((await rawRequest(address, "GET", headers)).status);
    }
    const metadata = { [long]: long };
    const run = {
      assistant_id: "agent",
      input: { topic: long, messages: [{ type: "human", content: long }] },
      metadata,
    };
    for (const [path, body] of [
      ["/v2/sandboxes/templates", { name: long, image: 1, cpu: long, [long]: [{ source: long }] }],
      ["/v2/deployments", { ...deploymentBody, source_revision_config: { image_uri: [long] }, source: long }],
      ["/threads", { metadata, thread_id: long }],
      ["/threads", { metadata }],
      ["/assistants", { graph_id: "agent", name: long, metadata, context: { long } }],
      ["/runs/wait", run],
      ["/runs/wait", { ...run, assistant_id: long, stream_mode: [long] }],
    ] as const) {
      const agents = path.startsWith("/v2") ? [""] : [`/agents/${deployment}`, `/agents/${ownId}`];
      for (const before of agents) await own.platform.call("POST", before + path, { body });
    }
  }

  /** An agent of the user's own: what it does is asked for, with the number of a text. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const asked = /"(\w+) (\d+)"/.exec(Buffer.concat(parts).toString());
    const [, how = "", index = ""] = asked ?? [];
    const long = longTexts[Number(index)] ?? "";
    const says = (content: string): object => ({ messages: [{ type: "ai", content }] });
    const answers: Readonly<Record<string, object>> = {
      fails: { __error__: { error: long, message: long } },
      talks: says(long),
      stops: says(long.slice(0, 600)),
      shows: { topic: long, [long]: { [long]: [long] } },
    };
    response.writeHead(how in answers ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(answers[how] ?? { detail: `Incorrect API key provided: ${long}` }));
  }

  test("is on no page, and in no event", async () => {
    const paths = everyPage(own);
    expect(paths.length).toBeGreaterThan(250);
    const leaks: unknown[] = [];
    for (const path of paths) {
      const { status, text: page } = await own.get(`/console${path}`);
      const view = path.includes("?") ? "" : JSON.stringify(await own.view(path));
      const [onPage, inEvent] = [readIn(page), readIn(view)];
      if (status !== 200 || onPage.length + inEvent.length > 0) leaks.push([path, status, onPage[0], inEvent[0]]);
    }
    expect(leaks).toEqual([]);
  });

  test.each(["refuses", "fails", "talks", "stops", "shows"])("is in no answer of an agent that %s", async (how) => {
    for (const index of longTexts.keys()) {
      const { text: page } = await own.submit(`/console/deployments/${ownId}/ask`, { question: `${how} ${index}` });
      expect(page).toMatch(/<pre id="answer"[^>]*>./);
      expect([index, ...readIn(page)]).toEqual([index]);
    }
  });
});
