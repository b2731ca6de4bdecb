import type { z } from "zod";
import { inputsSchema } from "../../lifecycle/schema";
import { rulesOf } from "../../lifecycle/table";
import { oauthProviderTable, secretWithoutUse } from "./fields";

export const oauthProviderInputs = inputsSchema(oauthProviderTable.fields, secretWithoutUse);
export type OAuthProviderInputs = z.infer<typeof oauthProviderInputs.schema>;

export const oauthProviderFields = rulesOf(oauthProviderTable.fields);
