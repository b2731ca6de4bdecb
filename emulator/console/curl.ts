/** A request as a command for a shell. */
interface Command {
  readonly method: string;
  readonly url: string;
  /** The file that holds the key. Without one, the key comes from the variable that our commands read it from. */
  readonly keyFile: string | undefined;
  readonly tenant?: string | undefined;
  readonly body?: string | null;
}

/** A command that sends a request. The key is in no argument, which others of the machine could see: curl reads it from its input. */
export function curlOf({ method, url, keyFile, tenant, body = null }: Command): string {
  const header =
    keyFile === undefined
      ? `printf 'X-Api-Key: %s\\n' "$AGENT_PLATFORM_API_KEY"`
      : `sed 's/^/X-Api-Key: /' ${quoted(keyFile)}`;
  // Without -g, brackets and braces are patterns; -X HEAD would wait for a body, and -I sends none.
  return [
    `${header} | curl -g ${method === "HEAD" ? "-I" : `-X ${quoted(method)}`} ${quoted(url)}`,
    "-H @-",
    ...(tenant === undefined ? [] : [`-H ${quoted(`X-Tenant-Id: ${tenant}`)}`]),
    ...(body === null || method === "HEAD"
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(typed(body))}`]),
  ].join(" \\\n  ");
}

/** JSON without characters that a terminal takes for keys, when it is pasted. */
const typed = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, (key) => `\\u00${key.charCodeAt(0).toString(16)}`);

/** A word of a shell: nothing in it is expanded. */
export const quoted = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
