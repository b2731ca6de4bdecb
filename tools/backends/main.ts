import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../engine/command";
import { findCheckout } from "../engine/layout";
import { BACKENDS } from "./kinds";
import type { BackendServer } from "./server";

const USAGE = "`npm run backends` starts the servers, `npm run backends -- install` only installs them";
const folder = join(findCheckout(), ".state", "backends");

/** Installs what can be installed; gives the kinds that are there. What is missing gets one line. */
async function install(): Promise<{ readonly kind: (typeof BACKENDS)[number]; readonly program: string }[]> {
  const there = [];
  for (const kind of BACKENDS) {
    try {
      there.push({ kind, program: await kind.ensure() });
    } catch (error) {
      process.stderr.write(`!!! NO ${kind.name}: ${reasonOf(error)}\n`);
    }
  }
  return there;
}

/** Starts the servers, says how to use them, and stops them at Ctrl-C. */
async function serve(): Promise<void> {
  const servers: BackendServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  const asked = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  try {
    for (const { kind, program } of await install()) {
      const server = await kind.open(join(folder, kind.name.toLowerCase()), program);
      await server.start();
      servers.push(server);
      console.log(`${kind.name} runs. To keep states there, in a shell:  . ${writeSettings(server)}`);
    }
    if (servers.length === 0) throw new Error("No server could be started.");
    console.log("Ctrl-C stops them. Their data stays in .state/backends.");
    await asked;
  } finally {
    await stop();
  }
}

/** A file for a shell to read: credentials belong neither on a terminal nor into a command. */
function writeSettings(server: BackendServer): string {
  const file = join(folder, `${server.name.toLowerCase()}.env`);
  const lines = Object.entries(server.environment("team")).map(([name, value]) =>
    value === undefined ? `unset ${name}` : `export ${name}='${value}'`,
  );
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return file;
}

async function main(args: readonly string[]): Promise<void> {
  const [command = "start", ...more] = args;
  if (more.length > 0 || !["start", "install"].includes(command))
    throw new Error(`Unknown: ${args.join(" ")}. ${USAGE}.`);
  if (command === "start") return serve();
  const there = await install();
  for (const { kind, program } of there) console.log(`${kind.name}: ${program}`);
  if (there.length < BACKENDS.length) process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
