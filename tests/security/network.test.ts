import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { AgentClient } from "../../provider/streaming/client";
import { newFolder } from "../support/new-folder";
import { makeCertificates } from "./certificates";
import { closeAll, listen, type LoopbackServer } from "./loopback";

const ROOT = join(__dirname, "..", "..");
const KEY = "canary-api-key-Zq8";

// The real provider, as the plugin loads it, in a process of its own: Node reads NODE_EXTRA_CA_CERTS at its start.
const READ = `
  const handler = require("./dist/provider").handlers.OAuthProvider;
  handler.read("p", {}).then(
    ({ props }) => console.log("read " + props.name),
    (error) => console.log("failed: " + error.message),
  );
`;
const provider = JSON.stringify({ provider_id: "p", name: "Tracker" });

/** Reads an OAuth provider of the platform at this address, and returns the result. */
async function read(baseUrl: string, environment: Record<string, string> = {}): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(AGENT_PLATFORM_|NODE_)|_proxy$/i.test(name));
  const child = spawn(process.execPath, ["-e", READ], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...Object.fromEntries(inherited),
      AGENT_PLATFORM_BASE_URL: baseUrl,
      AGENT_PLATFORM_API_KEY: KEY,
      AGENT_PLATFORM_ALLOW_INSECURE: "true",
      ...environment,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  await once(child, "close");
  expect(output).not.toContain("canary");
  return output.trim();
}

const platform = (certificate?: { key: string; cert: string }): Promise<LoopbackServer> =>
  listen(
    (_request, response) => response.writeHead(200, { "content-type": "application/json" }).end(provider),
    certificate,
  );

let folder: string;
beforeAll(() => (folder = newFolder()));
afterEach(closeAll);

describe("HTTPS with a private CA", () => {
  test("works through NODE_EXTRA_CA_CERTS; without it, and for another host, the reason is clear and nothing is sent", async () => {
    const certificates = makeCertificates(folder, ["localhost", "platform.test"]);
    if (certificates === undefined) {
      console.warn("no openssl: certificates are not tested");
      return;
    }
    const trusting = { NODE_EXTRA_CA_CERTS: certificates.caFile };
    const server = await platform(certificates);
    expect(await read(`https://localhost:${server.port}`, trusting)).toBe("read Tracker");
    expect(server.seen.map(({ headers }) => headers["x-api-key"])).toEqual([KEY]);

    const unknown = await read(`https://localhost:${server.port}`);
    expect(unknown).toMatch(
      /^failed: GET \/v2\/auth\/providers\/p was not sent: the certificate at the base URL is not trusted/,
    );
    expect(unknown).toMatch(
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE.*NODE_EXTRA_CA_CERTS to the path of that CA's certificate \(PEM\)$/,
    );
    // Once: a second try would meet the same certificate.
    expect(unknown).not.toContain("tried");
    expect(await read(`https://127.0.0.1:${server.port}`, trusting)).toMatch(
      /is not trusted: .*ERR_TLS_CERT_ALTNAME_INVALID/,
    );
    // An agent's certificate is told in the same words.
    await expect(new AgentClient({ url: `https://localhost:${server.port}`, apiKey: KEY }).ok()).rejects.toThrow(
      /^GET \/ok was not sent: the certificate at the base URL is not trusted: .*UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    );
    expect(server.seen).toHaveLength(1);

    await viaTunnel(server, trusting);
  });

  /** A name that only the proxy knows: reached through CONNECT, with the key inside of the tunnel alone. */
  async function viaTunnel(server: LoopbackServer, trusting: Record<string, string>): Promise<void> {
    const asked: string[] = [];
    const proxy = await listen((_request, response) => response.writeHead(500).end());
    proxy.server.on("connect", (request, socket) => {
      asked.push(`${request.method ?? ""} ${request.url ?? ""} ${JSON.stringify(request.headers)}`);
      const onward = connect(server.port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on("error", () => undefined);
    });
    const environment = { ...trusting, HTTPS_PROXY: `http://${proxy.host}` };
    expect(await read("https://platform.test", environment)).toBe("read Tracker");
    expect(asked).toEqual([expect.stringMatching(/^CONNECT platform\.test:443 /)]);
    expect(asked.join()).not.toContain("canary");
    expect(proxy.seen).toEqual([]);
    expect(server.seen).toHaveLength(2);
  }
});

describe("proxies of the environment", () => {
  test.each(["HTTP_PROXY", "http_proxy"])("%s sees the request for another host", async (name) => {
    const proxy = await platform();
    expect(await read("http://platform.test", { [name]: `http://${proxy.host}` })).toBe("read Tracker");
    expect(proxy.seen.map(({ line }) => line)).toEqual(["GET http://platform.test/v2/auth/providers/p"]);
  });

  test("a proxy that wants a password gets it, and no error shows it", async () => {
    const proxy = await listen((_request, response) => response.writeHead(407).end("who are you?"));
    const message = await read("http://platform.test", { HTTP_PROXY: `http://me:canary-password@${proxy.host}` });
    expect(message).toMatch(
      /^failed: OAuthProvider p: read failed: GET \/v2\/auth\/providers\/p answered 407: the proxy wants other credentials: put user and password into its address in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY\. The state is unchanged; run the command again$/,
    );
    expect(message).not.toContain("canary-password");
    expect(proxy.seen[0]?.headers["proxy-authorization"]).toBe(
      `Basic ${Buffer.from("me:canary-password").toString("base64")}`,
    );
  });

  test("NO_PROXY goes past it", async () => {
    const proxy = await platform();
    const server = await platform();
    // The same interface under a name that we do not count as loopback, so that only NO_PROXY can keep the proxy out.
    const baseUrl = `http://0.0.0.0:${server.port}`;
    const through = { HTTP_PROXY: `http://${proxy.host}` };
    expect(await read(baseUrl, through)).toBe("read Tracker");
    expect([proxy.seen.length, server.seen.length]).toEqual([1, 0]);
    expect(await read(baseUrl, { ...through, NO_PROXY: "other.test,0.0.0.0" })).toBe("read Tracker");
    expect([proxy.seen.length, server.seen.length]).toEqual([1, 1]);
  });

  test("a request to this machine never goes through a proxy, which would get the key in plain text", async () => {
    const proxy = await platform();
    const server = await platform();
    for (const host of ["127.0.0.1", "localhost"]) {
      expect(await read(`http://${host}:${server.port}`, { HTTP_PROXY: `http://${proxy.host}` })).toBe("read Tracker");
    }
    expect([proxy.seen.length, server.seen.length]).toEqual([0, 2]);
  });
});
