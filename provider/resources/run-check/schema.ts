import type { z } from "zod";
import { inputsSchema } from "../../lifecycle/schema";
import { rulesOf } from "../../lifecycle/table";
import { runCheckTable } from "./fields";

export const runCheckInputs = inputsSchema(runCheckTable.fields);
export type RunCheckInputs = z.infer<typeof runCheckInputs.schema>;
export type Expectations = NonNullable<RunCheckInputs["expect"]>;

export const runCheckFields = rulesOf(runCheckTable.fields);
