import { type Exchange, isStream } from "../base/exchange";
import { endlessText, gatewayAnswer, reset, slices, throttledBody, truncated, withBody } from "./bodies";
import type { Fault } from "./fault";
import { duplicatePage, ignoredOffset, type Refetch, shortPage, stuckOffset } from "./lists";
import type { StoreHistory } from "./store-history";
import { cutAfter, sliced } from "./streams";

/** What a fault uses to take effect. */
export interface EffectContext {
  readonly random: () => number;
  readonly refetch: Refetch;
  readonly history: StoreHistory;
  /** Waits in real time, whatever clock the emulator runs on. Resolves with undefined, or the cut answer when the emulator closes. */
  sleep(exchange: Exchange, ms: number): Promise<Response | undefined>;
  /** Waits until the hold is released. Resolves as `sleep` does. */
  hold(exchange: Exchange): Promise<Response | undefined>;
}

/** Carries out the fault. Returns the answer that the client gets, or undefined if the request goes on unchanged. */
type FaultEffect = () => Response | undefined | Promise<Response | undefined>;

/** The effect of a fault on this request; undefined when the fault does not apply to it. */
export async function effectOf(
  fault: Fault,
  exchange: Exchange,
  response: Response,
  context: EffectContext,
): Promise<FaultEffect | undefined> {
  switch (fault.kind) {
    case "latency":
      return () => context.sleep(exchange, fault.ms + Math.round(fault.jitterMs * context.random()));
    case "hold":
      return () => context.hold(exchange);
    case "status":
      return () => errorStatus(fault, exchange);
    case "reset-before-commit":
    case "reset-after-commit":
      return () => reset(exchange);
    case "html":
      return () => html(response);
    case "endless-body":
      // No pause: this tests the client's limit on size, not its timeout.
      return () => withBody(response, throttledBody(endlessText(), 0));
    case "stale-read":
    case "duplicate-page":
    case "stuck-offset":
    case "short-page":
    case "ignored-offset":
      return readEffect(fault, exchange, response, context);
    case "truncated-json":
    case "malformed-json":
    case "empty-body":
    case "slow-body":
    case "wrong-content-type":
      return isStream(response) ? streamEffect(fault, exchange, response) : bodyEffect(fault, exchange, response);
  }
}

type FaultOf<K extends Fault["kind"]> = Extract<Fault, { kind: K }>;

function errorStatus(fault: FaultOf<"status">, exchange: Exchange): Response {
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

type BodyFault = FaultOf<"truncated-json" | "malformed-json" | "empty-body" | "slow-body" | "wrong-content-type">;

/** Faults that change a body; they do not apply to an answer without one. */
async function bodyEffect(fault: BodyFault, exchange: Exchange, response: Response): Promise<FaultEffect | undefined> {
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
        return withBody(response, throttledBody(slices(text, fault.bytes), fault.everyMs), { headers });
      };
  }
}

/** The same for a stream: its parts pass as far as the fault lets them. */
function streamEffect(fault: BodyFault, { incoming }: Exchange, response: Response): FaultEffect | undefined {
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
      return () => withBody(response, throttledBody(sliced(body, fault.bytes), fault.everyMs));
  }
}

type ReadFault = FaultOf<"stale-read" | "duplicate-page" | "stuck-offset" | "short-page" | "ignored-offset">;

const LIST_FAULTS = {
  "duplicate-page": duplicatePage,
  "stuck-offset": stuckOffset,
  "short-page": shortPage,
  "ignored-offset": ignoredOffset,
} as const;

/** Faults that change the data of a GET. A fault that leaves the answer correct does not count as a strike. */
async function readEffect(
  fault: ReadFault,
  exchange: Exchange,
  response: Response,
  context: EffectContext,
): Promise<FaultEffect | undefined> {
  if (exchange.request.method !== "GET" || isStream(response)) return undefined;
  if (fault.kind === "stale-read") return staleReadEffect(fault, exchange, response, context);
  const body = await LIST_FAULTS[fault.kind](exchange, response, context.refetch);
  return body === undefined ? undefined : () => withBody(response, JSON.stringify(body));
}

async function staleReadEffect(
  fault: FaultOf<"stale-read">,
  exchange: Exchange,
  response: Response,
  context: EffectContext,
): Promise<FaultEffect | undefined> {
  const { agoMs, writes } = fault;
  const past =
    agoMs !== undefined && writes === undefined
      ? context.history.ago(agoMs)
      : context.history.beforeLastWrites(writes ?? 1);
  if (past === undefined) return undefined;
  const stale = await context.refetch(exchange, past);
  const same = stale.status === response.status && (await stale.clone().text()) === (await response.clone().text());
  return same ? undefined : () => stale;
}
