import { SETTINGS, type Setting, type SettingProblem } from "./settings";

/** Which of the two addresses a region is looked up in. */
export const REGIONS = { us: "baseUrlUs", eu: "baseUrlEu" } as const satisfies Record<string, Setting>;

/** One place that settings can come from: the value it sets, undefined if it sets none. */
export type SettingPlace<Value = string> = (setting: Setting) => Value | undefined;

/** Settings that are decided together, because a host and a key from different places may not be meant for each other. */
interface Decision {
  /** The first place that sets one of these decides. */
  readonly decides: readonly Setting[];
  /** A place without any of these has only half of the decision. */
  readonly needs: readonly Setting[];
  /** These come from the place that decides, or from an earlier one. */
  readonly follows: readonly Setting[];
}

export const ADDRESS: Decision = {
  decides: ["baseUrl", "region", "sandboxBaseUrl"],
  needs: ["baseUrl", "region"],
  follows: ["agentDomain"],
};
export const CREDENTIALS: Decision = {
  decides: ["apiKey", "bearerToken"],
  needs: ["apiKey", "bearerToken"],
  follows: ["tenantId", "organizationId"],
};
const DECISIONS: readonly Decision[] = [ADDRESS, CREDENTIALS];

/** The decision that a setting is part of; undefined for one that is decided by itself. */
export const decisionOf = (setting: Setting): Decision | undefined =>
  DECISIONS.find(({ decides, follows }) => [...decides, ...follows].includes(setting));

const sets =
  <Value>(place: SettingPlace<Value>) =>
  (setting: Setting): boolean =>
    place(setting) !== undefined;

/** The first of `places` that decides, as an index; -1 if no place does. */
export const deciderOf = <Value>({ decides }: Decision, places: readonly SettingPlace<Value>[]): number =>
  places.findIndex((place) => decides.some(sets(place)));

/** The settings of several places, where earlier ones win: address and credentials each as a whole, everything else one by one. */
export function merged<Value>(places: readonly SettingPlace<Value>[]): SettingPlace<Value> {
  return (setting) => sourcesOf(places, setting).find((place) => sets(place)(setting))?.(setting);
}

function sourcesOf<Value>(places: readonly SettingPlace<Value>[], setting: Setting): readonly SettingPlace<Value>[] {
  const decision = decisionOf(setting);
  if (decision === undefined) return places;
  const at = deciderOf(decision, places);
  if (at < 0) return places;
  return places.slice(decision.decides.includes(setting) ? at : 0, at + 1);
}

/** Settings of later places that belong to an address or a key, and would be silently lost because an earlier place sets the address or key. */
export function strays<Value>(places: readonly SettingPlace<Value>[]): Setting[] {
  const result = merged(places);
  return DECISIONS.flatMap((decision) => {
    const later = places.slice(deciderOf(decision, places) + 1);
    const halves = later.filter((place) => !decision.needs.some(sets(place)));
    const lost = [...decision.decides, ...decision.follows].filter((setting) => !sets(result)(setting));
    return lost.filter((setting) => halves.some((place) => sets(place)(setting)));
  });
}

/**
 * The problems of a `Platform`'s own settings, independent of the places that complete them: its own address needs its own key, or a key
 * meant for another platform would be sent there.
 */
export function problemsOfPlatform(place: SettingPlace<unknown>): SettingProblem[] {
  const given = sets(place);
  const ofAddress = [...ADDRESS.decides, ...Object.values(REGIONS)];
  const first = SETTINGS.find((setting) => ofAddress.includes(setting) && given(setting));
  if (first === undefined) return [];
  if (!ADDRESS.needs.some(given)) {
    const whole =
      first === "sandboxBaseUrl" ? "all parts of an address have to come from one place" : "only region selects it";
    const reason = `${first} is set without baseUrl or region: ${whole}; set baseUrl or region, too`;
    return [{ setting: first, reason }];
  }
  if (CREDENTIALS.needs.some(given)) return [];
  const reason =
    `apiKey is missing beside ${first}: a Platform with its own address needs its own key, because no other key is sent there; ` +
    `set apiKey (or bearerToken), for example to config.requireSecret("...")`;
  return [{ setting: "apiKey", reason }];
}
