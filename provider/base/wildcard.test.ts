import { matchesWildcard } from "./wildcard";

test.each<[reason: string, pattern: string, fit: readonly string[], fitNot: readonly string[]]>([
  ["a text fits itself", "prod", ["prod"], ["prod-1", "pro", ""]],
  ["a star is any text, even none", "prod-*", ["prod-", "prod-1", "prod-\n*"], ["prod", "a-prod-1"]],
  ["the parts stand in their order", "a*b*c", ["abc", "a-b-c", "abbc", "abcbc"], ["acb", "ab", "a-c"]],
  ["the end is not part of what stands before it", "a*a", ["aa", "aba"], ["a"]],
  ["a part in the middle ends before the end begins", "*ab*b", ["abb", "xab-b"], ["ab", "xab"]],
  ["another sign stands for itself", "a.b(c)?", ["a.b(c)?"], ["axb(c)?", "a.b"]],
  ["an empty one fits an empty text", "", [""], ["a"]],
  ["as many stars as one likes end", "*a".repeat(30) + "!", ["a".repeat(30) + "!"], ["a".repeat(5000)]],
])("%s", (_reason, pattern, fit, fitNot) => {
  expect(fit.filter((text) => !matchesWildcard(pattern, text))).toEqual([]);
  expect(fitNot.filter((text) => matchesWildcard(pattern, text))).toEqual([]);
});
