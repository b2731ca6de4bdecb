import { createHash } from "node:crypto";
import { z } from "zod";
import { timestamp } from "../base/clock";
import type { Collection, RecordOf } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";

/** A branch of a repository, which may be pushed to. */
export interface Branch {
  /** As in source_config.repo_url; a slash or ".git" at its end makes no difference. */
  readonly repoUrl: string;
  readonly branch: string;
}

const recordSchema = storedRecord.extend({
  /** Pushes so far. A branch that was never pushed to has no record. */
  pushes: z.number(),
});

export const branches = defineCollection("branches", recordSchema, () => []);

/** Repositories are not the tenant's: every tenant sees the same commits. */
const NO_TENANT = "";

/** The made-up commits of every branch of every repository: the same name leads to the same commit until it is pushed to. */
export class Branches {
  constructor(private readonly records: Collection<RecordOf<typeof branches>>) {}

  /** The commit that a ref stands for, 40 hexadecimal digits; a commit stands for itself. */
  commitOf(repoUrl: string, ref: string): string {
    if (/^[0-9a-f]{40}$/.test(ref)) return ref;
    const key = keyOf({ repoUrl, branch: ref });
    const pushes = this.records.get(NO_TENANT, key)?.pushes ?? 0;
    return createHash("sha1").update(`${key} ${pushes}`).digest("hex");
  }

  push(branch: Branch, now: number): void {
    const id = keyOf(branch);
    const at = timestamp(now);
    const old = this.records.get(NO_TENANT, id) ?? { id, tenant_id: NO_TENANT, pushes: 0, created_at: at };
    this.records.put({ ...old, pushes: old.pushes + 1, updated_at: at });
  }
}

export function isBranch({ repoUrl, branch }: Branch, url: unknown, ref: unknown): boolean {
  return typeof url === "string" && ref === branch && repository(url) === repository(repoUrl);
}

const keyOf = ({ repoUrl, branch }: Branch): string => `${repository(repoUrl)} ${branch}`;
const repository = (url: string): string => url.replace(/\/$/, "").replace(/\.git$/, "");
