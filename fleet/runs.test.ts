import { DBOSClient } from "@dbos-inc/dbos-sdk";
import { Pool } from "pg";
import { APPLICATION } from "./database";
import { runOf } from "./runs";

test("a database without a run has none, in whatever language it says so; any other error is one", async () => {
  const client = await DBOSClient.create({ ...APPLICATION, systemDatabasePool: new Pool() });
  const missing = Object.assign(new Error("Relation »dbos.workflow_status« existiert nicht"), { code: "42P01" });
  const listed = jest.spyOn(client, "listWorkflows").mockRejectedValueOnce(missing);
  expect(await runOf(client)).toBeUndefined();
  listed.mockRejectedValueOnce(new Error("it does not answer"));
  await expect(runOf(client)).rejects.toThrow("it does not answer");
  await client.destroy();
});
