import { configKey, environmentName, settingRow, SETTINGS, shellWord, type Setting } from "../../provider/tools";
import type { RunningEmulator } from "./running";

/** The lines that point a shell at an emulator, and, as comments, those that point a stack at it. A key that has a file stays there. */
export function envLines({ url, contract, keyFile }: RunningEmulator): string {
  const values: [Setting, string][] = [
    ["baseUrl", url],
    ["contract", contract],
  ];
  const set = [...values.map(([setting]) => setting), ...(keyFile === undefined ? [] : ["apiKey"])];
  // What belongs to another address or key, such as a tenant, would not fit these.
  const others = SETTINGS.filter((each) => settingRow(each).decidedWith !== undefined && !set.includes(each));
  const [keyOfShell, keyOfStack] =
    keyFile === undefined
      ? [[], ""]
      : [[`export ${environmentName("apiKey")}="$(cat ${shellWord(keyFile)})"`], ` < ${shellWord(keyFile)}`];
  const lines = [
    `unset ${others.map(environmentName).join(" ")}`,
    ...values.map(([setting, value]) => `export ${environmentName(setting)}=${shellWord(value)}`),
    ...keyOfShell,
  ];
  const comments = [
    "For a stack:",
    ...values.map(([setting, value]) => `pulumi config set ${configKey(setting)} ${shellWord(value)}`),
    `pulumi config set --secret ${configKey("apiKey")}${keyOfStack}`,
  ];
  // A path may have line breaks: what follows one is a comment, too.
  return `${lines.join("\n")}\n# ${comments.join("\n").replaceAll("\n", "\n# ")}\n`;
}
