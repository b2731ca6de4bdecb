import type { z } from "zod";
import { inputsSchema } from "../../lifecycle/schema";
import { rulesOf } from "../../lifecycle/table";
import { listenerTable } from "./fields";

export const listenerInputs = inputsSchema(listenerTable.fields);
export type ListenerInputs = z.infer<typeof listenerInputs.schema>;

export const listenerFields = rulesOf(listenerTable.fields);
