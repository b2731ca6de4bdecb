import { z } from "zod";

/** A revision as the reader gives it; null where the platform does not say. */
export const Revision = z.object({
  id: z.string(),
  status: z.string(),
  createdAt: z.string().nullable(),
  imageUri: z.string().nullable(),
  repoCommitSha: z.string().nullable(),
});
export type Revision = z.infer<typeof Revision>;

/** The image or the commit that a revision runs, if the platform says: of a repository the commit, which its image was built from. */
export const builtFrom = ({ imageUri, repoCommitSha }: Revision): string | null =>
  repoCommitSha === null ? imageUri : `commit ${repoCommitSha}`;
