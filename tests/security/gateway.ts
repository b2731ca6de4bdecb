import type { Layer } from "../../emulator";
import type { Canary } from "./search";

const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("hex"),
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(`.${text}`).toString("base64url"),
  (text) => Buffer.from(`..${text}`).toString("base64"),
  (text) => `<html><p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")}</p></html>`,
];

/** A careless gateway in front of the platform: it echoes requests, keys included, each time in another encoding. */
export class Gateway implements Layer {
  /** The canaries that have come by: the absence of one that never reached the platform proves nothing. */
  readonly seen = new Set<string>();
  /** Whether requests that change something are refused: with an echo of themselves, or, together, of every secret that has come by, whoever sent it. */
  echoing: "own" | Together | undefined;
  echoed = 0;

  constructor(private readonly canaries: readonly Canary[]) {}

  async beforeRoute({
    request,
    body,
  }: Parameters<NonNullable<Layer["beforeRoute"]>>[0]): Promise<Response | undefined> {
    const headers = [...request.headers.values()].join("\n");
    const carried = this.canaries.filter(
      ({ value }) => headers.includes(value) || body.includes(JSON.stringify(value).slice(1, -1)),
    );
    for (const { name } of carried) this.seen.add(name);
    if (this.echoing === undefined || request.method === "GET") return undefined;
    if (this.echoing !== "own") await this.echoing.next();
    const encode = ENCODINGS[this.echoed++ % ENCODINGS.length] ?? String;
    const told = this.echoing === "own" ? carried : this.canaries.filter(({ name }) => this.seen.has(name));
    const text = encode(told.map(({ value }) => value).join(" and "));
    return new Response(`you sent ${text}`, { status: 422, headers: { "content-type": "text/plain" } });
  }
}

/** Holds requests until all are there: by then the provider has been asked about every resource. */
export class Together {
  private waiting: (() => void)[] = [];

  constructor(private readonly count: number) {}

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length >= this.count) this.waiting.forEach((go) => go());
    });
  }
}
