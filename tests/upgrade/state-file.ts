import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { z } from "zod";

const Properties = z.record(z.string(), z.json());
type Properties = z.infer<typeof Properties>;
type Value = Properties[string];

const Resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  /** True for an object that was only read (`X.get`). */
  external: z.boolean().default(false),
  /** `<URN of the provider>::<its id>`. */
  provider: z.string().default(""),
  inputs: Properties.default({}),
  outputs: Properties.default({}),
});
export type StoredResource = z.infer<typeof Resource>;

const StateFile = z.object({
  deployment: z.object({
    secrets_providers: z.object({ type: z.literal("passphrase"), state: z.object({ salt: z.string() }) }),
    resources: z.array(Resource),
  }),
});

/** The resources of an exported state, in the engine's order: each before those that depend on it. Secrets are as they are in the file. */
export function resourcesOf(text: string): StoredResource[] {
  return StateFile.parse(JSON.parse(text)).deployment.resources;
}

/** The same resources with their secrets in plaintext. */
export function decryptedResources(text: string, passphrase: string): StoredResource[] {
  const { secrets_providers: secrets, resources } = StateFile.parse(JSON.parse(text)).deployment;
  const salt = Buffer.from(secrets.state.salt.split(":")[1] ?? "", "base64");
  const key = pbkdf2Sync(passphrase, salt, 1_000_000, 32, "sha256");
  const plain = (properties: Properties): Properties => Properties.parse(decrypted(properties, key));
  return resources.map((resource) => ({
    ...resource,
    inputs: plain(resource.inputs),
    outputs: plain(resource.outputs),
  }));
}

/** The engine marks each secret with this key and value. */
const SECRET = { key: "4dabf18193072939515e22adb298388d", value: "1b47061264138c4ac30d75fd1eb44270" };

function decrypted(value: Value, key: Buffer): Value {
  if (Array.isArray(value)) return value.map((item) => decrypted(item, key));
  if (typeof value !== "object" || value === null) return value;
  if (value[SECRET.key] === SECRET.value) {
    return z.json().parse(JSON.parse(decipher(z.string().parse(value["ciphertext"]), key)));
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decrypted(item, key)]));
}

const TAG_BYTES = 16;

/** `v1:<nonce>:<AES-256-GCM, its tag at the end>`, as the engine's passphrase provider writes it. */
function decipher(ciphertext: string, key: Buffer): string {
  const [, nonce = "", sealed = ""] = ciphertext.split(":");
  const bytes = Buffer.from(sealed, "base64");
  const cipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([cipher.update(bytes.subarray(0, -TAG_BYTES)), cipher.final()]).toString();
}
