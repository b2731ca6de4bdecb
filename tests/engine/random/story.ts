import type { LogEntry } from "../../../emulator";
import type { Ran } from "./ran";
import { programText } from "./program-text";
import type { World } from "./world";

/** The story of one program, for a person to read. */
export class Story {
  private readonly lines: string[] = [];
  private lastProgram = "";

  tell(line: string): void {
    this.lines.push(line);
  }

  /** The program, where it differs from that of the previous step. */
  tellProgram(world: World): void {
    const text = programText(world).trim();
    if (text !== this.lastProgram) this.tell(`  the program:\n${indented(text === "" ? "// nothing" : text, 6)}`);
    this.lastProgram = text;
  }

  tellCommand({ line, ended }: Ran, requests: readonly LogEntry[]): void {
    this.tell(`  $ ${line}  -> ${ended.cut ? "killed" : ended.hung ? "did not end" : `exit code ${ended.code}`}`);
    const messages = ended.output.indexOf("Diagnostics:");
    if (messages >= 0) this.tell(indented(shortened(ended.output.slice(messages), 2500), 6));
    else if (ended.code !== 0) this.tell(indented(shortened(ended.output, 1500), 6));
    const telling = requests.filter(({ method, fault }) => method !== "GET" || fault !== null);
    const counts = new Map<string, number>();
    for (const text of telling.map(requestLine)) counts.set(text, (counts.get(text) ?? 0) + 1);
    const texts = [...counts].map(([text, count]) => (count > 1 ? `${text} (${count} times)` : text));
    if (texts.length > 0) this.tell(indented(texts.join("\n"), 6));
  }

  get text(): string {
    return this.lines.join("\n");
  }
}

function requestLine({ method, path, status, fault, requestBody }: LogEntry): string {
  const body = requestBody === null ? "" : ` ${JSON.stringify(requestBody)}`;
  return `${method} ${path}${shortened(body, 400)} -> ${status ?? "no answer"}${fault === null ? "" : ` (fault: ${fault})`}`;
}

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} ...` : text;

const indented = (text: string, by: number): string =>
  text
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => " ".repeat(by) + line)
    .join("\n");
