import { UNKNOWN, type Rule } from "./props";

/** A public client does not authenticate at the token endpoint. */
export const pkce: Rule = {
  name: "pkce-for-public-clients",
  description: "A client without a secret uses PKCE.",
  kinds: ["OAuthProvider"],
  problems: ({ clientSecret, tokenEndpointAuthMethod, usesPkce, codeChallengeMethod }) => {
    const isPublic = clientSecret === undefined || tokenEndpointAuthMethod === "none";
    if (!isPublic || usesPkce === UNKNOWN) return [];
    if (usesPkce !== true) {
      const reason = clientSecret === undefined ? "there is no clientSecret" : 'tokenEndpointAuthMethod is "none"';
      return [
        `usesPkce: must be true, because ${reason}: without PKCE a stolen authorization code is enough to get a token. Set usesPkce: true, or use a clientSecret`,
      ];
    }
    // "plain" sends the verifier itself, which PKCE is meant to hide.
    return codeChallengeMethod === "plain"
      ? [`codeChallengeMethod: "plain" sends the verifier in plaintext with the request. Use "S256", or leave it out`]
      : [];
  },
};
