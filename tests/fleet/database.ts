import { DBOSClient, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import { Pool } from "pg";
import { APPLICATION, type Database } from "../../fleet/database";

/** A database that nobody runs: its statements are answered here, and a test spies upon its client. */
export async function fakeDatabase(answer: (text: string, values: readonly unknown[]) => object): Promise<Database> {
  const query = (text: string, values: unknown[] = []): Promise<object> => Promise.resolve(answer(text, values));
  const pool = Object.assign(new Pool(), { query });
  const client = await DBOSClient.create({ ...APPLICATION, systemDatabasePool: pool });
  return { pool, client, shown: "", isEmbedded: true, alone: (act) => act(), close: () => client.destroy() };
}

/** A workflow of a stack as DBOS lists it. */
export const workflow = (workflowID: string, more: Partial<WorkflowStatus> = {}): WorkflowStatus => ({
  workflowID,
  workflowName: "stack",
  workflowClassName: "",
  status: "PENDING",
  createdAt: 1,
  priority: 0,
  ...more,
});
