import { accessSync, constants, existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { AgentPlatformError, errorCode, leniently } from "./errors";

/**
 * The folder for files that the processes of one user share on one machine: below the folder for temporary files if only this user can write there,
 * otherwise below the user's home if only this user can write there. No other user can change these conditions, so all processes of one environment
 * find the same folder.
 */
function folderOfUser(): string {
  const name = `pulumi-agent-platform-${process.getuid?.() ?? userInfo().username}`;
  const cache = (): string => join(homedir(), ".cache");
  const isCache = isOwn(() => (existsSync(cache()) ? cache() : homedir()));
  // Machines may share a home, and cannot see which processes run on the others.
  return !isOwn(tmpdir) && isCache ? join(cache(), `${name}-${hostname()}`) : join(tmpdir(), name);
}

/** Whether only this user can write there. Windows has a temporary folder for each user. */
function isOwn(place: () => string): boolean {
  if (process.getuid === undefined) return true;
  const stat = leniently(() => {
    accessSync(place(), constants.W_OK);
    return statSync(place());
  });
  return stat?.isDirectory() === true && stat.uid === process.getuid() && (stat.mode & 0o002) === 0;
}

/** A folder that only this user can enter, created if needed; throws if another user could have put something there. */
export function ownFolder(folder = folderOfUser()): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Not statSync: another user's link may point anywhere.
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new AgentPlatformError(`${folder} is not a folder`);
  if (process.getuid === undefined) return folder;
  if (stat.uid !== process.getuid()) throw new AgentPlatformError(`${folder} belongs to another user`);
  if ((stat.mode & 0o077) !== 0) throw new AgentPlatformError(`${folder} is open to other users`);
  return folder;
}

/** Whether a process has this number now, whoever runs it: also one that has ended, unnoticed by its parent. */
export function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
