import type { Field, Fields, Shape } from "../../provider/lifecycle/fields/table";

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

export interface NamedFunction {
  readonly name: string;
  readonly described: Called;
}

/** Each function, with the one that lists the same objects: the reference shows them together, unless the list has arguments of its own. */
export function together<Each extends NamedFunction>(functions: readonly Each[]): Each[][] {
  const isPlain = ({ described }: Each): boolean => ownArguments(described.args).length === 0;
  const listed = ({ described }: Each): string => JSON.stringify(itemsOf(described.result));
  return functions
    .filter((each) => !isPlain(each))
    .map((each) => {
      const one = JSON.stringify(each.described.result);
      return [each, ...functions.filter((other) => isPlain(other) && listed(other) === one)];
    });
}

/** What the results of functions that are shown together are called. */
const RESULTS = ["found", "all"];

/** The same in a program, in TypeScript. */
export function exampleInProgram(functions: readonly NamedFunction[]): string {
  const calls = functions.map(
    ({ name, described }, at) => `export const ${RESULTS[at]} = ${name}Output(${argumentsOf(described.args)});\n`,
  );
  const names = functions.map(({ name }) => `${name}Output`).join(", ");
  return `import { ${names} } from "pulumi-agent-platform";\n\n${calls.join("")}`;
}

/** The same in YAML. */
export function exampleInYaml(functions: readonly NamedFunction[]): string {
  const calls = functions.map(
    ({ name, described }, at) => `  ${RESULTS[at]}:
    fn::invoke:
      function: agent-platform:${name}
      arguments: ${argumentsOf(described.args) || "{}"}
`,
  );
  return `variables:\n${calls.join("")}`;
}

/** The arguments that only some functions have. */
export const ownArguments = (fields: Fields): [string, Field][] =>
  Object.entries(fields).filter(([name]) => !["id", "maximum"].includes(name));

/** What a reader would write: the required arguments, else the one by which people know the object. */
function argumentsOf(args: Fields): string {
  const required = Object.entries(args).filter(([, field]) => field.required);
  const given = required.length > 0 ? required : ownArguments(args).slice(0, 1);
  if (given.length === 0) return "";
  // An id that has to be given is the platform's; every other argument is a name, whatever it is called.
  const values = given.map(([name, field]) => `${name}: ${field.required && name.endsWith("Id") ? UUID : NAME}`);
  return `{ ${values.join(", ")} }`;
}

const UUID = '"059e38f5-605f-4bbd-a442-ebe410a2d47d"';
const NAME = '"support-agent"';
