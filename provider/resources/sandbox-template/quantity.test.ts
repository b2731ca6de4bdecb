import fc from "fast-check";
import { quantityValue, sameQuantity } from "./quantity";

describe("quantities are compared by value", () => {
  test.each([
    ["1", "1000m", true, "milli"],
    ["0.5", "500m", true, "decimal fraction"],
    ["1Gi", "1024Mi", true, "binary"],
    ["1G", "1000M", true, "decimal"],
    ["1Gi", "1G", false, "binary is not decimal"],
    ["1500m", "1.5", true, "fraction"],
    ["1", "2", false, "another value"],
    ["junk", "junk", true, "a text that is not a quantity equals itself"],
    ["junk", "1", false, "a text that is not a quantity equals no quantity"],
  ])("%s and %s: %s (%s)", (a, b, expected) => expect(sameQuantity(a, b)).toBe(expected));

  test.each(["", "-1", "1 Gi", "1gi", "1e3", ".5", "1.", "0x10", "1Gib", "m"])("%j is not a quantity", (text) => {
    expect(quantityValue(text)).toBeUndefined();
  });

  test("n Gi is 1024 n Mi, for every n", () => {
    fc.assert(fc.property(fc.nat(), (n) => sameQuantity(`${n}Gi`, `${n * 1024}Mi`)));
  });
});
