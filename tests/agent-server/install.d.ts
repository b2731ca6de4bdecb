/** Installs the packages of this folder where they are not those of its lock file. Rejects where they cannot be had. */
export function installAgentServer(): Promise<void>;
