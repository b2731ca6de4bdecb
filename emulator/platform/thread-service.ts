import { randomUUID } from "node:crypto";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Collection } from "../store/collection";
import type { Store } from "../store/store";
import { threads, type ThreadRecord } from "./thread-record";

/** The threads of deployments. */
export class ThreadService {
  private readonly threads: Collection<ThreadRecord>;

  constructor(store: Store) {
    this.threads = threads.in(store);
  }

  /** A new thread, with an id of its own unless the caller has one; 409 if any thread has that id. */
  create(
    owner: { readonly tenantId: string; readonly deploymentId: string },
    metadata: Record<string, unknown>,
    now: number,
    id: string = randomUUID(),
  ): ThreadRecord {
    if (this.threads.has(id)) throw new ApiError(409, `Thread with ID ${id} already exists`);
    const at = timestamp(now);
    return this.threads.put({
      id,
      tenant_id: owner.tenantId,
      deployment_id: owner.deploymentId,
      metadata,
      values: null,
      created_at: at,
      updated_at: at,
    });
  }

  /** The threads of a deployment, oldest first. */
  list(tenantId: string, deploymentId: string): readonly ThreadRecord[] {
    return this.threads.having(tenantId, deploymentId);
  }

  get(tenantId: string, id: string): ThreadRecord | undefined {
    return this.threads.get(tenantId, id);
  }

  /** Keeps the state that a run left behind. Does nothing for a thread that is gone. */
  saveValues({ tenant_id, id }: ThreadRecord, values: Readonly<Record<string, unknown>>, now: number): void {
    const record = this.threads.get(tenant_id, id);
    if (record) this.threads.put({ ...record, values: { ...values }, updated_at: timestamp(now) });
  }
}
