"""What the pinned packages send and read: what a new version of one has anew needs its mark (../marks.json)."""

import os
from pathlib import Path

import langsmith

from facts import facts_of_packages

RECORDED = Path(__file__).parents[1] / "facts.json"


def test_facts_json_is_what_the_packages_send_and_read() -> None:
    now = facts_of_packages(Path(langsmith.__file__).parents[1])
    if "FACTS_RECORD" in os.environ:
        RECORDED.write_text("[\n" + ",\n".join(now) + "\n]\n")
    recorded = [line.rstrip(",") for line in RECORDED.read_text().splitlines()[1:-1]]
    changed = [f"+ {line}" for line in now if line not in recorded]
    changed += [f"- {line}" for line in recorded if line not in now]
    assert not changed, "\n".join(["FACTS_RECORD=1 npm run official -- -k facts writes these down:", *changed])
