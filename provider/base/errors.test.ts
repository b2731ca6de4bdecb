import { messageOf } from "./errors";

test("an error of several, such as a refused connection to each address of a name, says what each of them says", () => {
  const refused = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
  expect(messageOf(new AggregateError(refused))).toBe(
    "connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432",
  );
  expect(messageOf(new AggregateError(refused, "nobody answers"))).toBe("nobody answers");
});
