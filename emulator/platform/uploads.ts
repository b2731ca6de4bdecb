import { ApiError, notFound } from "../base/api-error";
import { type Collection, newRecord, type StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import type { Store } from "../store/store";
import type { DeploymentRecord } from "./deployment-record";

/** The path of uploads. The id in it is the permission: no key is needed. */
export const uploads = defineCollection("uploads", storedRecord, (record) => [pathOf(record)]);

const pathOf = ({ id }: Pick<StoredRecord, "id">): string => `uploads/${id}.tar.gz`;

/** Places for the source code that a client uploads. What is uploaded is not kept: nothing is built from it. */
export class Uploads {
  private readonly uploads: Collection<StoredRecord>;

  constructor(store: Store) {
    this.uploads = uploads.in(store);
  }

  /** A new place: its id, and the source_tarball_path by which a revision names it. */
  issue({ tenant_id }: DeploymentRecord, now: number): { readonly id: string; readonly path: string } {
    const { id } = this.uploads.put(newRecord(tenant_id, now));
    return { id, path: pathOf({ id }) };
  }

  /** Takes an upload; 404 unless the place was issued. */
  receive(id: string): void {
    if (!this.uploads.all().some((upload) => upload.id === id)) throw notFound(`Upload ${id}`);
  }

  /** 400 unless the path is one that was issued to this tenant. */
  check(tenantId: string, path: string | null | undefined): void {
    if (path == null || this.uploads.having(tenantId, path).length > 0) return;
    throw new ApiError(400, "source_tarball_path is not one that upload-url returned");
  }
}
