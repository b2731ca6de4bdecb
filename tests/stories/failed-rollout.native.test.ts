import { deployments, revisions } from "../../emulator";
import { onEmulator } from "../engine/on-emulator";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

/** The last lines of a failed build: one prints a secret, and one would be a colour to the engine (docs/internals/engine.md, trap 39). */
const FAILED_BUILD = [
  "TOKEN=literal-deployment-secret",
  "<{%fg none%}> is in a template",
  "Build failed: pip exited with 1",
];
const platform = onEmulator({
  buildSeconds: 0.2,
  revisionLog: ({ sourceRevisionConfig: config }) =>
    String(config["image_uri"]).endsWith("emulator-fail-build") ? FAILED_BUILD : undefined,
});
/** A log is asked for with a POST. */
const program = (image: string): string => `
  const agent = new platform.Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/${image}" },
    secrets: { TOKEN: "literal-deployment-secret" },
  });
  exports.deployed = agent.deployed;
`;

describeWithEngine("a revision that fails", () => {
  test("up is red, says why and what to do, and stays red until another revision serves; nothing is made twice", async () => {
    const stack = await platform.stackOf(program("emulator-fail-build"));
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    const [deployment] = platform.kept(deployments);
    const [first] = platform.kept(revisions);
    expect(failed.output).toMatch(
      new RegExp(`deployment "agent" \\(${deployment?.id ?? ""}\\): revision ${first?.id ?? ""} ended as BUILD_FAILED`),
    );
    expect(failed.output).toMatch(/Correct the deployment's arguments and run `pulumi up`/);
    // Why it failed, in lines of their own.
    expect(failed.output).toMatch(
      /The last lines of its build log .*\n\s+TOKEN=\[secret\]\n\s+< \{%fg none%\}> is in a template\n\s+Build failed: pip exited with 1\n/,
    );
    const kinds = stack.resources().map(({ type, id }) => [type.split(":").at(-1), id]);
    expect(kinds).toContainEqual(["Deployment", deployment?.id]);
    expect(kinds.map(([kind]) => kind)).not.toContain("Rollout");

    // The same once more: it fails again, and makes nothing.
    platform.emulator.clearLog();
    expect(notOk(await stack.up())).toMatch(/TOKEN=\[secret\]\n[^]*Build failed: pip exited with 1\n/);
    expect(platform.writes()).toEqual([]);

    stack.write(program("agent:2"));
    ok(await stack.up());
    expect(platform.kept(deployments).map(({ id }) => id)).toEqual([deployment?.id]);
    expect(platform.kept(revisions)).toHaveLength(2);
    expect((await stack.outputs())["deployed"]).toBe(true);

    // A later one fails, and the one before still serves: a refresh must not turn that green.
    stack.write(program("emulator-fail-build"));
    notOk(await stack.up());
    expect(notOk(await stack.drift())).toMatch(
      /problem *: "revision [0-9a-f-]+ ended as BUILD_FAILED; [0-9a-f-]+ still serves"/,
    );
    expect(notOk(await stack.up("--refresh"))).toMatch(/ended as BUILD_FAILED/);
    ok(await stack.refresh());
    expect(ok(await stack.preview("--diff"))).toMatch(/problem/);
    notOk(await stack.up());
    stack.write(program("agent:3"));
    ok(await stack.up());
    ok(await stack.preview("--refresh", "--expect-no-changes"));
    expect(stack.stateText()).not.toContain("literal-deployment-secret");
  });
});
