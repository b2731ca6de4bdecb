import { join } from "node:path";
import { clientEnvironment, plainEnvironment, testEnvironment } from "../../tools/official/environment";
import { python } from "./with-python";

const CHECKOUT = join(__dirname, "..", "..");

/** Installs the official agent server for Python, where it is missing, and gives the command that starts it in a folder, for `--agent`. */
export async function officialAgent(): Promise<(folder: string) => { readonly command: string }> {
  if (python === undefined) throw new Error("skipped without Python");
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const clients = await clientEnvironment({ checkout: CHECKOUT, env: plainEnvironment(process.env), log }, python);
  // No way off this machine; the command gets the environment of the emulator's process.
  const quiet = Object.entries(testEnvironment({}, clients)).map(([name, value]) => `${name}='${value ?? ""}'`);
  const server = `'${join(clients, "bin", "langgraph")}' dev --no-browser --no-reload --port {port}`;
  return (folder) => ({ command: `cd '${folder}' && ${quiet.join(" ")} exec ${server}` });
}
