import { randomUUID } from "node:crypto";
import { timestamp } from "../base/clock";
import { type Collection, newRecord } from "../store/collection";
import { threadIdOf, type LastRun, type ThreadRecord } from "./agent-records";

/** The agent that a thread belongs to. */
export interface ThreadOwner {
  readonly tenantId: string;
  readonly deploymentId: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The state after a super-step of a run, and the names of the nodes that come next. */
export interface Reached {
  readonly step: number;
  readonly values: Fields;
  readonly next: readonly string[];
}

/** The threads of deployments. What a run changes is lost if the thread is gone. */
export class ThreadService {
  constructor(private readonly threads: Collection<ThreadRecord>) {}

  /** All of an agent, in order of creation. */
  list({ tenantId, deploymentId }: ThreadOwner): readonly ThreadRecord[] {
    return this.threads.having(tenantId, deploymentId).filter((thread) => thread.deployment_id === deploymentId);
  }

  find({ tenantId, deploymentId }: ThreadOwner, threadId: string): ThreadRecord | undefined {
    const found = this.threads.having(tenantId, threadId);
    return found.find((thread) => thread.deployment_id === deploymentId && threadIdOf(thread) === threadId);
  }

  create(owner: ThreadOwner, metadata: Fields, now: number, threadId: string = randomUUID()): ThreadRecord {
    return this.threads.put({
      ...newRecord(owner.tenantId, now),
      deployment_id: owner.deploymentId,
      thread_id: threadId,
      metadata: { ...metadata },
      values: null,
      checkpoint: null,
      last_run: null,
      state_updated_at: timestamp(now),
    });
  }

  /** The state from which the next run goes on. */
  stateOf(thread: ThreadRecord): Fields {
    const { checkpoint, values } = this.latest(thread) ?? thread;
    return checkpoint?.values ?? values ?? {};
  }

  /** A run begins: the thread takes the metadata that name its assistant. */
  begin(thread: ThreadRecord, metadata: Fields, now: number): void {
    this.change(thread, (record) => ({
      metadata: { ...record.metadata, ...metadata },
      last_run: { status: "idle", error: null, failed_node: null },
      updated_at: timestamp(now),
    }));
  }

  reach(thread: ThreadRecord, runId: string, { step, values, next }: Reached, now: number): void {
    this.change(thread, (record) => ({
      checkpoint: {
        id: randomUUID(),
        parent_id: record.checkpoint?.id ?? null,
        run_id: runId,
        step,
        created_at: timestamp(now),
        values: { ...values },
        next: [...next],
      },
    }));
  }

  /** A run has ended: its state becomes that of the thread. */
  end(thread: ThreadRecord, ended: LastRun, now: number): void {
    const at = timestamp(now);
    this.change(thread, ({ checkpoint, values }) => ({
      values: checkpoint?.values ?? values,
      last_run: ended,
      updated_at: at,
      state_updated_at: at,
    }));
  }

  remove({ id }: ThreadRecord): void {
    this.threads.remove(id);
  }

  private change(thread: ThreadRecord, changed: (record: ThreadRecord) => Partial<ThreadRecord>): void {
    const record = this.latest(thread);
    if (record) this.threads.put({ ...record, ...changed(record) });
  }

  private latest({ tenant_id, id }: ThreadRecord): ThreadRecord | undefined {
    return this.threads.get(tenant_id, id);
  }
}
