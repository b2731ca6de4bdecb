import { z } from "zod";
import { validated } from "./validation";

test.each<[type: string, msg: string, field: z.ZodType, sent: unknown]>([
  ["missing", "Field required", z.string(), undefined],
  ["string_type", "Input should be a valid string", z.string(), null],
  ["bool_type", "Input should be a valid boolean", z.boolean(), "true"],
  ["float_type", "Input should be a valid number", z.number(), "1"],
  ["int_type", "Input should be a valid integer", z.int(), 1.5],
  ["list_type", "Input should be a valid list", z.array(z.string()), {}],
  ["dict_type", "Input should be a valid dictionary", z.object({}), []],
  ["dict_type", "Input should be a valid dictionary", z.record(z.string(), z.string()), []],
  ["type_error", "Input is not of the right type", z.undefined(), "canary"],
  ["literal_error", "Input should be 'asc', 'desc'", z.enum(["asc", "desc"]), "canary"],
  ["string_too_short", "String should have at least 1 characters", z.string().min(1), ""],
  ["string_too_long", "String should have at most 3 characters", z.string().max(3), "canary"],
  ["greater_than_equal", "Input should be greater than or equal to 1", z.number().min(1), 0],
  ["less_than_equal", "Input should be less than or equal to 8", z.number().max(8), 9],
  ["value_error", "is no name", z.string().refine(() => false, "is no name"), "canary"],
  ["value_error", "Input is not valid", z.string().regex(/^x/), "canary"],
])("422 says where and why, and never repeats the value: %s, %s", async (type, msg, field, sent) => {
  const detail = [{ loc: ["body", "list", 0, "field"], msg, type }];
  const schema = z.object({ list: z.array(z.object({ field })) });
  const asked = Promise.resolve({ list: [{ field: sent }] });
  await expect(asked.then((value) => validated(schema, value))).rejects.toMatchObject({ status: 422, detail });
});
