"""The same stack by the Automation API: venv/bin/python automation.py preview|up|refresh|destroy."""

import sys
from pathlib import Path

from pulumi import automation

from environment import declare

if len(sys.argv) != 2 or sys.argv[1] not in ("preview", "up", "refresh", "destroy"):
    sys.exit(__doc__)
stack = automation.create_or_select_stack(
    stack_name="dev",
    project_name="support-desk-python",
    program=declare,
    opts=automation.LocalWorkspaceOptions(work_dir=str(Path(__file__).parent)),
)
try:
    getattr(stack, sys.argv[1])(on_output=print)
except automation.CommandError:
    sys.exit(1)  # The engine has printed why.
