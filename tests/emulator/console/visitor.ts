import { request } from "node:http";
import type { EmulatorOptions } from "../../../emulator";
import { startPlatform, type Platform } from "../api";

/** A page, or what was answered instead of one. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Somebody with a browser that opened the console: no scripts run in it. */
export interface Visitor {
  readonly platform: Platform;
  readonly cookie: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Sends a form of a page. */
  submit(path: string, fields?: Readonly<Record<string, string>>, page?: string): Promise<Page>;
  /** The revisions on the page of a deployment, newest first, as its headings say them. */
  revisions(id: string): Promise<string[]>;
}

export async function visit(options: EmulatorOptions = {}): Promise<Visitor> {
  const platform = await startPlatform({ console: true, ...options });
  const { emulator } = platform;
  const cookie = await enter(emulator.consoleUrl());
  const headersOf = { cookie, "user-agent": "visitor" };
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> =>
    pageOf(await fetch(emulator.url + path, { headers: { ...headersOf, ...headers }, redirect: "manual" }));
  return {
    platform,
    cookie,
    get,
    submit: async (path, fields = {}, page = "/console/break") => {
      const headers = { ...headersOf, origin: emulator.url, referer: emulator.url + page };
      const body = new URLSearchParams(fields);
      return pageOf(await fetch(emulator.url + path, { method: "POST", headers, body, redirect: "manual" }));
    },
    revisions: async (id) =>
      [...(await get(`/console/deployments/${id}`)).text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, heading = ""]) =>
        heading.replace(/<[^>]*>/g, ""),
      ),
  };
}

/** The address of each page that the console has now: each object has a link on the first. */
export async function everyPage(visitor: Visitor): Promise<string[]> {
  const { text } = await visitor.get("/console");
  const objects = [...text.matchAll(/href="\/console(\/\w+\/[\w-]+)"/g)].map(([, path = ""]) => path);
  const requests = visitor.platform.emulator.requests.map(({ seq }) => `/requests/${seq}`);
  return [...new Set(["", "/requests", "/break", ...objects, ...requests])];
}

/** The cookie that an address with a code gives. */
export async function enter(address: string): Promise<string> {
  const answer = await fetch(address, { redirect: "manual" });
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const pageOf = async (response: Response): Promise<Page> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});

/** A request with headers that fetch does not let anybody set. */
export function rawRequest(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly location: string | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, setHost: !("host" in headers) }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      const { statusCode: status = 0, headers: answered } = answer;
      answer.on("end", () => resolve({ status, location: answered.location, text }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** A text of a page as somebody reads it. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, code: string) => ENTITIES[code] ?? "");

/** Why a form was refused, as the page says it. */
export const reasonOf = ({ text }: Page): string =>
  withoutEntities(/data-problem=""[^>]*><bdi>([^<]*)/.exec(text)?.[1] ?? "");
