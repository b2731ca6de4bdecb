import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import os from "node:os";
import { join } from "node:path";
import { engineJournal } from "./journal";
import { newFolder } from "../../tests/support/new-folder";

let parent: string;
let folder: string;
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = portOf(server);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  parent = newFolder();
  folder = join(parent, "of-user");
});

function portOf(listening: Server): number {
  const address: AddressInfo | string | null = listening.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return address.port;
}
const journal = (address: string | undefined = `127.0.0.1:${port}`) => engineJournal(address, folder);

test("the plugins of one engine have the same entries in the same order, each of them once", () => {
  const [one, other] = [journal(), journal(`localhost:${port}`)];
  expect(one("a")).toEqual(["a"]);
  expect(one("b")).toEqual(["b"]);
  expect(other("c")).toEqual(["a", "b", "c"]);
  expect(one("ü")).toEqual(["c", "ü"]);
  expect(other("e")).toEqual(["ü", "e"]);
});

test("an entry that comes behind one's own, but before one has read it, is the next one's: own is always the last", () => {
  const [one, other] = [journal(), journal()];
  // Between its write and its read, a process asks for the size of the file.
  const spy = jest.spyOn(fs, "fstatSync").mockImplementationOnce((descriptor) => {
    expect(other("other's")).toEqual(["own", "other's"]);
    return fs.fstatSync(descriptor);
  });
  try {
    expect(one("own")).toEqual(["own"]);
    expect(one("next")).toEqual(["other's", "next"]);
  } finally {
    spy.mockRestore();
  }
});

test("another engine has a journal of its own", () => {
  journal()("a");
  expect(journal("127.0.0.1:1")("b")).toEqual(["b"]);
});

describe("lines of an engine that is gone", () => {
  const left = (...lines: readonly string[]): void => {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, `${port}-1`), lines.map((line) => `${line}\n`).join(""));
  };
  const pidOfOneThatEnded = (): number => spawnSync(process.execPath, ["-e", ""]).pid;
  let lives: ChildProcess;
  beforeAll(() => (lives = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"])));
  afterAll(() => lives.kill());

  test("are not read by the next engine on its port, and its plugins go on in one journal", () => {
    left(`${pidOfOneThatEnded()}.abc-1 theirs`);
    const [one, other] = [journal(), journal()];
    expect(one("a")).toEqual(["a"]);
    expect(other("b")).toEqual(["a", "b"]);
    expect(one("c")).toEqual(["b", "c"]);
  });

  test("are over for all plugins that start at once", () => {
    left(`${pidOfOneThatEnded()}.abc-1 theirs`);
    const [one, other] = [journal(), journal()];
    // While the first one reads the lines, the second one has found them over, and has begun another journal.
    const spy = jest.spyOn(fs, "readFileSync").mockImplementationOnce((...args) => {
      const read = fs.readFileSync(...args);
      expect(other("other's")).toEqual(["other's"]);
      return read;
    });
    try {
      expect(one("own")).toEqual(["other's", "own"]);
    } finally {
      spy.mockRestore();
    }
  });

  test("are over where its process has this one's number, and then for everybody", () => {
    left(`${process.pid}.abc-1 theirs`);
    expect(journal()("a")).toEqual(["a"]);
    // Another process has that number by now, for which the lines look like those of a plugin that lives.
    const file = join(folder, `${port}-1`);
    writeFileSync(file, readFileSync(file, "utf8").replace(`${process.pid}.`, `${lives.pid ?? 0}.`));
    expect(journal()("b")).toEqual(["a", "b"]);
  });

  test("are this run's while one of its plugins lives", () => {
    left(`${pidOfOneThatEnded()}.abc-1 of one that has ended`, `${lives.pid ?? 0}.def-1 of one that lives`);
    expect(journal()("a")).toEqual(["of one that has ended", "of one that lives", "a"]);
  });

  test("of earlier versions are not read", () => {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, String(port)), "0123456789ab-1 theirs\n");
    expect(journal()("a")).toEqual(["a"]);
  });
});

test("folder and file are this user's alone", () => {
  journal()("a");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, `${port}-1`)).mode & 0o777).toBe(0o600);
});

test("what anybody makes in the folder for temporary files stops nobody who has a home", () => {
  chmodSync(parent, 0o1777);
  const home = join(parent, "home");
  mkdirSync(home);
  mkdirSync(join(parent, `pulumi-agent-platform-${process.getuid?.() ?? ""}`), { mode: 0o777 });
  jest.spyOn(os, "tmpdir").mockReturnValue(parent);
  jest.spyOn(os, "homedir").mockReturnValue(home);
  try {
    const [one, other] = [1, 2].map(() => engineJournal(`127.0.0.1:${port}`));
    expect(one?.("a")).toEqual(["a"]);
    expect(other?.("b")).toEqual(["a", "b"]);
  } finally {
    jest.restoreAllMocks();
  }
});

test("the files of engines that are gone are removed; a running one keeps its own", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const left = portOf(gone);
  await new Promise((resolve) => gone.close(resolve));
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  mkdirSync(folder, { mode: 0o700 });
  for (const each of [`${left}`, `${left}-1`, `${portOf(other)}-1`]) writeFileSync(join(folder, each), "x\n");
  journal()("a");
  while (readdirSync(folder).length > 2) await new Promise((resolve) => setImmediate(resolve));
  expect(readdirSync(folder).sort()).toEqual([port, portOf(other)].map((each) => `${each}-1`).sort());
  await new Promise((resolve) => other.close(resolve));
});

describe("nothing is told, and the error says why and what to do", () => {
  const refused = (reason: RegExp) => {
    const tell = () => journal()("a");
    expect(tell).toThrow(reason);
    expect(tell).toThrow(
      /nothing more is made, adopted or deleted\. Set TMPDIR to a folder that only you can write to/,
    );
  };

  test("where the folder is a link that somebody planted", () => {
    const elsewhere = join(parent, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, folder);
    refused(/of-user is not a folder/);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("where other users can enter it", () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    refused(/of-user is open to other users/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("where it belongs to another user", () => {
    mkdirSync(folder, { mode: 0o700 });
    const own = process.getuid?.() ?? 0;
    jest.spyOn(process, "getuid").mockReturnValue(own + 1);
    try {
      refused(/of-user belongs to another user/);
    } finally {
      jest.restoreAllMocks();
    }
  });

  test("where the file is a link", () => {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(parent, "precious"), "");
    symlinkSync(join(parent, "precious"), join(folder, `${port}-1`));
    refused(/ELOOP/);
    expect(statSync(join(parent, "precious")).size).toBe(0);
  });

  test("where the file was removed under a plugin: a later one would begin another", () => {
    const one = journal();
    one("a");
    rmSync(join(folder, `${port}-1`));
    expect(() => one("b")).toThrow(/the file is gone/);
  });

  test("where no folder can be made", () => {
    writeFileSync(folder, "");
    refused(/EEXIST/);
  });

  test("while nobody knows the engine", () => {
    expect(() => engineJournal(undefined, folder)("a")).toThrow(/the engine has not said where it listens/);
  });
});
