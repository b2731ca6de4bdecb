import type { Fault } from "./fault";
import { dripping, endlessText, gatewayAnswer, reset, slices, truncated, withBody } from "./bodies";
import { cutAfter, sliced } from "./streams";
import { duplicatePage, ignoredOffset, shortPage, stuckOffset, type Ask } from "./lists";
import type { StoreHistory } from "./store-history";
import type { Exchange } from "../server/pipeline";
import { isStream } from "../base/streamed";

/** What a fault needs of its surroundings. */
export interface Site {
  readonly random: () => number;
  readonly ask: Ask;
  readonly history: StoreHistory;
  /** Real time, whatever clock the emulator runs on. undefined afterwards; the cut answer when the emulator closes. */
  sleep(exchange: Exchange, ms: number): Promise<Response | undefined>;
  /** Until the hold is released. undefined afterwards; the cut answer when the emulator closes. */
  wait(exchange: Exchange): Promise<Response | undefined>;
}

/** Carries the fault out. The answer that the client gets, or undefined: all goes on as it would have. */
type Deed = () => Response | undefined | Promise<Response | undefined>;

/** What a fault does to this request; undefined: nothing, the request is not of the sort it can spoil. */
export async function deedOf(
  fault: Fault,
  exchange: Exchange,
  response: Response,
  site: Site,
): Promise<Deed | undefined> {
  switch (fault.kind) {
    case "latency":
      return () => site.sleep(exchange, fault.ms + Math.round(fault.jitterMs * site.random()));
    case "hold":
      return () => site.wait(exchange);
    case "status":
      return () => failed(fault, exchange);
    case "reset-before-commit":
    case "reset-after-commit":
      return () => reset(exchange);
    case "html":
      return () => html(response);
    case "endless-body":
      // No pause: the limit of the client, not its patience, is what this tries.
      return () =>
        withBody(response, dripping(endlessText(), 0), { status: response.status === 204 ? 200 : response.status });
    case "stale-read":
    case "duplicate-page":
    case "stuck-offset":
    case "short-page":
    case "ignored-offset":
      return misreading(fault, exchange, response, site);
    case "truncated-json":
    case "malformed-json":
    case "empty-body":
    case "slow-body":
    case "wrong-content-type":
      return isStream(response) ? spoilingStream(fault, exchange, response) : spoiling(fault, exchange, response);
  }
}

type FaultOf<K extends Fault["kind"]> = Extract<Fault, { kind: K }>;

function failed(fault: FaultOf<"status">, exchange: Exchange): Response {
  const { status, retryAfter, echo, body } = fault;
  const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) });
  if (body !== "platform") return gatewayAnswer(status, body, headers);
  const detail = `Fault of the emulator: status ${status}`;
  return Response.json({ detail: echo ? `${detail}; the request was: ${exchange.body}` : detail }, { status, headers });
}

function html(response: Response): Response {
  const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to go on.</body></html>";
  return withBody(response, page, { status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
}

type Spoiling = FaultOf<"truncated-json" | "malformed-json" | "empty-body" | "slow-body" | "wrong-content-type">;

/** Faults of a body: an answer without one cannot have them. */
async function spoiling(fault: Spoiling, exchange: Exchange, response: Response): Promise<Deed | undefined> {
  const text = await response.clone().text();
  if (text === "") return undefined;
  switch (fault.kind) {
    case "truncated-json":
      return () => truncated(exchange, response, text, fault);
    case "malformed-json":
      return () => withBody(response, text.slice(0, fault.after ?? Math.ceil(text.length / 2)));
    case "empty-body":
      return () => withBody(response, null);
    case "wrong-content-type":
      return () => withBody(response, text, { headers: { "content-type": fault.contentType } });
    case "slow-body":
      return () => {
        const headers = { "content-length": String(Buffer.byteLength(text)) };
        return withBody(response, dripping(slices(text, fault.bytes), fault.everyMs), { headers });
      };
  }
}

/** The same for a stream: its parts pass as they come, as far as the fault lets them. */
function spoilingStream(fault: Spoiling, { incoming }: Exchange, response: Response): Deed | undefined {
  const { body } = response;
  if (body === null) return undefined;
  switch (fault.kind) {
    case "truncated-json":
      return () =>
        withBody(
          response,
          cutAfter(body, fault.after ?? 512, () => incoming.socket.destroySoon()),
        );
    case "malformed-json":
      return () => withBody(response, cutAfter(body, fault.after ?? 512, "end"));
    case "empty-body":
      return () => withBody(response, cutAfter(body, 0, "end"));
    case "wrong-content-type":
      return () => withBody(response, body, { headers: { "content-type": fault.contentType } });
    case "slow-body":
      return () => withBody(response, dripping(sliced(body, fault.bytes), fault.everyMs));
  }
}

type Misreading = FaultOf<"stale-read" | "duplicate-page" | "stuck-offset" | "short-page" | "ignored-offset">;

const misreadings = {
  "duplicate-page": duplicatePage,
  "stuck-offset": stuckOffset,
  "short-page": shortPage,
  "ignored-offset": ignoredOffset,
} as const;

/** Faults of what a GET sees. One that would see the right thing does not count. */
async function misreading(
  fault: Misreading,
  exchange: Exchange,
  response: Response,
  site: Site,
): Promise<Deed | undefined> {
  if (exchange.request.method !== "GET" || isStream(response)) return undefined;
  if (fault.kind === "stale-read") return staleRead(fault, exchange, response, site);
  const body = await misreadings[fault.kind](exchange, response, site.ask);
  return body === undefined ? undefined : () => withBody(response, JSON.stringify(body));
}

async function staleRead(
  fault: FaultOf<"stale-read">,
  exchange: Exchange,
  response: Response,
  site: Site,
): Promise<Deed | undefined> {
  const { agoMs, writes } = fault;
  const past =
    agoMs !== undefined && writes === undefined ? site.history.ago(agoMs) : site.history.beforeWrites(writes ?? 1);
  if (past === undefined) return undefined;
  const stale = await site.ask(exchange, past);
  const same = stale.status === response.status && (await stale.clone().text()) === (await response.clone().text());
  return same ? undefined : () => stale;
}
