import type { z } from "zod";
import { inputsSchema } from "../../lifecycle/schema";
import { rulesOf } from "../../lifecycle/table";
import { rolloutTable } from "./fields";

export const rolloutInputs = inputsSchema(rolloutTable.fields);
export type RolloutInputs = z.infer<typeof rolloutInputs.schema>;

export const rolloutFields = rulesOf(rolloutTable.fields);
