import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BACKENDS } from "../../tools/backends/kinds";
import type { Server } from "../../tools/base/server";
import { WORKPLACES } from "../support/cli-stack";
import { postgresIn } from "./postgres";
import { s3In } from "./s3";

/** A server that keeps the states of stacks: on loopback, with its data in one folder. */
export interface BackendServer extends Server {
  /** What `pulumi` needs to keep states there. Each room is a backend of its own. @param room lower-case letters, digits and "_" */
  environment(room: string): NodeJS.ProcessEnv;
  /** All that it holds of a room, in plain text. */
  dump(room: string): Promise<string>;
}

const OPEN = { Postgres: postgresIn, S3: s3In };

/** A server for the tests of a file, or why there is none. */
export type Found =
  | { readonly name: string; readonly open: () => Promise<OpenServer> }
  | { readonly name: string; readonly open: undefined };

/** A running server, which is removed with its data. */
export interface OpenServer extends BackendServer {
  /** Where its data is. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** The servers of this machine. The tests of a missing one are skipped (setup.js has said so). */
export function serversHere(): Found[] {
  return BACKENDS.map((kind) => {
    const { name } = kind;
    const program = kind.find();
    if (program !== undefined) return { name, open: () => openNew(name, (folder) => OPEN[name](folder, program)) };
    return { name, open: undefined };
  });
}

async function openNew(name: string, open: (folder: string) => Promise<BackendServer>): Promise<OpenServer> {
  mkdirSync(WORKPLACES, { recursive: true });
  const folder = mkdtempSync(join(WORKPLACES, `${name.toLowerCase()}-`));
  const server = await open(folder);
  await server.start();
  const remove = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, folder, remove };
}
