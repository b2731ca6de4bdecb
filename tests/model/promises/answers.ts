import { z } from "zod";
import { unanswered, type Exchange } from "../../../emulator";

/** A list as the platform answered it. */
export interface Listed {
  /** Where its items are; undefined: the answer is the array itself. */
  readonly name: string | undefined;
  readonly items: readonly unknown[];
}

const array = z.array(z.unknown());
const fields = z.record(z.string(), z.unknown());

/** undefined: the body is not a list. */
export function itemsOf(body: string): Listed | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const bare = array.safeParse(parsed);
  if (bare.success) return { name: undefined, items: bare.data };
  const paged = fields.safeParse(parsed);
  for (const name of ["templates", "resources"]) {
    const items = array.safeParse(paged.data?.[name]);
    if (items.success) return { name, items: items.data };
  }
  return undefined;
}

/** The same list with other items. */
export const withItems = ({ name }: Listed, items: readonly unknown[], offset: number): unknown =>
  name === undefined ? items : { [name]: items, offset };

/** The client sees a reset. */
export function cutConnection({ incoming }: Exchange): Response {
  incoming.socket.resetAndDestroy();
  return unanswered;
}

/** Half of the body that the header promises. undefined: the answer has no body. */
export function cutInTheMiddle(
  { outgoing, incoming }: Exchange,
  response: Response,
  body: string,
): Response | undefined {
  if (body === "") return undefined;
  const bytes = Buffer.from(body);
  outgoing.writeHead(response.status, { "content-type": "application/json", "content-length": bytes.length });
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => incoming.socket.destroySoon());
  return unanswered;
}
