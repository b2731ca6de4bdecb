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
  /** Whether requests that change something are refused with an echo of themselves. */
  echoing = false;
  echoed = 0;

  constructor(private readonly canaries: readonly Canary[]) {}

  beforeRoute({ request, body }: Parameters<NonNullable<Layer["beforeRoute"]>>[0]): Promise<Response | undefined> {
    const headers = [...request.headers.values()].join("\n");
    const carried = this.canaries.filter(
      ({ value }) => headers.includes(value) || body.includes(JSON.stringify(value).slice(1, -1)),
    );
    for (const { name } of carried) this.seen.add(name);
    if (!this.echoing || request.method === "GET") return Promise.resolve(undefined);
    const encode = ENCODINGS[this.echoed++ % ENCODINGS.length] ?? String;
    const text = encode(carried.map(({ value }) => value).join(" and "));
    return Promise.resolve(
      new Response(`you sent ${text}`, { status: 422, headers: { "content-type": "text/plain" } }),
    );
  }
}
