import { execFileSync } from "node:child_process";
import { z } from "zod";

/** What a project runs on. */
export interface Combination {
  /** A version of Node. */
  readonly node: string;
  /** A version of @pulumi/pulumi. */
  readonly sdk: string;
  /** A version of TypeScript; undefined for a program in JavaScript. */
  readonly typescript?: string;
  readonly modules: "CommonJS" | "ES modules";
}

/** The npm package that holds Node's program for this machine. */
export const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

const PINNED = "3.246.0";
/** The least of the range in `peerDependencies`. */
const OLDEST = "3.216.0";
const TYPESCRIPT = "5.9.3";
/** Pulumi's SDK refuses TypeScript 7: npm does not install both. */
const TYPESCRIPTS = "typescript@<7";

/** Every Node that npm has a long-term release of, the oldest and the newest SDK, the newest TypeScript that it takes, and ES modules. */
export function combinations(): Combination[] {
  const [node20, node22, node24] = ["20", "22", "24"].map((major) => newest(`${NODE_PACKAGE}@${major}`));
  if (node20 === undefined || node22 === undefined || node24 === undefined) throw new Error("unreachable");
  const usual = { sdk: PINNED, typescript: TYPESCRIPT, modules: "CommonJS" } as const;
  const javascript = { sdk: PINNED, modules: "ES modules" } as const;
  return [
    { ...usual, node: node20 },
    { ...usual, node: node22 },
    { ...usual, node: node24 },
    { ...usual, node: node20, sdk: OLDEST },
    { ...usual, node: node24, sdk: newest("@pulumi/pulumi@<4") },
    { ...usual, node: node24, typescript: newest(TYPESCRIPTS) },
    { ...javascript, node: node20 },
    { ...javascript, node: node24 },
  ];
}

/** The highest version of these that is published. */
function newest(spec: string): string {
  const answer = execFileSync("npm", ["view", spec, "version", "--json"], { encoding: "utf8", stdio: "pipe" });
  const versions = z.union([z.string(), z.array(z.string())]).parse(JSON.parse(answer));
  const sorted = [versions].flat().sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const last = sorted.at(-1);
  if (last === undefined) throw new Error(`npm has no ${spec}`);
  return last;
}
