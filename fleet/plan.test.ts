import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { newFolder, writeInto } from "../tests/support/new-folder";
import { fleetFileOf } from "./file";
import { placeOf, stacksIn, wavesOf, type FleetStack } from "./plan";

let root: string;
beforeEach(() => {
  root = newFolder();
});

const write = (path: string, text: string): void => writeInto(root, path, text);
const project = (folder: string, name: string): void =>
  write(`${folder}/Pulumi.yaml`, `name: ${name}\nruntime: yaml\n`);
/** Puts an engine on PATH that lists these stacks, and notes where it was asked. */
function there(list: string): void {
  const script = `#!/bin/sh\necho "$PWD" >> ${root}/asked\nfor each in ${list}; do said="$said, {\\"name\\": \\"organization/$each\\"}"; done\necho "[\${said#, }]"\n`;
  write("bin/pulumi", script);
  chmodSync(join(root, "bin", "pulumi"), 0o755);
  process.env["PATH"] = `${join(root, "bin")}:${PATH}`;
}
const { PATH = "" } = process.env;
afterEach(() => {
  process.env["PATH"] = PATH;
});
const file = (text: string) => fleetFileOf(text, "fleet.yaml");
const stack = (id: string, labels: Record<string, string> = {}): FleetStack => ({
  id,
  stack: id.split("/")[1] ?? "",
  folder: id.split("/")[0] ?? "",
  labels,
});

describe("the stacks of a file", () => {
  test("are those of its projects, in the order of their names, with their labels", async () => {
    project("agents/b", "bee");
    project("agents/a", "ant");
    write("agents/notes/README", "no project");
    symlinkSync("moved-away", join(root, "agents", "link"));
    const given = file('stacks: [{ project: "agents/*", stacks: ["prod-*"], labels: { region: eu } }]');
    there("bee/prod-1 ant/prod-1 ant/dev other/prod-1");
    const found = await stacksIn(given, root);
    expect(found).toEqual([
      { id: "ant/prod-1", stack: "organization/ant/prod-1", folder: "agents/a", labels: { region: "eu" } },
      { id: "bee/prod-1", stack: "organization/bee/prod-1", folder: "agents/b", labels: { region: "eu" } },
    ]);
  });

  test("a backend is asked once for all of its projects", async () => {
    for (const name of ["a", "b", "c"]) project(name, name);
    there("a/prod b/prod c/prod");
    await stacksIn(file("stacks: [{ project: '*' }]"), root);
    expect(readFileSync(join(root, "asked"), "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("a backend in a folder of each project is asked for each of them", async () => {
    for (const name of ["a", "b"])
      write(`${name}/Pulumi.yaml`, `name: ${name}\nruntime: yaml\nbackend: { url: "file://./state" }\n`);
    there('"$(basename "$PWD")/prod"');
    const found = await stacksIn(file("stacks: [{ project: '*' }]"), root);
    expect(found.map(({ id }) => id)).toEqual(["a/prod", "b/prod"]);
  });

  test("a folder that has another project by now, or none, is no place of a stack", () => {
    project("desk", "support");
    const message = /has the project support here, so shop\/prod was not touched/;
    expect(() => placeOf({ ...stack("shop/prod"), folder: "desk" }, root)).toThrow(message);
    expect(() => placeOf(stack("gone/prod"), root)).toThrow(/gone/);
    expect(placeOf({ ...stack("support/prod"), folder: "desk" }, root)).toBe(join(root, "desk"));
  });

  test("a project of which no stack is meant is named", async () => {
    for (const name of ["a", "b"]) project(name, name);
    const said = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    there("a/prod b/dev");
    await stacksIn(file("stacks: [{ project: '*', stacks: [prod] }]"), root);
    expect(said.mock.calls).toEqual([["stacks: *: left out, since no stack matches: b\n"]]);
    said.mockRestore();
  });

  test.each([
    ["stacks: [{ project: nothing }]", 'stacks: no folder at "nothing" has a Pulumi.yaml'],
    ["stacks: [{ project: 'no*' }]", 'stacks: no folder at "no*" has a Pulumi.yaml'],
    ["stacks: [{ project: a, stacks: [prd] }]", 'stacks: a: no stack matches "prd": the stacks are ant/prod'],
    ["stacks: [{ project: broken }]", "broken/Pulumi.yaml is no Pulumi project: Flow sequence"],
    ["stacks: [{ project: nameless }]", /^nameless\/Pulumi.yaml is no Pulumi project: .*at name/s],
    ["stacks: [{ project: a }, { project: twin }]", 'a and twin are both the project "ant": rename one of them'],
    ["stacks: [{ project: 'a/Pulumi.yaml/*' }]", 'stacks: no folder at "a/Pulumi.yaml/*" has a Pulumi.yaml'],
    ["stacks: [{ project: /etc }]", "/etc must be relative to the fleet file"],
  ])("%s is refused by name", async (text, message) => {
    project("a", "ant");
    project("twin", "ant");
    write("broken/Pulumi.yaml", "name: [");
    write("nameless/Pulumi.yaml", "runtime: yaml");
    there("ant/prod");
    await expect(stacksIn(file(text), root)).rejects.toThrow(message);
  });
});

describe("waves", () => {
  const ten = Array.from({ length: 10 }, (_, at) => stack(`agent-${at}/prod`, { region: at < 3 ? "eu" : "us" }));
  const waves = (text: string) => wavesOf(file(`stacks: [{ project: x }]\nwaves:\n${text}`).waves, ten);
  const sizes = (text: string) => waves(text).map(({ name, stacks }) => [name, stacks.length]);

  test("take a share of what is left, rounded up; the last takes the rest", () => {
    expect(sizes("- { name: a, share: 11% }\n- { name: b, share: 50% }\n- { name: c }")).toEqual([
      ["a", 2],
      ["b", 4],
      ["c", 4],
    ]);
  });

  test("that name stacks have them before any share, wherever they stand", () => {
    const [first, second] = waves(
      '- { name: a, share: 50% }\n- { name: b, stacks: ["agent-0/*", agent-1/prod] }\n- { name: c }',
    );
    expect(first?.stacks.map(({ id }) => id)).not.toContain("agent-0/prod");
    expect(second?.stacks.map(({ id }) => id)).toEqual(["agent-0/prod", "agent-1/prod"]);
  });

  test("by labels", () => {
    expect(sizes("- { name: eu, labels: { region: eu } }\n- { name: rest }")).toEqual([
      ["eu", 3],
      ["rest", 7],
    ]);
  });

  test.each([
    ["- { name: a, stacks: [agent-77/prod] }\n- { name: b }", 'waves: a: no stack matches "agent-77/prod"'],
    [
      "- { name: a, labels: { region: mars } }\n- { name: b }",
      'waves: a has no stacks: none has the labels {"region":"mars"}',
    ],
    [
      "- { name: a, stacks: ['agent-1/*'] }\n- { name: b, stacks: ['*/prod'] }",
      "waves: a and b both name the stack agent-1/prod",
    ],
    ["- { name: a }\n- { name: b }", "waves: b has no stacks: earlier waves have them all"],
    ["- { name: a, share: 90% }", "waves: no wave has agent-9/prod: add a last wave"],
  ])("%j is refused by name", (text, message) => {
    expect(() => waves(text)).toThrow(message);
  });
});
