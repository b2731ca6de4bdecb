import { join } from "node:path";
import { z } from "zod";
import { sbomOf } from "./sbom";

const bill = z.object({ components: z.array(z.object({ name: z.string() })) });

test("the bill of materials names nothing of the tools or of another workspace", async () => {
  const place = { checkout: join(__dirname, "..", ".."), env: process.env, log: () => undefined, time: new Date(0) };
  const names = bill.parse(JSON.parse(await sbomOf(place, new Set()))).components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["axios", "zod", "hono", "node"]));
  for (const name of ["jest", "typescript", "esbuild", "prettier", "@dbos-inc/dbos-sdk", "pg"])
    expect(names).not.toContain(name);
});
