import { runInNewContext } from "node:vm";
import { pathMatches } from "./trigger";

test.each<[reason: string, pattern: string, fits: readonly string[], fitsNot: readonly string[]]>([
  ["a path fits itself", "/v2/deployments", ["/v2/deployments"], ["/v2/deployments/", "/v2/deployment", "/v2"]],
  ["a bare star fits every path", "*", ["/", "/v2/deployments/1"], []],
  ["a star is a part that is not empty", "/v2/*", ["/v2/a"], ["/v2/", "/v2/a/b", "/v2"]],
  ["a star may be a piece of a part", "/a-*-z/b", ["/a-1-z/b", "/a---z/b"], ["/a-z/b", "/a--z/b", "/a-1/2-z/b"]],
  ["two stars are any rest, even none", "/v2/**", ["/v2/", "/v2/a", "/v2/a/b"], ["/v2", "/v3/a"]],
  ["two stars may stand in the middle", "/v2/**/logs", ["/v2/a/logs", "/v2/a/b/logs"], ["/v2/logs", "/v2/a/logs/b"]],
  ["three are two and one", "/***", ["/a", "/a/b"], ["/", "/a/"]],
  ["another sign stands for itself", "/v2/(a|b).+", ["/v2/(a|b).+"], ["/v2/a", "/v2/ab1"]],
  ["an empty one fits nothing", "", [], ["/", "/v2"]],
  [
    "one is as long as one likes",
    `/${"ab*".repeat(40)}/**z`,
    [`/${"abc".repeat(40)}/z`, `/${"abcd".repeat(40)}/e/z`],
    [`/${"abc".repeat(39)}/z`],
  ],
  ["as many stars as one likes end", `/v2/${"*".repeat(41)}/x`, ["/v2/a/x", "/v2/a/b/x"], [`/v2/${"a/".repeat(2000)}`]],
])("%s", (_reason, pattern, fits, fitsNot) => {
  expect(fits.filter((path) => !pathMatches(pattern, path))).toEqual([]);
  expect(fitsNot.filter((path) => pathMatches(pattern, path))).toEqual([]);
});

test.each(["*a", "**a", "**/a/*", "a*/**"])(
  "the longest path that a server takes is compared with a pattern full of %s at once",
  (part) => {
    const paths = ["a", "a/"].map((name) => `/${name.repeat(16_000 / name.length)}`);
    const pattern = `/**${part.repeat(190 / part.length)}b`;
    const compare = () => paths.filter((path) => pathMatches(pattern, path));
    // An expression that backtracks would take for ever, this takes a tenth of a second: jest cannot end what never waits.
    const timeout = 5000;
    expect(runInNewContext("compare()", { compare }, { timeout })).toEqual([]);
  },
);
