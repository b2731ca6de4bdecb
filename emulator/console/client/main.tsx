import { render, useState } from "hono/jsx/dom";
import { PageContent } from "../components/content";
import type { View } from "../views";

// What the pages do beyond their HTML: they keep themselves up to date.

const RETRY_MS = 1000;

/** The console writes its own events: the types are the same on both sides. */
const readView: (data: string) => View = JSON.parse;

let show: ((view: View) => void) | undefined;

const Living = ({ first }: { readonly first: View }) => {
  const [view, setView] = useState(first);
  show = (next) => setView(() => next);
  return <PageContent view={view} />;
};

/** The first view takes the place of the server's; all later ones only change it. */
function draw(view: View): void {
  const content = document.getElementById("content");
  const ask = document.querySelector<HTMLFieldSetElement>("#ask fieldset");
  // The page beside the living part is another one once the agent answers, and once it no longer does.
  if (ask !== null && view.kind === "object" && ask.disabled !== (view.silence !== undefined))
    location.replace(location.pathname);
  else if (show !== undefined) show(view);
  else if (content !== null) keepingFocus(content, () => render(<Living first={view} />, content));
}

/** What had the focus has it again: a reader at the keyboard, or one whose screen is read aloud, stays at the same link or button. */
function keepingFocus(part: Element, redraw: () => void): void {
  const focusable = (): HTMLElement[] => [...part.querySelectorAll<HTMLElement>("a, button, summary, pre")];
  const markOf = (element: Element): string =>
    [element.getAttribute("href"), element.closest("form")?.getAttribute("action"), element.textContent].join("\n");
  const focused = focusable().find((element) => element === document.activeElement);
  const wanted = focused === undefined ? undefined : markOf(focused);
  redraw();
  if (wanted !== undefined)
    focusable()
      .find((element) => markOf(element) === wanted)
      ?.focus({ preventScroll: true });
}

/** Opens the events of this page whenever it is in sight, and again after they were cut off. */
function keepAlive(address: string): void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    clearTimeout(retry);
    source?.close();
  };
  const open = (): void => {
    close();
    source = new EventSource(address);
    source.addEventListener("open", () => say("live"));
    source.addEventListener("view", ({ data }) => draw(readView(String(data))));
    source.addEventListener("error", () => {
      close();
      void whyClosed(address).then(say);
      retry = setTimeout(open, RETRY_MS);
    });
  };
  const inSight = (): void => (document.visibilityState === "visible" ? open() : close());
  document.addEventListener("visibilitychange", inSight);
  // A page from the browser's memory is as old as when it was left.
  window.addEventListener("pageshow", ({ persisted }) => (persisted ? inSight() : undefined));
  inSight();
}

type Connection = "live" | "closed" | "signed-out" | "busy";

const SAYINGS: Readonly<Record<Connection, string>> = {
  live: "Live",
  closed: "The emulator has stopped. This page continues as soon as it runs again.",
  "signed-out": "Another emulator runs here now. Open the address that it printed.",
  busy: "Too many pages are open. Close another one, and this one continues.",
};

/** Events end without a reason: a plain request finds it. */
async function whyClosed(address: string): Promise<Connection> {
  const leaving = new AbortController();
  try {
    const { status } = await fetch(address, { signal: leaving.signal });
    if (status === 401) return "signed-out";
    return status === 503 ? "busy" : "closed";
  } catch {
    return "closed";
  } finally {
    leaving.abort();
  }
}

function say(state: Connection): void {
  const place = document.getElementById("connection");
  if (place === null || place.dataset["connection"] === state) return;
  place.dataset["connection"] = state;
  place.textContent = SAYINGS[state];
}

keepAlive(document.querySelector("main")?.dataset["events"] ?? "");
