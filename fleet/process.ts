import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { lineText, sentenceLines } from "../cli/base/printable";
import { leniently } from "../provider/base/errors";
import { noteSecrets } from "../provider/base/masker";
import { hasProcess } from "../provider/base/own-folder";

/** After so many seconds without a sign a worker counts as dead. Its engines have been ended by then. */
export const LEASE = Number(process.env["FLEET_LEASE_SECONDS"] || 30);

/** Prints a sentence for people. */
export const say = (text: string, to: NodeJS.WriteStream = process.stdout): boolean =>
  to.write(`${sentenceLines(lineText(text), "", "  ").join("\n")}\n`);

/** A process of a machine. */
export interface ProcessId {
  readonly machine: string;
  /** Null of one that was never let go. */
  readonly pid: number | null;
  /** When it was started, in the system's count; empty where the system does not say. A pid alone comes back. */
  readonly birth: string | null;
}

/** Processes of machines with the same name of this are the same: a container has pids of its own, and a boot begins again. */
export function thisMachine(): string {
  const parts = [hostname(), read("/proc/sys/kernel/random/boot_id"), read("/proc/self/ns/pid", readlinkSync)];
  return parts.map((part) => part.trim()).join(" ");
}

/** Remembers the secrets of the environment, so that no log or message shows them: what its name calls one, and addresses with a password. */
export function noteEnvironment(): void {
  const isSecret = (name: string, value: string): boolean =>
    /KEY|TOKEN|SECRET|PASS/i.test(name) || /:\/\/[^/:@]*:[^/@]+@/.test(value);
  for (const [name, value = ""] of Object.entries(process.env))
    if (value.length > 5 && isSecret(name, value)) noteSecrets(value);
}

/** The environment of what runs programs of stacks: without what opens the fleet's own database. */
export function environmentOfPrograms(): NodeJS.ProcessEnv {
  const { FLEET_KEY: _key, FLEET_DATABASE_URL: _address, ...others } = process.env;
  return others;
}

/** The fields of /proc/<pid>/stat behind the name, which may have any characters. */
const statOf = (pid: number): string[] => {
  const text = read(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
};

/** When a process was started. */
export const birthOf = (pid: number): string => statOf(pid)[19] ?? "";

/** Whether a process has certainly ended; false for one of another machine. */
export function hasEnded({ machine, pid, birth }: ProcessId): boolean {
  if (pid === null) return true;
  if (machine !== thisMachine()) return false;
  if (!hasProcess(pid)) return true;
  const [state, now] = [statOf(pid)[0], birthOf(pid)];
  // A zombie has ended; only its parent has not looked yet. The system can hide the birth of another user's.
  return state === "Z" || (Boolean(birth) && now !== "" && now !== birth);
}

/** Signals an engine and what it has started: it leads their group. */
export function signalEngine(pid: number, name: NodeJS.Signals): void {
  // Unless it has ended.
  leniently(() => process.kill(-pid, name));
}

/** A file of the system; empty where this is no Linux, or there is no such process. */
const read = (file: string, reader: (file: string, encoding: "utf8") => string = readFileSync): string =>
  leniently(() => reader(file, "utf8")) ?? "";
