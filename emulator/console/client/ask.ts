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
    void stream(form, answerAt(answer), running.signal);
  });
  form.querySelector("button")?.removeAttribute("disabled");
}

async function stream(form: HTMLFormElement, add: (part: AnswerPart) => void, signal: AbortSignal): Promise<void> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  try {
    const response = await fetch(form.action, { method: "POST", body: fields, signal });
    if (!response.ok || response.body === null) throw new Error(`The console answered ${response.status}.`);
    for await (const part of partsOf(response.body)) add(part);
  } catch (error) {
    if (signal.aborted) return;
    add({ type: "failed", message: error instanceof Error ? error.message : String(error) });
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

/** Shows an answer at this place, a box for each node. Only texts are set, never markup. */
function answerAt(place: HTMLElement): (part: AnswerPart) => void {
  const texts = new Map<string, HTMLElement>();
  const added = (parent: HTMLElement, tag: string, look: string, text = ""): HTMLElement => {
    const element = document.createElement(tag);
    element.className = look;
    element.textContent = text;
    return parent.appendChild(element);
  };
  const textOf = (node: string): HTMLElement => {
    const known = texts.get(node);
    if (known !== undefined) return known;
    const box = added(place, "div", "node");
    box.dataset["node"] = node;
    added(box, "h3", "faint", node);
    const text = added(box, "bdi", "said");
    texts.set(node, text);
    return text;
  };
  place.replaceChildren();
  place.dataset["answer"] = "running";
  return (part) => {
    if (part.type === "token") textOf(part.node).append(part.text);
    if (part.type === "node") textOf(part.node).parentElement?.classList.add("written");
    if (part.type === "cut") added(place, "p", "faint", "The answer is too long: the rest is left out.");
    if (part.type === "failed") added(place, "p", "problem", part.message);
    if (part.type === "failed" || part.type === "done") place.dataset["answer"] = part.type;
  };
}
