import { render, useEffect, useState } from "hono/jsx/dom";
import { PageContent, PageLead, SwitchedOnList } from "../components/content";
import { LIVE } from "../components/live-parts";
import type { Bar, View } from "../views";
import { keepingFocus } from "./focus";

/** How often bars grow. */
const TICK_MS = 250;
const RETRY_MS = 1000;

/** A view, and the moment of it by the emulator's clock and by this page's. */
interface Moment {
  readonly view: View;
  readonly now: number;
  readonly at: number;
}

/** The console writes its own events: the types are the same on both sides. */
const readEvent: (data: string) => Pick<Moment, "now" | "view"> = JSON.parse;

type Listener = (moment: Moment) => void;
const listeners = new Set<Listener>();
let latest: Moment | undefined;

function publish(moment: Moment): void {
  latest = moment;
  for (const listener of listeners) listener(moment);
}

/** The latest moment; drawn again with every event. */
function useMoment(first: Moment): Moment {
  const [moment, setMoment] = useState(first);
  useEffect(() => {
    const listener: Listener = (next) => setMoment(() => next);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return moment;
}

const Living = ({ first }: { readonly first: Moment }) => {
  const { view, now, at } = useMoment(first);
  return <PageContent view={view} now={now + (isGrowing(view) ? performance.now() - at : 0)} />;
};

const LivingSwitches = ({ first }: { readonly first: Moment }) => (
  <SwitchedOnList switchedOn={useMoment(first).view.switchedOn} />
);

const LivingLead = ({ first }: { readonly first: Moment }) => <PageLead view={useMoment(first).view} />;

const isUnderWay = ({ segments }: Bar): boolean => segments.some(({ to }) => to === undefined);

/** Whether a bar grows without any event. */
function isGrowing(view: View): boolean {
  if (view.kind === "environment") return view.deployments.rows.some(({ bars }) => bars.some(isUnderWay));
  return view.kind === "deployment" && view.history.some(isUnderWay);
}

const isDrawn = new Set<string>();
function draw(moment: Moment): void {
  const [content, switches, lead] = [LIVE.content, LIVE.switchedOn, LIVE.lead].map((id) => document.getElementById(id));
  // The first view takes the place of the server's; all later ones only change it.
  if (isDrawn.size === 0 && content && switches && lead) {
    isDrawn.add("all");
    keepingFocus(content, () => render(<Living first={moment} />, content));
    keepingFocus(lead, () => render(<LivingLead first={moment} />, lead));
    keepingFocus(switches, () => render(<LivingSwitches first={moment} />, switches));
  }
  publish(moment);
}

/** Opens the events of this page whenever it is in sight, and again after they were cut off. */
export function keepAlive(): void {
  const address = document.querySelector("main")?.dataset["events"] ?? "";
  if (address === "") return;
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    clearTimeout(retry);
    source?.close();
    source = undefined;
  };
  const open = (): void => {
    close();
    source = new EventSource(address);
    source.addEventListener("open", () => say("live"));
    source.addEventListener("view", ({ data }) => {
      draw({ ...readEvent(String(data)), at: performance.now() });
    });
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
  setInterval(() => {
    if (latest !== undefined && source !== undefined && isGrowing(latest.view)) publish({ ...latest });
  }, TICK_MS);
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
  const place = document.getElementById(LIVE.connection);
  if (place === null || place.dataset["connection"] === state) return;
  place.dataset["connection"] = state;
  place.textContent = SAYINGS[state];
}
