import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine } from "../../tools/engine";
import { ENGINE_VERSION, findCheckout, layoutFor, type Layout } from "../../tools/engine/layout";
import type { Engine } from "../../tools/engine/own-engine";
import type { EngineOptions } from "../../tools/engine/ways";
import { ensureYamlHost } from "../../tools/engine/yaml-host";

const TOOLS = ["sh", "cat", "tar", "gzip", "chmod", "mkdir", "sleep", "rm"] as const;

/** A script that answers `version` like a Pulumi engine. */
export function pulumiScript(version: string): string {
  return `echo v${version}\n`;
}

/** For tests: a machine whose PATH, cache and checkout are folders of its own, so that each way can be made to work or fail. */
export class FakeMachine {
  readonly folder = mkdtempSync(join(tmpdir(), "engine-test-"));
  readonly bin = join(this.folder, "tools");
  readonly checkout = join(this.folder, "checkout");
  readonly calls = join(this.folder, "calls.log");
  private readonly sdk = join(this.folder, "sdk");
  private readonly pythonScripts = join(this.sdk, "python", "cmd");
  readonly log: string[] = [];
  readonly env: NodeJS.ProcessEnv = { PATH: this.bin, XDG_CACHE_HOME: join(this.folder, "cache"), HOME: this.folder };

  constructor() {
    mkdirSync(this.bin, { recursive: true });
    for (const tool of TOOLS) {
      const real = ["/bin", "/usr/bin"].map((place) => join(place, tool)).find((file) => existsSync(file));
      if (real !== undefined) symlinkSync(real, join(this.bin, tool));
    }
    const real = findCheckout();
    const pulumi = join(this.checkout, "node_modules", "@pulumi", "pulumi");
    mkdirSync(pulumi, { recursive: true });
    writeFileSync(join(this.checkout, "package.json"), '{"name":"pulumi-agent-platform","version":"0.0.0"}');
    writeFileSync(join(pulumi, "package.json"), '{"name":"@pulumi/pulumi","version":"3.246.0"}');
    writeFileSync(join(pulumi, "pulumi-resource-pulumi-nodejs"), "#!/bin/sh\n");
    for (const name of ["go.mod", "go.sum", "tools.go", "language-host.js", "yaml"]) {
      cpSync(join(real, "tools", "engine", name), join(this.checkout, "tools", "engine", name), { recursive: true });
    }
    mkdirSync(this.pythonScripts, { recursive: true });
    writeFileSync(join(this.pythonScripts, "pulumi-language-python-exec"), "");
    this.writeSum("0".repeat(64));
  }

  /** Puts a shell script on PATH (or into another folder); each run of it is noted in `calls`. */
  addProgram(name: string, body: string, folder: string = this.bin): void {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> ${this.calls}\n${body}`);
    chmodSync(file, 0o755);
  }

  /** A Go that, on `build`, runs the given lines with the output's name in $out; $all are its arguments. */
  addGo(onBuild: string, version = "1.26.0"): void {
    const findOutput = 'while [ $# -gt 0 ]; do [ "$1" = -o ] && out="$2"; shift; done';
    this.addProgram(
      "go",
      `all="$*"
[ "$1" = version ] && { echo "go version go${version} linux/amd64"; exit 0; }
[ "$1" = list ] && { echo ${this.sdk}; exit 0; }
${findOutput}\n${onBuild}`,
    );
  }

  /** Lines for addGo that make a working engine. */
  readonly goodBuild = 'printf "#!/bin/sh\\necho v3.246.0\\n" > "$out"; chmod 755 "$out"\n';

  /** A site that has this archive. @param sum What the checkout says of it. */
  addDownload(archive: string, sum: string): void {
    const find = 'while [ $# -gt 0 ]; do [ "$1" = -o ] && out="$2"; shift; done';
    this.addProgram("curl", `${find}\ncat ${archive} > "$out"\n`);
    this.writeSum(sum);
  }

  private writeSum(sum: string): void {
    writeFileSync(
      join(this.checkout, "tools", "engine", "checksums.txt"),
      `${sum}  pulumi-v${ENGINE_VERSION}-${process.platform}-${process.arch}.tar.gz\n`,
    );
  }

  addFailingDownload(): void {
    this.addProgram("curl", 'echo "curl: (6) Could not resolve host" >&2\nexit 6\n');
  }

  layout(): Layout {
    return layoutFor(this.env, this.checkout);
  }

  ensure(): Promise<Engine> {
    return ensureEngine(this.options());
  }

  ensureYaml(engine: Engine): Promise<string> {
    return ensureYamlHost(engine, this.options());
  }

  private options(): EngineOptions {
    return { env: this.env, checkout: this.checkout, log: (line) => this.log.push(line) };
  }

  /** The programs that ran, in order. */
  programsRun(): string[] {
    if (!existsSync(this.calls)) return [];
    const lines = readFileSync(this.calls, "utf8").trim().split("\n");
    return lines.map((line) => line.split(" ").slice(0, 2).join(" "));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
