"""Runs `pulumi` as its users do: as a process, on a stack of a small program. Keys go by environment, never as arguments."""

import json
import os
import re
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Literal

LONGEST_SECONDS = 120
# What `--expect-no-changes` ends with where there are changes.
CHANGES = 7

Front = Literal["dynamic", "native"]
Ended = subprocess.CompletedProcess[str]

_HEAD = 'const pulumi = require("@pulumi/pulumi");\nconst platform = require("pulumi-agent-platform");\n'
_NAME = "test"
# As in tests/support/cli-stack.ts: a passphrase takes half of a short command's time.
_KEYS = ["--secrets-provider=hashivault://tests"] if "VAULT_SERVER_URL" in os.environ else []
# Runs programs in one process (tests/support/kept-host.ts), and what dynamic resources need not load at once.
_SUPPORT = Path(__file__).parent.parent / "support"
# A developer's own connection must not leak into a test, nor what the launcher tells the tests.
_NOT_THE_STACKS = re.compile("(AGENT_PLATFORM|OFFICIAL|PULUMI)_")


class PulumiStack:
    """A stack with a local backend of its own, whose resources reach the platform through one of the two plugins."""

    def __init__(self, front: Front, base_url: str, api_key: str) -> None:
        room = Path(os.environ["OFFICIAL_ROOM"]) / "stacks"
        room.mkdir(exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="stack-", dir=room))
        (self.folder / "backend").mkdir()
        own = {name: value for name, value in os.environ.items() if not _NOT_THE_STACKS.match(name)}
        self._environment = {
            **own,
            "PATH": os.pathsep.join([os.environ["OFFICIAL_ENGINE_BIN"], own["PATH"]]),
            "PULUMI_BACKEND_URL": f"file://{self.folder / 'backend'}",
            "PULUMI_HOME": str(self.folder / "home"),
            "PULUMI_CONFIG_PASSPHRASE": secrets.token_urlsafe(),
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "AGENT_PLATFORM_BASE_URL": base_url,
            "AGENT_PLATFORM_API_KEY": api_key,
            "NODE_OPTIONS": f"--require={Path(os.environ['OFFICIAL_PLUGIN']).parent / 'dist/sdk/load-later.js'}",
        }
        self._host: subprocess.Popen[str] | None = None
        self._port = ""
        native = (
            f"packages:\n  agent-platform: {os.environ['OFFICIAL_PLUGIN']}\n"
            "config:\n  agent-platform:plugin:\n    value: native\n"
        )
        project = f"name: {_NAME}\nruntime: nodejs\n" + (native if front == "native" else "")
        (self.folder / "Pulumi.yaml").write_text(project)
        (self.folder / "package.json").write_text(json.dumps({"name": _NAME, "main": "index.js"}))
        self.write("")
        self.succeed("stack", "init", _NAME, *_KEYS)

    def write(self, program: str) -> None:
        """Replaces the program: the body of a module in which `pulumi` and `platform` (this package) are there."""
        (self.folder / "index.js").write_text(_HEAD + program)

    def up(self, *arguments: str) -> str:
        return self.succeed("up", "--yes", "--skip-preview", *arguments)

    def destroy(self) -> str:
        return self.succeed("destroy", "--yes", "--skip-preview")

    def has_nothing_to_do(self) -> None:
        """Neither the program nor what the server has differs from the state: one command says both."""
        self.succeed("preview", "--refresh", "--diff", "--expect-no-changes")

    def drift(self) -> str:
        """What a look at the server shows as changed; nothing is recorded."""
        ended = self.run("refresh", "--preview-only", "--diff", "--expect-no-changes")
        assert ended.returncode == CHANGES, ended.stdout
        return ended.stdout

    def succeed(self, *arguments: str) -> str:
        """What the command printed; fails unless it succeeded."""
        ended = self.run(*arguments)
        assert ended.returncode == 0, f"pulumi {' '.join(arguments)} ended with {ended.returncode}:\n{ended.stdout}"
        return ended.stdout

    def fail(self, *arguments: str) -> str:
        """What the command printed; fails unless it failed."""
        ended = self.run(*arguments)
        assert ended.returncode != 0, ended.stdout
        return ended.stdout

    def run(self, *arguments: str) -> Ended:
        """The command, once it has ended. Its output is what a person sees."""
        client = [self._client()] if arguments[0] in ("up", "preview") else []
        ended = subprocess.run(
            [*self._command(arguments), *client],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        # A program that failed leaves promises in the SDK that never end, and the next one would wait for them.
        if ended.returncode not in (0, CHANGES):
            self._stop_host()
        return ended

    def resources(self) -> dict[str, dict]:
        """What state has of each resource of this package, by its name."""
        file = self.folder / "backend" / ".pulumi" / "stacks" / _NAME / f"{_NAME}.json"
        latest = json.loads(file.read_text())["checkpoint"]["latest"] or {}
        kept = [each for each in latest.get("resources", []) if _is_ours(each["type"])]
        return {each["urn"].rsplit("::", 1)[1]: each for each in kept}

    def remove(self) -> None:
        self._stop_host()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        return [str(Path(os.environ["OFFICIAL_ENGINE_BIN"]) / "pulumi"), "--non-interactive", *arguments]

    def _client(self) -> str:
        """The argument with which the CLI finds the process that runs the stack's programs. It starts where it does not run yet."""
        if self._host is None:
            own = {name: value for name, value in self._environment.items() if not name.startswith("PULUMI_")}
            command = ["node", str(_SUPPORT / "program-host.js")]
            self._host = subprocess.Popen(
                command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            self._port = self._host.stdout.readline().strip()
        return f"--client=127.0.0.1:{self._port}"

    def _stop_host(self) -> None:
        if self._host is not None:
            self._host.communicate()
        self._host = None


def _is_ours(token: str) -> bool:
    return "agent-platform" in token and not token.startswith("pulumi:providers:")
