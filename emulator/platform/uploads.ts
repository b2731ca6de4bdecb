import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";

/** The source_tarball_path by which a revision names an upload. */
export const tarballPathOf = ({ id }: Pick<StoredRecord, "id">): string => `uploads/${id}.tar.gz`;

/** Places for the source code that a client uploads, by their path. What is uploaded is not kept: nothing is built from it. */
export const uploads = defineCollection("uploads", storedRecord, (record) => [tarballPathOf(record)]);
