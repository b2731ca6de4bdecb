"""Runs `langgraph` as its users do: as a process. Address and key go by environment, never as arguments."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

LONGEST_SECONDS = 30


class CommandLine:
    """The command in a folder, against a platform."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self._environment = {**os.environ, **environment}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """What the command left, once it has ended."""
        return subprocess.run(
            self._command(arguments),
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )

    def succeed(self, *arguments: str) -> str:
        """What the command printed; fails unless it succeeded."""
        ended = self.run(*arguments)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def events(self, *arguments: str) -> list[dict]:
        """The lines of JSON that the command printed, whether it succeeded or not."""
        ended = self.run(*arguments)
        lines = [line for line in ended.stdout.splitlines() if line.startswith("{")]
        assert lines, ended.stdout + ended.stderr
        return [json.loads(line) for line in lines]

    def interrupt_when_silent(self, began: Callable[[str], bool], *arguments: str) -> tuple[int, str]:
        """
        Exit code and output of a command that follows something until Ctrl-C. That comes once a line `began` it and the command has been
        silent for a second: it handles Ctrl-C between two polls, and not while it prints what was there at first.
        """
        process = subprocess.Popen(
            self._command(arguments),
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        lines: Queue[str] = Queue()
        reader = Thread(target=lambda out: [lines.put(line) for line in out], args=(process.stdout,), daemon=True)
        reader.start()
        said = ""
        try:
            while not began(line := lines.get(timeout=LONGEST_SECONDS)):
                said += line
            with suppress(Empty):
                while True:
                    said += line
                    line = lines.get(timeout=1)
            process.send_signal(signal.SIGINT)
            process.wait(timeout=LONGEST_SECONDS)
            reader.join(timeout=LONGEST_SECONDS)
        finally:
            process.kill()
        return process.returncode, said + "".join(lines.queue)

    @staticmethod
    def _command(arguments: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-m", "langgraph_cli", *arguments]
