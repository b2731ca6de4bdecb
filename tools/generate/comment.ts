import { consequencesOf, type Field } from "../../provider/lifecycle/fields/table";

const WIDTH = 140;

/** The comment of an argument: its description, and what follows from the rest of its row. */
export function commentOf(field: Field, indent: string): string {
  const text = [field.description, ...consequencesOf(field)].join(" ");
  const otherwise = field.defaultText ?? scalar(field);
  return comment(otherwise === undefined ? text : `${text} @default ${otherwise}`, indent);
}

function scalar({ default: value }: Field): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : JSON.stringify(value);
}

/** A comment of documentation: on one line where it fits. */
export function comment(text: string, indent = ""): string {
  const whole = `${indent}/** ${text} */\n`;
  if (whole.length <= WIDTH) return whole;
  const lines = text.split(" ").reduce<string[]>((all, word) => {
    const last = all.at(-1);
    const longer = `${last ?? ""} ${word}`;
    return last === undefined || `${indent} * ${longer}`.length > WIDTH
      ? [...all, word]
      : [...all.slice(0, -1), longer];
  }, []);
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
