"""Runs programs, a JSON list of texts, on mocks, and prints the tokens of the resources that they make and of the functions that they call."""

import json
import re
import sys

import pulumi

tokens = []


class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        tokens.append(args.typ)
        return [f"{args.name}-id", args.inputs]

    def call(self, args):
        tokens.append(args.token)
        return {"id": "an-id", "items": []}


pulumi.runtime.set_mocks(Mocks(), project="test", stack="test", preview=False)
for text in json.load(sys.stdin):
    for name in re.findall(r'config\.require\w*\("(\w+)"\)', text):
        pulumi.runtime.set_config(f"test:{name}", "canary")

    @pulumi.runtime.test
    def run():
        exec(compile(text, "program", "exec"), {})

    run()
print(json.dumps(tokens))
