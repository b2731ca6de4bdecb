import type { Exchange, Layer } from "../../../emulator";

/** Far more requests than any command needs, its repetitions under faults included. */
const ENDLESS = 400;

/** A request as the platform saw and answered it, whatever the client was told. */
interface Witnessed {
  readonly method: string;
  readonly path: string;
  /** The platform's own status; undefined: the request did not reach it. */
  status: number | undefined;
}

/** Stands between the client and the platform, and sees what really happens. */
export class Witness implements Layer {
  /** All requests of the command under way. */
  witnessed: Witnessed[] = [];
  /** The command ended only because it was broken off. */
  isEndless = false;
  private readonly open = new WeakMap<Exchange, Witnessed>();

  /** A command begins. */
  begin(): void {
    this.witnessed = [];
    this.isEndless = false;
  }

  beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    const { request, url } = exchange;
    const witnessed: Witnessed = { method: request.method, path: url.pathname, status: undefined };
    this.open.set(exchange, witnessed);
    this.witnessed.push(witnessed);
    this.isEndless = this.witnessed.length > ENDLESS;
    return Promise.resolve(this.isEndless ? Response.json({ detail: "enough" }, { status: 400 }) : undefined);
  }

  afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    const witnessed = this.open.get(exchange);
    if (witnessed !== undefined) witnessed.status = response.status;
    return Promise.resolve(response);
  }
}
