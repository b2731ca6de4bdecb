import type { Canary } from "./search";

/** A canary; its name says where it comes from. */
export const canary = (name: string, value: string): Canary => ({ name, value, fromConfig: name.startsWith("config") });
/**
 * Two of each kind that is rotated. Each has characters that JSON, URLs, HTML and base64 write differently; a header holds no spaces and
 * no umlauts, a deployment secret also line breaks.
 */
export const CANARIES = {
  configKey: canary("config API key", 'Kc1"7/+&<kestrel-Qw8'),
  literalKey: canary("literal API key", 'Kl2"8/+&<merlin-Er9'),
  configToken: canary("config bearer token", 'Tc3"9/+&<plover-Ty1'),
  literalToken: canary("literal bearer token", 'Tl4"1/+&<avocet-Ui2'),
  configClient1: canary("config client_secret", 'Cc5 "2/+&<dunlin é-Op3'),
  configClient2: canary("config client_secret, rotated", 'Cd6 "3/+&<godwit é-As4'),
  literalClient1: canary("literal client_secret", 'Cl7 "4/+&<linnet é-Df5'),
  literalClient2: canary("literal client_secret, rotated", 'Cm8 "5/+&<siskin é-Gh6'),
  configSecret1: canary("config deployment secret", 'Dc9 "6/+&<first-wigeon é\nsecond-gadwall-Jk7'),
  configSecret2: canary("config deployment secret, rotated", 'Dd1 "7/+&<first-garganey é\nsecond-scoter-Lz8'),
  literalSecret1: canary("literal deployment secret", 'Dl2 "8/+&<first-brambling é\nsecond-twite-Xc9'),
  literalSecret2: canary("literal deployment secret, rotated", 'Dm3 "9/+&<first-whinchat é\nsecond-ouzel-Vb1'),
  configPassword1: canary("config registry password", 'Rc4 "1/+&<curlew é-Wd1'),
  configPassword2: canary("config registry password, rotated", 'Rd5 "2/+&<lapwing é-Xe2'),
  literalPassword1: canary("literal registry password", 'Rl6 "3/+&<knot é-Yf3'),
  literalPassword2: canary("literal registry password, rotated", 'Rm7 "4/+&<sanderling é-Zg4'),
  drifted: canary("secret set by hand", 'Sx4 "1/+&<first-dotterel é\nsecond-ruff-Nm2'),
  undeclared: canary("undeclared secret set by hand", 'Sy5 "2/+&<phalarope é-Qa3'),
};
