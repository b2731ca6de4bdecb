import { InvalidArgumentError } from "commander";

/** Reads the value of an option that must not be empty, as it would be from an unset variable. @param what A noun for messages: "the name of a stack". */
export const notEmpty =
  (what: string) =>
  (text: string): string => {
    if (text !== "") return text;
    throw new InvalidArgumentError(`It must be ${what}, and must not be empty: check that its value is set`);
  };

/** Reads the value of an option that counts something. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

/** Reads the value of an option that may also stand alone, which means true. */
export function trueOrFalse(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("It must be true or false.");
  return text === "true";
}
