import type { Exchange, Layer } from "../../../emulator";
import { itemsOf, type Listed } from "./answers";
import type { Spoiling } from "./spoilings";

/** Far more requests than any verb needs, its repetitions under faults included. */
const ENDLESS = 400;

/** The requests of an act that a spoiling strikes. */
export interface Strike {
  readonly spoiling: Spoiling;
  /** The first one, counted from 1. */
  readonly nth: number;
  readonly forEver: boolean;
}

/** A request as the platform saw and answered it, whatever the client was told. */
export interface Witnessed {
  readonly method: string;
  readonly path: string;
  /** The platform's own status; undefined: the request did not reach it. */
  status: number | undefined;
  struck: boolean;
}

/** Stands between the client and the platform: spoils the chosen requests, and sees what really happens. */
export class Spoiler implements Layer {
  /** All requests of the act under way. */
  witnessed: Witnessed[] = [];
  /** The act ended only because it was broken off. */
  isEndless = false;
  private strike: Strike | undefined;
  private isOurs: (item: unknown) => boolean = () => false;
  private readonly firstPages = new Map<string, Listed>();
  private readonly open = new WeakMap<Exchange, Witnessed>();

  /** An act begins. */
  begin(strike: Strike | undefined, isOurs: (item: unknown) => boolean = () => false): void {
    this.witnessed = [];
    this.isEndless = false;
    this.strike = strike;
    this.isOurs = isOurs;
    this.firstPages.clear();
  }

  get hasStruck(): boolean {
    return this.witnessed.some(({ struck }) => struck);
  }

  beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    const { request, url } = exchange;
    const witnessed: Witnessed = { method: request.method, path: url.pathname, status: undefined, struck: false };
    this.open.set(exchange, witnessed);
    this.witnessed.push(witnessed);
    if (this.witnessed.length > ENDLESS) {
      this.isEndless = true;
      return Promise.resolve(Response.json({ detail: "enough" }, { status: 400 }));
    }
    const answer = this.isOn() ? this.strike?.spoiling.before?.(exchange) : undefined;
    witnessed.struck = answer !== undefined;
    return Promise.resolve(answer);
  }

  async afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    const witnessed = this.open.get(exchange);
    if (witnessed === undefined) return response;
    witnessed.status = response.status;
    const body = await response.clone().text();
    const { pathname, searchParams } = exchange.url;
    const listed = witnessed.method === "GET" ? itemsOf(body) : undefined;
    if (listed !== undefined && Number(searchParams.get("offset") ?? 0) === 0) this.firstPages.set(pathname, listed);
    if (!this.isOn(witnessed)) return response;
    const seen = { firstPage: (path: string) => this.firstPages.get(path), isOurs: this.isOurs };
    const answer = this.strike?.spoiling.after?.(exchange, response, body, seen);
    witnessed.struck = answer !== undefined;
    return answer ?? response;
  }

  private isOn(witnessed = this.witnessed.at(-1)): boolean {
    if (this.strike === undefined || witnessed === undefined) return false;
    const at = this.witnessed.indexOf(witnessed) + 1;
    return this.strike.forEver ? at >= this.strike.nth : at === this.strike.nth;
  }
}
