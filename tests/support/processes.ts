import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The processes whose command line is like this, and that a stack's commands have started: they carry its folder in their environment. */
export function processesOf({ folder }: { readonly folder: string }, like: RegExp): number[] {
  // Where the system has no /proc, none is found.
  return (existsSync("/proc") ? readdirSync("/proc") : [])
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      const read = (file: string): string => {
        try {
          return existsSync(`/proc/${pid}/${file}`) ? readFileSync(`/proc/${pid}/${file}`, "utf8") : "";
        } catch {
          return ""; // ended meanwhile
        }
      };
      return like.test(read("cmdline")) && read("environ").includes(folder) ? [Number(pid)] : [];
    });
}
