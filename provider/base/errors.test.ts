import { HttpError, messageOf } from "./errors";

test("an error of several, such as a refused connection to each address of a name, says what each of them says", () => {
  const refused = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
  expect(messageOf(new AggregateError(refused))).toBe(
    "connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432",
  );
  expect(messageOf(new AggregateError(refused, "nobody answers"))).toBe("nobody answers");
});

test("a refusal says how long the platform asks to wait", () => {
  const says = (ms?: number) => new HttpError("GET", "/x", 429, "slow down", ms).message;
  expect(says(90_000)).toBe("GET /x answered 429: slow down (Retry-After: 1m30s)");
  expect([says(0), says()]).toEqual(Array(2).fill("GET /x answered 429: slow down"));
});
