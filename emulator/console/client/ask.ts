import type { AnswerPart } from "../views";

/** Streams the answer of an agent into the page, node by node. */
export function ask(): void {
  const form = document.getElementById("ask");
  const answer = document.getElementById("answer");
  if (!(form instanceof HTMLFormElement) || answer === null) return;
  let running: AbortController | undefined;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    running?.abort();
    running = new AbortController();
    void stream(form, new Answer(answer), running.signal);
  });
  form.querySelector("button")?.removeAttribute("disabled");
}

async function stream(form: HTMLFormElement, answer: Answer, signal: AbortSignal): Promise<void> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  try {
    const response = await fetch(form.action, { method: "POST", body: fields, signal });
    if (!response.ok || response.body === null) throw new Error(`The console answered ${response.status}.`);
    for await (const part of partsOf(response.body)) answer.add(part);
  } catch (error) {
    if (signal.aborted) return;
    answer.add({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

/** The console writes its own lines: nothing else is to be expected, and the types are the same on both sides. */
const readPart: (line: string) => AnswerPart = JSON.parse;

/** The lines of a body, as they come. */
async function* partsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPart> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      yield readPart(line);
    }
  }
}

/** The answer on the page: a box for each node. Only texts are set, never markup. */
class Answer {
  private readonly nodes = new Map<string, HTMLElement>();

  constructor(private readonly place: HTMLElement) {
    place.replaceChildren();
    place.dataset["answer"] = "running";
  }

  add(part: AnswerPart): void {
    switch (part.type) {
      case "token":
        this.textOf(part.node).append(part.text);
        return;
      case "node":
        this.textOf(part.node).parentElement?.classList.add("written");
        return;
      case "cut":
        this.remark("The answer is too long: the rest is left out.");
        return;
      case "failed":
        this.remark(part.message, "problem");
        this.place.dataset["answer"] = "failed";
        return;
      case "done":
        this.place.dataset["answer"] = "done";
    }
  }

  private textOf(name: string): HTMLElement {
    const known = this.nodes.get(name);
    if (known !== undefined) return known;
    const box = document.createElement("div");
    box.className = "node";
    box.dataset["node"] = name;
    const title = document.createElement("h3");
    title.textContent = name;
    const text = document.createElement("bdi");
    text.className = "said";
    box.append(title, text);
    this.place.append(box);
    this.nodes.set(name, text);
    return text;
  }

  private remark(text: string, look = "faint"): void {
    const remark = document.createElement("p");
    remark.className = look;
    remark.textContent = text;
    this.place.append(remark);
  }
}
