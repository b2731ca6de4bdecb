import { type Exchange, isStream } from "../base/exchange";
import type { ArmedFault } from "./armed-fault";
import { cutAfter, endlessBody, gatewayAnswer, reset, slowed, truncated, withBody } from "./bodies";
import type { Fault } from "./fault";
import { type ListFault, type Refetch, spoiledList } from "./lists";
import type { Pauses } from "./pauses";
import type { StoreHistory } from "./store-history";

export interface EffectContext {
  readonly refetch: Refetch;
  readonly history: StoreHistory;
  readonly pauses: Pauses;
}

/** Carries out the fault. Returns the answer that the client gets, or undefined if the request goes on unchanged. */
type FaultEffect = () => Response | undefined | Promise<Response | undefined>;

/** The effect of a fault on this request; undefined when the fault does not apply to it. */
export async function effectOf(
  { fault, random, held }: ArmedFault,
  exchange: Exchange,
  response: Response,
  context: EffectContext,
): Promise<FaultEffect | undefined> {
  switch (fault.kind) {
    case "latency":
      return () => context.pauses.sleep(exchange, fault.ms + Math.round(fault.jitterMs * random()));
    case "hold":
      return () => context.pauses.hold(exchange, held);
    case "status":
      return () => errorStatus(fault, exchange);
    case "reset-before-commit":
    case "reset-after-commit":
      return () => reset(exchange);
    case "html":
      return () => html(response);
    case "endless-body":
      // No pause: this tests the client's limit on size, not its timeout.
      return () => withBody(response, endlessBody());
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
      return bodyEffect(fault, exchange, response);
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

/** Faults that change a body; they do not apply to an answer without one. The parts of a stream pass as far as the fault lets them. */
async function bodyEffect(fault: BodyFault, exchange: Exchange, response: Response): Promise<FaultEffect | undefined> {
  const text = isStream(response) ? undefined : await response.clone().text();
  const { body } = response;
  if (body === null || text === "") return undefined;
  const part = text === undefined ? 512 : Math.ceil(text.length / 2);
  switch (fault.kind) {
    case "truncated-json": {
      const { by, after = part } = fault;
      if (text !== undefined) return () => truncated(exchange, response, text, { by, after });
      return () =>
        withBody(
          response,
          cutAfter(body, after, () => exchange.incoming.socket.destroySoon()),
        );
    }
    case "malformed-json": {
      const { after = part } = fault;
      return () => withBody(response, text?.slice(0, after) ?? cutAfter(body, after, "end"));
    }
    case "empty-body":
      return () => withBody(response, text === undefined ? cutAfter(body, 0, "end") : null);
    case "wrong-content-type":
      return () => withBody(response, text ?? body, { headers: { "content-type": fault.contentType } });
    case "slow-body": {
      const length =
        text === undefined ? undefined : { headers: { "content-length": String(Buffer.byteLength(text)) } };
      return () => withBody(response, slowed(body, fault.bytes, fault.everyMs), length);
    }
  }
}

/** Faults that change the data of a GET. A fault that leaves the answer correct does not count as a strike. */
async function readEffect(
  fault: FaultOf<"stale-read"> | ListFault,
  exchange: Exchange,
  response: Response,
  { history, refetch }: EffectContext,
): Promise<FaultEffect | undefined> {
  if (exchange.request.method !== "GET" || isStream(response)) return undefined;
  if (fault.kind !== "stale-read") {
    const body = await spoiledList(fault.kind, exchange, response, refetch);
    return body === undefined ? undefined : () => withBody(response, JSON.stringify(body));
  }
  const { agoMs, writes } = fault;
  const past = agoMs !== undefined && writes === undefined ? history.ago(agoMs) : history.beforeLastWrites(writes ?? 1);
  if (past === undefined) return undefined;
  const stale = await refetch(exchange, past);
  const same = stale.status === response.status && (await stale.clone().text()) === (await response.clone().text());
  return same ? undefined : () => stale;
}
