import fc from "fast-check";
import { parse } from "yaml";
import { z } from "zod";
import type { Json, JsonObject } from "../../provider/base/json";
import { SPECS } from "../base/managed-types";
import type { Surveyed } from "./survey";
import { connectionTo } from "../../tests/support/connection";
import { projectOf } from "./project";
import { functionKeyIn, yamlBlock, yamlText } from "./yaml";

const hostile: [reason: string, text: string][] = [
  ["nothing", ""],
  ["quotes of both kinds", `"it's"`],
  ["an expression", "${readFile} $${x} $ $$"],
  ["a text that YAML takes for a flag", "Yes"],
  ["a text that YAML takes for nothing", "~"],
  ["a text that YAML takes for a number", "1e3"],
  ["a text that YAML takes for octal", "0o17"],
  ["a text that old YAML takes for a time", "12:30:45"],
  ["a date", "2026-11-22"],
  ["a comment", "a #b"],
  ["a key", "a: b"],
  ["a list", "- a"],
  ["an anchor, an alias and a tag", "&a *a !!js/function"],
  ["a block", "|\n  a"],
  ["a merge", "<<"],
  ["an end of the document", "a\n---\n...\nb: c"],
  ["a backslash at the end", "a\\"],
  ["spaces around", "  a  "],
  ["the line ends of other languages", "a\u2028b\u2029c\u0085d\re"],
  ["letters of the world", "Übersetzer 翻訳 मराठी 🚀"],
  ["marks of direction", "a\u202e\u2066b\u200d\ufeff"],
  ["control characters", "\u0000\u001b[2J\u007f\u009b"],
  ["a character beyond the first plane that is not shown", "\u{e0001}"],
];

/** As Pulumi reads a text: every "$$" is "$", and nothing is an expression. */
const asPulumi = (text: string): string => {
  expect(text.replaceAll("$$", "")).not.toContain("${");
  return text.replaceAll("$$", "$");
};

function readByPulumi(value: unknown): unknown {
  if (typeof value === "string") return asPulumi(value);
  if (Array.isArray(value)) return value.map(readByPulumi);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [asPulumi(key), readByPulumi(each)]));
}

const once = (text: string, version: "1.1" | "1.2"): unknown => parse(text, { version, merge: true });

/** A block as Pulumi reads it, under both versions of YAML: its own reader mixes them. */
function read(object: JsonObject): unknown {
  const text = ["it:", ...yamlBlock(object, "  ")].join("\n");
  const [old, current] = (["1.1", "1.2"] as const).map((version) => once(text, version));
  expect(old).toEqual(current);
  return readByPulumi(current);
}

describe.each(hostile)("a text that holds %s", (_reason, text) => {
  test("is a value, a key and an element, and never anything else", () => {
    const object: JsonObject = { value: text, [`x${text}`]: { [text]: [text, { [text]: text }] } };
    expect(read(object)).toEqual({ it: object });
    expect(yamlText(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });
});

test("whatever is printed is read as it was", () => {
  const key = fc.oneof(fc.constantFrom("name", "a.b", "1", "ключ", "$x"), fc.stringMatching(/^[a-z]{1,8}$/));
  const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.boolean(),
      fc.integer(),
      tie("object"),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
    object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), (object) => {
      expect(read({ ...object })).toEqual({ it: { ...object } });
    }),
  );
});

test("half a character becomes the sign that replaces it: neither YAML nor a request can hold it", () => {
  expect(parse(yamlText("\ud83d x"))).toBe("\ufffd x");
});

const surveyed = (kind: string, args: JsonObject, more: Partial<Surveyed> = {}): Surveyed => {
  const spec = SPECS.find((each) => each.kind === kind);
  if (spec === undefined) throw new Error(`no ${kind}`);
  return { spec, id: `id-${kind}`, name: "desk", outputs: {}, args, needs: [], ...more };
};
const programOf = (...objects: Surveyed[]) => {
  const { files } = projectOf("desk", connectionTo("https://api.example"), { objects, unread: [] }, "yaml");
  const text = files.get("Pulumi.yaml") ?? "";
  return { program: z.record(z.string(), z.unknown()).parse(parse(text)), readme: files.get("README.md") };
};

describe("a program", () => {
  const image = { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/a:1" } };

  test("takes over each object by its id, and waits for each deployment", () => {
    const { program } = programOf(
      surveyed("SandboxTemplate", { name: "desk", image: "a", resources: {} }),
      surveyed("Deployment", { name: "desk", ...image, sourceConfig: { buildOnPush: true } }, { variables: ["KEY"] }),
    );
    expect(program["config"]).toBeUndefined();
    expect(program["resources"]).toEqual({
      deskSandboxTemplate: {
        type: "agent-platform:SandboxTemplate",
        name: "desk",
        properties: { adopt: "id-SandboxTemplate", image: "a", resources: {} },
      },
      deskDeployment: {
        type: "agent-platform:Deployment",
        name: "desk",
        properties: { adopt: "id-Deployment", ...image, sourceConfig: { buildOnPush: true } },
      },
      deskDeploymentRollout: {
        type: "agent-platform:Rollout",
        name: "desk",
        properties: {
          deploymentId: "${deskDeployment.id}",
          deploymentName: "${deskDeployment.name}",
          revisionId: "${deskDeployment.latestRevisionId}",
          followsPushes: true,
        },
      },
    });
  });

  test("does not wait for a revision that will never be DEPLOYED", () => {
    const { program, readme } = programOf(
      surveyed("Deployment", { name: "desk", ...image }, { variables: [], failed: "BUILD_FAILED" }),
    );
    expect(program["resources"]).toEqual({
      deskDeployment: {
        type: "agent-platform:Deployment",
        name: "desk",
        properties: { adopt: "id-Deployment", ...image, awaitRollout: false },
      },
    });
    expect(readme).toContain("BUILD_FAILED");
  });

  test("leaves out an object with a key that would read a file of the machine, and says so", () => {
    const args = { name: "desk", image: "a", resources: {}, labels: [{ "Fn::readFile": "/etc/passwd" }] };
    expect(functionKeyIn(args)).toBe("Fn::readFile");
    const { program, readme } = programOf(surveyed("SandboxTemplate", args));
    expect(program["resources"]).toEqual({});
    expect(readme).toMatch(/## Not in the program\n\n- .*Fn::readFile/);
  });
});
