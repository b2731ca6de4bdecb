// Loaded into the emulator before its own code (node --require): a command that is killed cannot stop its emulator, which
// would then keep the port. An engine that outlived the command still needs the platform to finish what it began, so the
// emulator stays until that engine has released the stack.
import { readStackLocks } from "./stack-lock";

/** Environment variables that tell the emulator whom to follow. */
export const FOLLOW = { parent: "AGENT_PLATFORM_TRY_PARENT", backend: "AGENT_PLATFORM_TRY_BACKEND" } as const;

const LOOK_EVERY = 500;

function follow(parent: number, backend: string): void {
  const timer = setInterval(() => {
    if (process.ppid === parent || readStackLocks(backend).living.length > 0) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_EVERY);
  timer.unref();
}

const [parent, backend] = [process.env[FOLLOW.parent], process.env[FOLLOW.backend]];
if (parent !== undefined && backend !== undefined) follow(Number(parent), backend);
