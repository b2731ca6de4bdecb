import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { UNKNOWN_PROP } from "./props";
import { defineRule, names } from "./settings";

/** A public client does not authenticate at the token endpoint. */
export const pkce = defineRule({
  name: "pkce-for-public-clients",
  description: "A client without a secret uses PKCE.",
  kinds: ["OAuthProvider"],
  settings: z.strictObject({
    exempt: names('The Pulumi names of providers that cannot do PKCE; "*" stands for any text.'),
  }),
  *problems({ name, props: { clientSecret, tokenEndpointAuthMethod, usesPkce, codeChallengeMethod } }, { exempt }) {
    const isPublic = clientSecret === undefined || tokenEndpointAuthMethod === "none";
    if (fitsOne(exempt, name) || !isPublic || usesPkce === UNKNOWN_PROP) return;
    if (usesPkce !== true) {
      const reason = clientSecret === undefined ? "there is no clientSecret" : 'tokenEndpointAuthMethod is "none"';
      yield `usesPkce: must be true, because ${reason}: without PKCE a stolen authorization code is enough to get a token. Set usesPkce: true, or use a clientSecret`;
    } else if (codeChallengeMethod === "plain") {
      // "plain" sends the verifier itself, which PKCE is meant to hide.
      yield `codeChallengeMethod: "plain" sends the verifier in plaintext with the request. Use "S256", or leave it out`;
    }
  },
});
