import * as fc from "fast-check";
import { merged, strays, type SettingPlace } from "./places";
import { SETTINGS, type Setting } from "./settings";

type Settings = Partial<Record<Setting, string>>;
const place =
  (settings: Settings): SettingPlace =>
  (setting) =>
    settings[setting];
const names = (setting: SettingPlace): string[] => SETTINGS.filter((name) => setting(name) !== undefined);

/** The settings of a place; each value names its place. */
const settingsAt = (where: string): fc.Arbitrary<Settings> =>
  fc.subarray([...SETTINGS]).map((some) => Object.fromEntries(some.map((name) => [name, where])));
const three = fc.tuple(settingsAt("platform"), settingsAt("stack"), settingsAt("environment"));

const ADDRESS = ["baseUrl", "region", "sandboxBaseUrl"] as const;
const KEYS = ["apiKey", "bearerToken"] as const;

describe("merging, whatever the three places set", () => {
  test("in two steps, as the program and the plugin do it, gives the same as in one", () => {
    fc.assert(
      fc.property(three, ([platform, stack, environment]) => {
        const all = [platform, stack, environment].map(place);
        const program = merged([place(platform), place(stack)]);
        const plugin = merged([program, place(environment)]);
        expect(SETTINGS.map(plugin)).toEqual(SETTINGS.map(merged(all)));
      }),
    );
  });

  test.each<[what: string, together: readonly Setting[]]>([
    ["an address", ADDRESS],
    ["a pair of credentials", KEYS],
  ])("%s never comes from two places", (_what, together) => {
    fc.assert(
      fc.property(three, (places) => {
        const setting = merged(places.map(place));
        expect(new Set(together.flatMap((name) => setting(name) ?? [])).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("a tenant comes from the key's place, or from one before it", () => {
    const order = ["platform", "stack", "environment"];
    fc.assert(
      fc.property(three, (places) => {
        const setting = merged(places.map(place));
        const key = setting("apiKey") ?? setting("bearerToken") ?? "environment";
        for (const name of ["tenantId", "organizationId"] as const) {
          expect(order.indexOf(setting(name) ?? "platform")).toBeLessThanOrEqual(order.indexOf(key));
        }
      }),
    );
  });

  test("a setting that is left out was overridden, belonged to an unused address or key, or is reported", () => {
    fc.assert(
      fc.property(settingsAt("first"), settingsAt("second"), (first, second) => {
        const places = [first, second].map(place);
        const kept = names(merged(places));
        const lost = names(place(second)).filter((name) => !kept.includes(name));
        const isWhole = (name: string): boolean =>
          [...ADDRESS, "agentDomain"].some((each) => each === name)
            ? Boolean(second.baseUrl ?? second.region)
            : Boolean(second.apiKey ?? second.bearerToken);
        expect(strays(places).sort()).toEqual(lost.filter((name) => !isWhole(name)).sort());
      }),
    );
  });
});
