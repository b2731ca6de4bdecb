import type { z } from "zod";
import { inputsSchema } from "../../lifecycle/schema";
import { rulesOf } from "../../lifecycle/table";
import { deploymentTable, namesGivenTwice } from "./fields";

export const deploymentInputs = inputsSchema(deploymentTable.fields, namesGivenTwice);
export type DeploymentInputs = z.infer<typeof deploymentInputs.schema>;

export const deploymentFields = rulesOf(deploymentTable.fields);
