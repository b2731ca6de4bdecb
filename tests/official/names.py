"""Names that are free on a platform that all tests share."""

import itertools
import re

_numbers = itertools.count(1)


def fresh_name(hint: str) -> str:
    """A valid name of a deployment or a template, from a hint such as a test's name; each call gives another."""
    slug = re.sub(r"[^a-z0-9]+", "-", hint.lower().removeprefix("test_")).strip("-")
    return f"{slug[:40].strip('-')}-{next(_numbers)}"
