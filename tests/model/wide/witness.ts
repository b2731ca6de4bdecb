import type { Exchange, Layer } from "../../../emulator";

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
  private readonly open = new WeakMap<Exchange, Witnessed>();

  /** A command begins. */
  begin(): void {
    this.witnessed = [];
  }

  beforeRoute(exchange: Exchange): Promise<undefined> {
    const { request, url } = exchange;
    const witnessed: Witnessed = { method: request.method, path: url.pathname, status: undefined };
    this.open.set(exchange, witnessed);
    this.witnessed.push(witnessed);
    return Promise.resolve(undefined);
  }

  afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    const witnessed = this.open.get(exchange);
    if (witnessed !== undefined) witnessed.status = response.status;
    return Promise.resolve(response);
  }
}
