import { join } from "node:path";
import { deployments } from "../../emulator";
import { onEmulator } from "../engine/on-emulator";
import { CANARIES, canary } from "../security/canary-values";
import { Gateway } from "../security/gateway";
import { runSeen, type Seen } from "../security/pulumi-run";
import { Search, spellingsOf } from "../security/search";
import { describeWithEngine } from "../support/with-engine";

const { configClient1, configSecret1, literalSecret1, literalSecret2, drifted } = CANARIES;
const apiKey = canary("config API key", 'Kc1"7/+&<kestrel-Qw8');
const SENT = [apiKey, configClient1, configSecret1, literalSecret1, literalSecret2];
const SECRETS = [...SENT, drifted];
const gateway = new Gateway(SECRETS);
const platform = onEmulator({
  buildSeconds: 0.2,
  secrets: "values",
  apiKey: apiKey.value,
  layers: [gateway],
  // A build that prints every secret that it was given, in every spelling.
  revisionLog: ({ sourceRevisionConfig: config }) =>
    config["image_uri"] === "emulator-fail-build"
      ? [...SENT.map(({ value }) => [...spellingsOf(value).values()].join(" ")), "Build failed"]
      : undefined,
});

const program = (literal: string, image = "a:1"): string => `
  const config = new pulumi.Config();
  const provider = new platform.OAuthProvider("github", {
    providerId: "github", name: "GitHub", clientId: "c", clientSecret: config.requireSecret("client"),
    authUrl: "https://a.example", tokenUrl: "https://a.example/${image}",
  });
  const agent = new platform.Deployment("agent", {
    source: "external_docker", sourceRevisionConfig: { imageUri: "${image}" },
    secrets: { FROM_CONFIG: config.requireSecret("deployment"), LITERAL: ${JSON.stringify(literal)} },
  });
  exports.secrets = agent.secrets;
  exports.token = agent.secrets.apply(({ LITERAL }) => "token " + LITERAL);
  exports.client = provider.clientSecret;
`;
/** Wrong arguments: on a secret itself, and beside one. */
const wrong = (literal: string): string => `
  new platform.Deployment("wrong", {
    source: "external_docker", sourceRevisionConfig: { imageUri: "a" }, environmentVariables: { TWICE: "a" },
    secrets: { LIST: [${JSON.stringify(literal)}], TWICE: ${JSON.stringify(literal)} },
  });
`;

describeWithEngine("secrets", () => {
  test("reach the platform, and are in nothing else that the commands leave, whatever fails", async () => {
    const search = new Search(SECRETS);
    const stack = await platform.stackOf(program(literalSecret1.value), {
      "test:client": configClient1.value,
      "test:deployment": configSecret1.value,
    });
    const runs: Seen[] = [];
    const run = async (name: string, ...args: string[]): Promise<Seen> => {
      const seen = await runSeen(stack, name, args, { events: name !== "outputs" });
      runs.push(seen);
      // After every run, since the next one overwrites what this one has left.
      search.lookIn("state file, its backups and history", join(stack.folder, "backend"));
      search.look("output", seen.stdout + seen.stderr);
      search.look("event log: secrets of the configuration", seen.events, ({ fromConfig }) => fromConfig);
      search.look("command lines", [...seen.commandLines].join("\n"));
      return seen;
    };
    const up = ["up", "--yes", "--skip-preview", "--continue-on-error"];
    expect((await run("up", ...up)).code).toBe(0);
    stack.write(program(literalSecret2.value));
    gateway.echoing = "own";
    const echoed = await run("up that fails, with the request in the answer", ...up);
    gateway.echoing = undefined;
    expect(echoed.stdout).toMatch(/answered 422: you sent .*\[secret\]/);
    stack.write(program(literalSecret2.value, "emulator-fail-build"));
    const failed = await run("up with a failed revision", ...up);
    expect(failed.stdout).toMatch(/The last lines of its build log[^]*\[secret\][^]*Build failed/);
    platform.emulator.outOfBand(deployments).change("agent", { secrets: [{ name: "LITERAL", value: drifted.value }] });
    expect((await run("refresh", "refresh", "--yes", "--diff", "--skip-preview")).stdout).toMatch(/secrets/);
    expect((await run("outputs", "stack", "output", "--json")).stdout).toMatch(/"token": "\[secret\]"/);
    stack.write(wrong(literalSecret1.value));
    const refused = await run("preview", "preview", "--diff");
    expect(refused.stdout + refused.stderr).toMatch(/secrets\.TWICE: is also in environmentVariables/);
    search.look("request log of the emulator", JSON.stringify(platform.emulator.requests));

    expect(runs.map(({ code }) => code === 0)).toEqual([true, false, false, true, true, false]);
    // The absence of a secret that never reached the platform would prove nothing. The drifted one comes from there.
    expect([...gateway.seen].sort()).toEqual(SENT.map(({ name }) => name).sort());
    expect(search.hits).toEqual([]);
  });
});
