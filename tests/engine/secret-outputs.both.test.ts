import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0 });

const filesIn = (folder: string): string =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .flatMap((entry) => (entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "utf8")] : []))
    .join("\n");

describeWithEngine("what repeats a secret input", () => {
  test("is encrypted in the state, after an up and after a refresh, and is a secret of the program", async () => {
    const stack = await platform.stackOf(`
      const customUrl = pulumi.secret("https://canary.example");
      const desk = new platform.Deployment("desk", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" },
        sourceConfig: { customUrl } });
      module.exports = { url: desk.url };
    `);
    const up = ok(await stack.up());
    const refreshed = ok(await stack.run(["refresh", "--yes"]));
    expect(up + refreshed).not.toContain("canary.example");
    expect(filesIn(join(stack.folder, "backend"))).not.toContain("canary.example");
    expect(ok(await stack.run(["stack", "output", "--show-secrets"]))).toContain("https://canary.example");
  });
});
