import { z } from "zod";

import type { JsonObject } from "../../base/json";
import { segment } from "../../http/segment";
import type { OAuthProviderInputs } from "./fields";
import { OAuthProviderWire } from "./wire";
import { NO_BODY, type Answer, type Request, type Send } from "../../http/request";

const PATH = "/v2/auth/providers";

const secretsOf = (inputs: OAuthProviderInputs): Pick<Request, "secrets"> =>
  inputs.clientSecret === undefined ? {} : { secrets: [inputs.clientSecret] };

/** POST /v2/auth/providers (docs/internals/platform.md, OAuth providers). */
export const createProvider = (
  send: Send,
  inputs: OAuthProviderInputs,
  body: JsonObject,
): Promise<Answer<OAuthProviderWire>> =>
  send({ method: "POST", path: PATH, body, ...secretsOf(inputs) }, OAuthProviderWire);

/** + GET /v2/auth/providers, a plain array: the one page there is (docs/internals/platform.md, Lists). */
export async function* listProviders(send: Send): AsyncGenerator<Answer<readonly OAuthProviderWire[]>> {
  yield await send({ method: "GET", path: PATH }, z.array(OAuthProviderWire));
}

/** + GET by provider_id, not by the UUID (docs/internals/platform.md, OAuth providers). */
export const getProvider = (send: Send, providerId: string): Promise<Answer<OAuthProviderWire>> =>
  send({ method: "GET", path: `${PATH}/${segment(providerId)}` }, OAuthProviderWire);

/** + PATCH: what is not sent keeps its value, the secret above all (docs/internals/platform.md, PATCH of an OAuth provider). */
export const updateProvider = (
  send: Send,
  inputs: OAuthProviderInputs,
  body: JsonObject,
): Promise<Answer<OAuthProviderWire>> =>
  send(
    {
      method: "PATCH",
      // It sets values: a second one sets the same.
      repeatable: true,
      path: `${PATH}/${segment(inputs.providerId)}`,
      body,
      ...secretsOf(inputs),
    },
    OAuthProviderWire,
  );

/** + DELETE by provider_id (docs/internals/platform.md, Endpoints). */
export const deleteProvider = (send: Send, providerId: string): Promise<Answer<unknown>> =>
  send({ method: "DELETE", path: `${PATH}/${segment(providerId)}` }, NO_BODY);
