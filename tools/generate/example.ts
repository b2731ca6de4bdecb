import type { Fields, Shape } from "../../provider/lifecycle/fields/table";

/** A function of the provider, as far as its example needs it. */
interface Called {
  readonly args: Fields;
  readonly result: Fields;
}

/** How a program calls a reading function: for its page of the reference, and for its comment in the SDK. */
export function exampleOf(name: string, { args, result }: Called): string {
  const called = `${name}(${argumentsOf(args)})`;
  return itemsOf(result) === undefined
    ? `const found = await ${called};`
    : `for await (const found of ${called}) console.log(found.id);`;
}

/** The fields of what a list holds; undefined for a function that reads one object. */
export function itemsOf(result: Fields): Fields | undefined {
  const shape: Shape | undefined = result["items"]?.type;
  return shape?.kind === "list" && shape.of.kind === "object" ? shape.of.fields : undefined;
}

/** The same in a program, in TypeScript. */
export const exampleInProgram = (name: string, { args }: Called): string =>
  `import { ${name}Output } from "pulumi-agent-platform";\n\nexport const found = ${name}Output(${argumentsOf(args)});\n`;

/** The same in YAML. */
export const exampleInYaml = (name: string, { args }: Called): string =>
  `variables:
  found:
    fn::invoke:
      function: agent-platform:${name}
      arguments: ${argumentsOf(args) || "{}"}
`;

/** What a reader would write: the required arguments, else the one by which people know the object. */
function argumentsOf(args: Fields): string {
  const required = Object.entries(args).filter(([, field]) => field.required);
  const known = Object.entries(args).filter(([name]) => !["id", "maximum"].includes(name));
  const given = required.length > 0 ? required : known.slice(0, 1);
  if (given.length === 0) return "";
  // An id that has to be given is the platform's; every other argument is a name, whatever it is called.
  const values = given.map(([name, field]) => `${name}: ${field.required && name.endsWith("Id") ? UUID : NAME}`);
  return `{ ${values.join(", ")} }`;
}

const UUID = '"059e38f5-605f-4bbd-a442-ebe410a2d47d"';
const NAME = '"support-agent"';
