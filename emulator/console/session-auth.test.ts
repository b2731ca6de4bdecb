import type { IncomingHttpHeaders } from "node:http";
import { ManualClock } from "../base/clock";
import { SessionAuth, isOwnHost, isSameOrigin } from "./session-auth";

const HOUR = 3_600_000;
const tenant = { tenantId: "t", organizationId: "o", apiKey: "key" };
const authAt = (clock: ManualClock, apiKey = "key", port = 4000) =>
  new SessionAuth([{ ...tenant, apiKey }], clock, () => `console-${port}`);
/** The cookie as a browser sends it back. */
const cookieOf = (setCookie: string | undefined): string => setCookie?.split(";")[0] ?? "";

test("a code signs in once", () => {
  const auth = authAt(new ManualClock());
  const code = auth.newCode();
  expect(auth.isSignedIn({ cookie: cookieOf(auth.signIn(code)) })).toBe(true);
  expect(auth.signIn(code)).toBeUndefined();
});

test.each<[string, (code: string, clock: ManualClock) => string]>([
  ["one of another emulator", () => authAt(new ManualClock()).newCode()],
  ["an empty one", () => ""],
  ["one that is cut off", (code) => code.slice(0, -1)],
  ["one that lay for an hour", (code, clock) => (clock.advance(HOUR), code)],
])("no other code does: %s", (_which, change) => {
  const clock = new ManualClock();
  const auth = authAt(clock);
  expect(auth.signIn(change(auth.newCode(), clock))).toBeUndefined();
});

test("the cookie is no script's, and no other site's", () => {
  const auth = authAt(new ManualClock());
  expect(auth.signIn(auth.newCode())).toMatch(
    /^console-4000=[\w.-]+; Path=\/console; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
});

test("the cookie outlives a restart with the same key, for a week", () => {
  const clock = new ManualClock();
  const before = authAt(clock);
  const cookie = cookieOf(before.signIn(before.newCode()));
  clock.advance(6 * 24 * HOUR);
  expect(authAt(clock).isSignedIn({ cookie })).toBe(true);
  clock.advance(24 * HOUR);
  expect(authAt(clock).isSignedIn({ cookie })).toBe(false);
});

describe("no cookie but its own signs in", () => {
  const clock = new ManualClock();
  const auth = authAt(clock);
  const own = cookieOf(auth.signIn(auth.newCode()));
  const other = authAt(clock, "other");
  const [endsAt, , signature] = own.slice("console-4000=".length).split(".");
  test.each<[string, string]>([
    ["none", ""],
    ["one of an emulator with another key", cookieOf(other.signIn(other.newCode()))],
    ["the same of another port", own.replace("4000", "4001")],
    ["one that is cut off", own.slice(0, -1)],
    ["one with more", `${own}.x`],
    ["one that was made to last", own.replace(String(endsAt), `${String(endsAt)}0`)],
    ["one whose random part was changed", `console-4000=${String(endsAt)}.AAAA.${String(signature)}`],
    ["a name alone", "console-4000="],
  ])("%s", (_which, cookie) => expect(auth.isSignedIn({ cookie })).toBe(false));

  test("its own does, also beside others of the host", () => {
    expect(auth.isSignedIn({ cookie: `a=1; console-4000=old; ${own}; b=2` })).toBe(true);
  });
});

test.each<[string | undefined, boolean, string]>([
  ["127.0.0.1:4000", true, "the address that is printed"],
  ["localhost:4000", true, "the same machine by its name"],
  ["LOCALHOST:4000", true, "names have no case"],
  ["127.0.0.1:8080", true, "a forwarded port"],
  ["127.0.0.1", true, "a forwarded port 80"],
  ["[::1]:4000", true, "the same machine in IPv6"],
  ["evil.example", false, "a name that was rebound to this machine"],
  ["evil.example:4000", false, "the same with the port"],
  ["127.0.0.1.evil.example:4000", false, "a name that begins well"],
  ["evil.example@127.0.0.1", false, "not a host"],
  ["localhost.", false, "not what browsers send for the printed address"],
  ["0.0.0.0:4000", false, "reaches this machine from pages of others"],
  ["", false, "no name"],
  [undefined, false, "no header"],
])("Host %s is taken: %s (%s)", (host, taken) => expect(isOwnHost({ host })).toBe(taken));

test.each<[IncomingHttpHeaders, boolean, string]>([
  [{ origin: "http://127.0.0.1:4000" }, true, "a form of our own"],
  [{ origin: "http://127.0.0.1:4000", "sec-fetch-site": "same-origin" }, true, "the same from a browser of today"],
  [{ origin: "http://127.0.0.1:4001" }, false, "another port: the same site, but another program"],
  [{ origin: "http://localhost:4000" }, false, "another name of this machine"],
  [{ origin: "https://127.0.0.1:4000" }, false, "another scheme"],
  [{ origin: "http://evil.example" }, false, "another site"],
  [{ origin: "null" }, false, "a frame without an origin"],
  [{}, false, "no origin: no form of a browser"],
  [{ origin: "http://127.0.0.1:4000", "sec-fetch-site": "same-site" }, false, "the browser knows better"],
  [{ origin: "http://127.0.0.1:4000", "sec-fetch-site": "cross-site" }, false, "the browser knows better"],
])("%j at 127.0.0.1:4000 is the same origin: %s (%s)", (headers, same) =>
  expect(isSameOrigin({ host: "127.0.0.1:4000", ...headers })).toBe(same),
);
