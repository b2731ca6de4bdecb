import { CommanderError } from "commander";
import { benchCommand, type Wanted } from "../bench/command";

const run = () => Promise.resolve({ rows: [] });
const TABLE = [
  { name: "up", about: "an up of 200", run },
  { name: "streams", about: "long streams", run },
] as const;

/** What the words ask for, and what is printed; undefined where nothing is measured. */
async function asked(...words: string[]) {
  const wanted: Wanted[] = [];
  let output = "";
  const print = (text: string): void => void (output += text);
  const command = benchCommand(TABLE, (given) => Promise.resolve(void wanted.push(given)))
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: print });
  const code = await command.parseAsync(words, { from: "user" }).then(
    () => 0,
    (error: unknown) => (error instanceof CommanderError ? error.exitCode : -1),
  );
  const [{ measurements, ...rest } = { measurements: undefined }] = wanted;
  return { code, output, wanted: measurements?.map(({ name }) => name), ...rest };
}

test.each([
  [["--hepl"], "unknown option '--hepl'"],
  [["up", "--writ"], "unknown option '--writ'"],
  [["up", "steams"], "'steams' is invalid"],
])("%j is refused, and nothing is measured", async (words, message) => {
  const { code, output, wanted } = await asked(...words);
  expect([code, wanted]).toEqual([1, undefined]);
  expect(output).toContain(message);
});

test.each([
  [[], ["up", "streams"], true, false],
  [["--check"], ["up", "streams"], true, true],
  [["streams"], ["streams"], false, false],
  [["streams", "up", "--write"], ["up", "streams"], true, false],
  [["--check", "up"], ["up"], false, true],
])("%j measures %j; written: %p, checked: %p", async (words, wanted, isWritten, isChecked) => {
  expect(await asked(...words)).toEqual({ code: 0, output: "", wanted, isWritten, isChecked });
});
