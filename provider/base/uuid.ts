import { createHash } from "node:crypto";

/** The form of the platform's ids. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Whether two ids are the same: the case of a UUID means nothing, and an answer has it in lower case. */
export const sameId = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "string" && typeof b === "string" && isUuid(a) && a.toLowerCase() === b.toLowerCase());

/** The namespace in which agent servers derive the id of a graph's own assistant (RFC 9562: that of X.500 names). */
const NAMESPACE = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");

/** The UUID version 5 of a name: the same name has the same one. */
export function uuidOfName(name: string): string {
  const bytes = createHash("sha1").update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
