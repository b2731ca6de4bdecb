import { textIn } from "../../base/json";
import { z } from "zod";
import { toInputNames } from "../../lifecycle/fields/rename";
import { restResource } from "../../lifecycle/rest/rest-resource";
import { oauthProviderTable, type OAuthProviderInputs } from "./fields";

/** What a DELETE answers (docs/internals/platform.md, Endpoints). */
const Deleted = z.object({ message: z.string() });

/** An OAuth provider, whose id is its provider_id, not the platform's UUID. Everything except creation needs contract `extended`. */
export const oauthProvider = restResource<OAuthProviderInputs>({
  table: oauthProviderTable,
  path: "/v2/auth/providers",

  isDeleted: ({ data, status }) => status === 204 || Deleted.safeParse(data).success,
  isSameObject: ({ id }, { outputs }) => typeof id === "string" && id === outputs["uuid"],
  workspaceOf: (live) => ({ organizationId: textIn(live, "organization_id") }),
  toInputs(live) {
    const inputs = toInputNames(oauthProviderTable.fields, live);
    // Without PKCE there is no challenge, and null says nothing.
    const isMoot = live["uses_pkce"] === false && inputs["codeChallengeMethod"] === null;
    return isMoot ? { ...inputs, codeChallengeMethod: undefined } : inputs;
  },
});
