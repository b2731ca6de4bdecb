import { z } from "zod";
import { table } from "../../provider/lifecycle/fields/table";
import { text } from "../../provider/lifecycle/fields/types";
import { schemaOf } from "../../provider/native/schema";
import { resourcePage } from "./reference/resource-page";
import { argsText, outputMembers } from "./resource";

const deprecationMessage = "Use `note`.";
const about = { kind: "Hook", one: "hook", summary: "A hook.", description: "Arguments of a hook." };
const hook = table(about, {
  remark: { type: text(), description: "A remark.", default: "none", deprecationMessage },
  note: { type: text(), description: "A note." },
});
const property = z.object({ deprecationMessage: z.string().optional() });
const properties = z.object({ remark: property, note: property });
const offered = z.object({
  resources: z.object({ "agent-platform:index:Hook": z.object({ inputProperties: properties, properties }) }),
});

test("a field that its row deprecates is so in the schema, in the class and on the page", () => {
  const schema = schemaOf({ version: "1.0.0", kinds: [hook], components: [], functions: new Map() });
  const hooks = offered.parse(schema).resources["agent-platform:index:Hook"];
  for (const { remark, note } of [hooks.inputProperties, hooks.properties]) {
    expect([remark.deprecationMessage, note.deprecationMessage]).toEqual([deprecationMessage, undefined]);
  }
  expect(argsText(hook)).toContain(
    '/** A remark. @default "none" @deprecated Use `note`. */\n  remark?: pulumi.Input<string>;',
  );
  expect(outputMembers(hook.fields)).toContain("/** A remark. @deprecated Use `note`. */\n  declare readonly remark:");
  const page = resourcePage(hook, "", [], {});
  expect(page).toMatch(/^\| `remark` \| text \| \*\*Deprecated:\*\* Use `note`\. A remark\./m);
  expect(page.match(/Deprecated/g)).toHaveLength(1);
});
