"""Prints the classes of the generated package with the names that the schema has for their properties, as JSON. Run by sdk.long.test.ts."""

import inspect
import json

import pulumi_agent_platform as package


def names(one: type) -> list[str]:
    getters = [each.fget for _, each in inspect.getmembers(one) if isinstance(each, property)]
    return sorted(getattr(each, "_pulumi_name", each.__name__) for each in getters)


def classes(module: object) -> dict[str, list[str]]:
    return {name: names(one) for name, one in inspect.getmembers(module, inspect.isclass)}


print(json.dumps({"package": classes(package), "outputs": classes(package.outputs)}))
