import type { z } from "zod";
import { inputsSchema } from "../../lifecycle/schema";
import { rulesOf } from "../../lifecycle/table";
import { givenTwice, sandboxTemplateTable } from "./fields";

export const sandboxTemplateInputs = inputsSchema(sandboxTemplateTable.fields, givenTwice);
export type SandboxTemplateInputs = z.infer<typeof sandboxTemplateInputs.schema>;

export const sandboxTemplateFields = rulesOf(sandboxTemplateTable.fields);
