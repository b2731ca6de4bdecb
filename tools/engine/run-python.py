"""Runs a Python program on an engine, as pulumi-language-python-exec does, which ships with the CLI's download only."""

import argparse
import asyncio
import logging
import os
import runpy
import signal
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor

import pulumi
from pulumi.runtime import Settings, configure, run_in_stack

EXIT_ALREADY_REPORTED = 32

parser = argparse.ArgumentParser()
for name in ("monitor", "engine", "project", "stack", "organization", "root-directory", "pwd", "parallel"):
    parser.add_argument(f"--{name}")
parser.add_argument("--dry-run", action="store_true")
parser.add_argument("program")
parser.add_argument("args", nargs=argparse.REMAINDER)
given = parser.parse_args()

# A program that is told to end does so at once, without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.chdir(given.pwd)
sys.argv = [given.program, *given.args]
parallel = int(given.parallel) if given.parallel else None
configure(
    Settings(
        given.project,
        given.stack,
        monitor=given.monitor,
        engine=given.engine,
        parallel=parallel,
        dry_run=given.dry_run,
        organization=given.organization,
        root_directory=given.root_directory,
    )
)
# What fails is reported below: asyncio would report it once more for each task that nothing waited for.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def program() -> None:
    runpy.run_path(given.program, run_name="__main__")


async def main() -> None:
    if parallel is not None:
        # Each call of the engine holds a thread until its answer, and a resource may make several.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(parallel * 4))
    await run_in_stack(program)


try:
    asyncio.run(main())
except pulumi.RunError as error:
    pulumi.log.error(str(error))
    sys.exit(EXIT_ALREADY_REPORTED)
except Exception:
    pulumi.log.error(f"Program failed with an unhandled exception:\n{traceback.format_exc()}")
    sys.exit(EXIT_ALREADY_REPORTED)
