// The command of the workflows: node environment.mjs up|down|sweep. branch.mjs does the same for the branches of one machine.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { down, sweep, up } from "./environments.mjs";

const USAGE = `Usage:
  npm run -s environment -- up NAME [--comment FILE]      make or update it; FILE gets the comment for the pull request
  npm run -s environment -- down NAME                     destroy it
  npm run -s environment -- sweep --open "pr-1 pr-2"      what was left over: a dry run
                              [--older-than HOURS] --yes  destroy it`;

const options = {
  comment: { type: "string" },
  open: { type: "string" },
  "older-than": { type: "string", default: "1" },
  yes: { type: "boolean", default: false },
};

async function main() {
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const [command, name] = positionals;
  if (command === "up" && name !== undefined) {
    const { made, comment } = await up(name, ".");
    if (values.comment !== undefined) writeFileSync(values.comment, comment);
    else console.log(comment);
    if (!made) process.exitCode = 1;
  } else if (command === "down" && name !== undefined) {
    await down(name, ".");
  } else if (command === "sweep" && values.open !== undefined) {
    const hours = Number(values["older-than"]);
    if (!(hours >= 0)) throw new Error(`--older-than is a number of hours, not "${values["older-than"]}".`);
    const open = values.open.split(/\s+/).filter((each) => each !== "");
    const failed = await sweep({ folder: ".", open, named: /^pr-\d+$/, olderThanHours: hours, yes: values.yes });
    if (failed > 0) process.exitCode = 1;
  } else {
    throw new Error(USAGE);
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
