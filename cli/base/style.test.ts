import { progressOn } from "./style";

test.each([
  [true, 20, "\r\x1b[Krevision 12345678-…"],
  [true, 0, "\r\x1b[Krevision 12345678-1234 is BUILDING"],
  [false, 20, ""],
])("a line of progress takes one row of a terminal: terminal %s of %d columns", (isTTY, columns, shown) => {
  let written = "";
  progressOn({ isTTY, columns, write: (text) => (written += text) }).show("revision 12345678-1234 is BUILDING");
  expect(written).toBe(shown);
});
