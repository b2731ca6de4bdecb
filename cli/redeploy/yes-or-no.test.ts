import { PassThrough } from "node:stream";
import { saysYes } from "./command";

const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

test.each<[typed: string, isYes: boolean]>([
  ["y\n", true],
  ["Yes \n", true],
  ["\n", false],
  ["n\n", false],
  ["yesterday\n", false],
  ["yes", false],
])("the answer %j: %s", async (typed, isYes) => {
  const [input, output] = [stream(true), stream(true)];
  const answer = saysYes("Redeploy?", input, output);
  input.write(typed);
  if (!typed.endsWith("\n")) input.write("\u0003");
  expect(await answer).toBe(isYes);
  expect(String(output.read())).toContain("Redeploy? [y/N] ");
});

test("the end of the input is no answer", async () => {
  const [input, output] = [stream(true), stream(true)];
  const answer = saysYes("Redeploy?", input, output);
  input.end();
  expect(await answer).toBe(false);
});

test.each([
  [false, true],
  [true, false],
])("where input (a terminal: %s) or output (%s) is none, nobody is asked", async (onInput, onOutput) => {
  const output = stream(onOutput);
  expect(await saysYes("Redeploy?", stream(onInput), output)).toBeUndefined();
  expect(output.read()).toBeNull();
});
