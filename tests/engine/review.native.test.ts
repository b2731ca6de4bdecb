import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { cliCommand } from "../support/cli-command";
import { newFolder } from "../support/new-folder";
import { onEmulator } from "./on-emulator";

// The recorded previews are checked in tests/review; here the engine is there.

const platform = onEmulator({ buildSeconds: 0 });
const Request = z.object({ method: z.string(), certain: z.boolean() });
const Reviewed = z.object({ objects: z.array(z.object({ name: z.string(), requests: z.array(Request) })) });
let elsewhere: string;
beforeAll(() => {
  elsewhere = newFolder();
});

describeWithEngine("pulumi-agent-platform review", () => {
  test("names what the program has made secret, and shows no value of it", async () => {
    const declared = (shown: string, secret: string): string => `
      new platform.Deployment("desk", {
        source: "external_docker",
        sourceRevisionConfig: { imageUri: "a:1" },
        displayName: "${shown}",
        environmentVariables: { GREETING: pulumi.secret("${secret}") },
      });`;
    const stack = await platform.stackOf(declared("one", "canary-one"), {}, "native");
    ok(await stack.up());
    stack.write(declared("two", "canary-two"));
    const { stdout } = await cliCommand(stack, "review");
    expect(stdout).toMatch(/displayName +"one" +-> "two"\n +environmentVariables +\[secret\] +-> changes/);
    expect(stdout).not.toContain("canary");
  });

  test("what cannot be reviewed is one sentence with the way out, exit code 1", async () => {
    const stack = await platform.stackOf(`new platform.SandboxTemplate("box", { resources: {} });`);
    const { environment, folder } = stack;
    // An engine that does not know streamed events prints something else.
    const old = join(elsewhere, "old");
    mkdirSync(old);
    writeFileSync(join(old, "pulumi"), "#!/bin/sh\necho '{'\n", { mode: 0o755 });
    writeFileSync(join(elsewhere, "empty.ndjson"), "");
    const failures: [string, Pick<CliStack, "folder" | "environment">, string[], RegExp][] = [
      [
        "no such stack",
        stack,
        ["--stack", "nobody"],
        /stack "nobody" could not be previewed.*no stack named 'nobody'.*Fix that/s,
      ],
      ["no project", { folder: elsewhere, environment }, [], /which stack is selected\..*Choose one with --stack/s],
      [
        "an old engine",
        { folder, environment: { ...environment, PATH: old } },
        ["--stack", "test"],
        /not the stream of events.*`pulumi version`/,
      ],
      [
        "no events",
        stack,
        ["--events", join(elsewhere, "empty.ndjson")],
        /there are no events of a preview: save them with --save/,
      ],
      ["no such file", stack, ["--events", "nowhere"], /--events: nowhere cannot be read/],
    ];
    for (const [what, where, args, reason] of failures) {
      const { code, stdout, stderr } = await cliCommand(where, "review", "--format", "markdown", ...args);
      expect([what, code, stdout]).toEqual([what, 1, ""]);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
    const unknown = await cliCommand(stack, "review", "--fail-on", "creation");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/replacement, deletion/);
    const failed = await cliCommand(stack, "review", "--output", join(elsewhere, "failed.txt"));
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^error: SandboxTemplate box: .*image: is required/);
    expect(readFileSync(join(elsewhere, "failed.txt"), "utf8")).toMatch(
      /^error: .*image: is required[^]*The preview of stack test failed/,
    );
    expect(existsSync(join(elsewhere, "nowhere"))).toBe(false);
  });

  const box = `image: "python:3.12", resources: { cpu: "1", memory: "1Gi" }`;
  const templates = `
    const kept = new platform.SandboxTemplate("kept", { ${box} }, { retainOnDelete: true });
    const gone = new platform.SandboxTemplate("gone", { ${box} });
    new platform.SandboxTemplate("with-kept", { ${box} }, { deletedWith: kept });
    new platform.SandboxTemplate("with-gone", { ${box} }, { deletedWith: gone });
  `;
  const adopting = `
    const there = new platform.Platform("there", {});
    new platform.SandboxTemplate("new", { name: "gone", adopt: true, ${box} }, { provider: there });
  `;
  const snapshot = (tag: string): string =>
    `new platform.SandboxSnapshot("python", { dockerImage: "a:${tag}", fsCapacityBytes: 1000 });`;
  const [volumes, volume] = ["/v2/sandboxes/volumes", 'new platform.SandboxVolume("data", { sizeBytes: 1000 });'];
  const left = (stack: CliStack): void => {
    stack.write(snapshot("2"));
    platform.emulator.faults.add({ kind: "status", status: 403, method: "DELETE", count: 1 });
  };
  interface Named {
    readonly before: string;
    /** @default as before */
    readonly after?: string;
    /** Something that happens in between. */
    readonly meanwhile?: (stack: CliStack) => void;
    readonly said: readonly string[];
    readonly sent: readonly string[];
    /** A resource that is to be replaced. */
    readonly replaced?: string;
  }
  const sureOfOne = { said: ["DELETE gone"], sent: ["DELETE /v2/sandboxes/templates/gone"] };
  test.each<[why: string, named: Named]>([
    ["what the state has deleted with another one", { before: templates, after: "", ...sureOfOne }],
    [
      "what is adopted under another connection",
      {
        before: `new platform.SandboxTemplate("gone", { ${box} });`,
        after: adopting,
        said: ["POST? new", "DELETE? gone"],
        sent: [],
      },
    ],
    [
      "what an earlier replacement left behind",
      {
        before: snapshot("1"),
        meanwhile: left,
        after: snapshot("2"),
        said: ["DELETE python"],
        sent: ["DELETE /v2/sandboxes/snapshots/:id"],
      },
    ],
    [
      "what is to be replaced, and made before the old one goes",
      { before: snapshot("1"), replaced: "python", said: [], sent: [] },
    ],
    [
      "what is to be replaced, and goes first",
      {
        before: snapshot("1"),
        after: snapshot("1").replace(" });", " }, { deleteBeforeReplace: true });"),
        replaced: "python",
        said: ["DELETE python", "POST? python"],
        sent: ["DELETE /v2/sandboxes/snapshots/:id", "POST /v2/sandboxes/snapshots"],
      },
    ],
    [
      "what is made before the old one goes, and finds it in its place",
      {
        before: `new platform.SandboxTemplate("it", { ${box} }, { deleteBeforeReplace: false });`,
        replaced: "it",
        said: ["POST? it"],
        sent: ["POST /v2/sandboxes/templates"],
      },
    ],
    [
      "a volume, whose data would be lost",
      { before: volume, replaced: "data", said: ["POST? data"], sent: [`POST ${volumes}`] },
    ],
    [
      "a volume, whose data may be lost",
      {
        before: volume,
        after: volume.replace(" });", " }, { deleteBeforeReplace: true });"),
        replaced: "data",
        said: ["DELETE data", "POST data"],
        sent: [`DELETE ${volumes}/:id`, `POST ${volumes}`],
      },
    ],
    [
      "a volume under another name, which has the data",
      {
        before: volume,
        after: 'new platform.SandboxVolume("data", { name: "other", sourceVolume: "data" });',
        said: ["DELETE data", "POST data"],
        sent: [`POST ${volumes}/data/clone`, `DELETE ${volumes}/:id`],
      },
    ],
  ])(
    "names the requests that are sent, and no others: %s",
    async (_why, { before, after = before, meanwhile, said, sent, replaced }) => {
      const stack = await platform.upOf(before);
      meanwhile?.(stack);
      if (meanwhile) expect((await stack.up()).code).not.toBe(0);
      stack.write(after);
      const urn = stack.resources().find((each) => each.urn.endsWith(`::${replaced ?? ""}`))?.urn ?? "";
      const target = replaced === undefined ? [] : ["--target-replace", urn];
      const { stdout } = await cliCommand(stack, "review", "--format", "json", "--", ...target);
      const review = Reviewed.parse(JSON.parse(stdout));
      const named = review.objects.flatMap(({ name, requests }) =>
        requests.map(({ method, certain }) => `${method}${certain ? "" : "?"} ${name}`),
      );
      expect(named.sort()).toEqual([...said].sort());
      platform.emulator.clearLog();
      expect((await stack.up(...target)).code === 0).toBe(replaced === undefined || sent.length > 1);
      const changing = platform.emulator.requests.filter(({ method }) => method !== "GET");
      const arrived = changing.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, ":id")}`);
      expect(arrived).toEqual(sent);
    },
  );
});
