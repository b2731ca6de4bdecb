import { shortDuration } from "./format";

test.each([
  [300, "0.3 s"],
  [119_400, "119 s"],
  [200_000, "3 min 20 s"],
  [239_900, "3 min 59 s"],
  [3_113_000, "51 min"],
  [7_500_000, "2 h 5 min"],
])("%i ms is %s, which a column of the console has room for", (ms, text) => {
  expect(shortDuration(ms)).toBe(text);
});
