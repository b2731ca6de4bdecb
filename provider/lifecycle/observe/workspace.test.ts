import { Workspaces } from "./workspace";

test("a question that failed is asked again, and one that was answered is not", async () => {
  const answers = [Promise.reject(new Error("503")), Promise.resolve({ tenantId: "t-1" })];
  let asked = 0;
  const workspaces = new Workspaces(() => answers[asked++] ?? Promise.reject(new Error("asked again")));
  await expect(Promise.all([workspaces.ask(), workspaces.ask()])).rejects.toThrow("503");
  await workspaces.ask();
  await workspaces.ask();
  expect([asked, workspaces.names]).toEqual([2, "t-1"]);
});
