import { oauthProviders, sandboxTemplates, type Emulator } from "../../emulator";

/** Asks a platform, or an agent, as anybody with its key; gives the answer, or fails with what it was. */
export async function ask(
  { url, apiKey }: Pick<Emulator, "url" | "apiKey">,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** The names of the templates that a platform has. */
export const templatesOn = (emulator: Emulator): string[] =>
  emulator
    .outOfBand(sandboxTemplates)
    .list()
    .map(({ name }) => name);

/** The ids of the OAuth providers that a platform has. */
export const providersOn = (emulator: Emulator): string[] =>
  emulator
    .outOfBand(oauthProviders)
    .list()
    .map(({ provider_id: id }) => id);

/** The body of a POST that makes a deployment of an image. */
export const deploymentOf = (
  name: string,
  image = "registry.example/agent:1",
  secrets: Readonly<Record<string, string>> = {},
) => ({
  name,
  source: "external_docker",
  source_config: { resource_spec: {} },
  source_revision_config: { image_uri: image },
  secrets: Object.entries(secrets).map(([variable, value]) => ({ name: variable, value })),
});

/** The body of a POST that makes an OAuth provider. */
export const providerOf = (id: string, secret = "s") => ({
  provider_id: id,
  name: id,
  client_id: "c",
  client_secret: secret,
  auth_url: "https://a.example/auth",
  token_url: "https://a.example/token",
});
