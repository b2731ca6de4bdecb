import { nearest } from "./nearest";

const KNOWN = ["baseUrl", "apiKey", "tenantId", "region"];

test.each<[reason: string, given: string, near: string | undefined]>([
  ["another case", "baseURL", "baseUrl"],
  ["a letter too many", "regions", "region"],
  ["a letter too few", "apKey", "apiKey"],
  ["two letters changed", "tenentID", "tenantId"],
  ["nothing like it", "colour", undefined],
  ["nothing at all", "", undefined],
])("%s", (_reason, given, near) => expect(nearest(given, KNOWN)).toBe(near));
