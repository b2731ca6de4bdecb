import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { isProps } from "./props";
import { defineRule, names } from "./settings";

/** Names whose last word shows that the value is a secret: MODEL_API_KEY, but not API_KEY_FILE. */
const NAME =
  /(^|_)(SECRETS?|TOKEN|PASSWORD|PASSWD|PASSPHRASE|(API|ACCESS|PRIVATE|SIGNING|ENCRYPTION)_?KEY|CREDENTIALS?)$/;
/** Values that can be recognized by their form: private keys, tokens of code hosts, clouds and models, signed tokens. */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /^gh[pousr]_\w{30,}$/,
  /^github_pat_\w{30,}$/,
  /^glpat-[\w-]{20,}$/,
  /^xox[abposr]-[\w-]{10,}$/,
  /^(AKIA|ASIA)[0-9A-Z]{16}$/,
  /^AIza[\w-]{35}$/,
  /^(sk|pk|rk)[-_]((live|test|proj|ant)[-_])?[\w-]{20,}$/,
  /^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/,
];

const REMEDY = "Move it to secrets, or list the variable in `allow` of the settings of no-secrets-in-environment";

/** Plain variables are visible in previews, in states and in the platform's answers. */
export const environmentSecrets = defineRule({
  name: "no-secrets-in-environment",
  description: "What looks like a secret is in `secrets`, not in `environmentVariables`.",
  kinds: ["Deployment"],
  settings: z.strictObject({
    allow: names('Variables that are no secrets although they look like some; "*" stands for any text.'),
    minLength: z.int().min(1).default(20).describe("The shortest value whose randomness is judged, in characters."),
    entropy: z
      .number()
      .min(0)
      .default(3.5)
      .describe("From how many bits per character on a value counts as random. 0: every value of that length does."),
  }),
  *problems({ props: { environmentVariables } }, { allow, minLength, entropy }) {
    for (const [name, value] of Object.entries(isProps(environmentVariables) ? environmentVariables : {})) {
      if (typeof value !== "string" || value === "" || fitsOne(allow, name)) continue;
      const why = suspicion(name, value, minLength, entropy);
      if (why !== undefined) yield `environmentVariables.${name}: ${why}, and plain variables are visible. ${REMEDY}`;
    }
  },
});

function suspicion(name: string, value: string, minLength: number, entropy: number): string | undefined {
  if (/^(true|false)$/i.test(value)) return undefined;
  if (NAME.test(inCapitals(name))) return "has the name of a secret";
  if (FORMS.some((form) => form.test(value))) return "has the form of a key or a token";
  if (URL.canParse(value) && new URL(value).password !== "") return "is a URL with a password in it";
  return value.length >= minLength && looksMixed(value) && bitsPerCharacter(value) >= entropy
    ? "looks random, as keys do"
    : undefined;
}

/** MODEL_API_KEY of modelApiKey. */
const inCapitals = (name: string): string =>
  name
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1_")
    .replace(/[.-]/g, "_")
    .toUpperCase();

/** Upper case, lower case and digits without a space, a dot or a colon: not a sentence, address, version, path of words, hash or UUID. */
const looksMixed = (value: string): boolean =>
  /^[\w+/=-]+$/.test(value) && [/[A-Z]/, /[a-z]/, /\d/].every((some) => some.test(value));

/** Shannon's entropy of the characters of a text. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
