"""Reads in the installed official packages what they send and read: facts.json, one operation a line."""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from sysconfig import get_path

PACKAGES = Path(get_path("purelib"))
METHODS = {"get", "post", "put", "patch", "delete"}
# Of what a program could declare, the fields count, too. A new field elsewhere changes nothing for it.
WITH_FIELDS = re.compile(
    r"langsmith \w+ /api/(v1/agents|v1/workspaces/current/secrets|v2/sandboxes/(registries|snapshots|volumes))|"
    r"langgraph-cli |langgraph-sdk \w+ (/assistants|/runs/crons|/threads/\{thread_id\}/runs/crons)"
)


class Module:
    """A file of a package, with the classes and functions that its names stand for."""

    known: dict[Path, "Module"] = {}

    def __init__(self, file: Path) -> None:
        self.file = file
        self.tree = ast.parse(file.read_text())
        self.classes = {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}
        self.aliases = {
            node.target.id: node.value
            for node in self.tree.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value
        }
        self.imports: dict[str, tuple[Path, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                base = file.parents[node.level - 1] if node.level else PACKAGES
                folder = base.joinpath(*(node.module or "").split("."))
                for name in node.names:
                    self.imports[name.asname or name.name] = (folder, name.name)

    @classmethod
    def of(cls, file: Path) -> "Module":
        if file not in cls.known:
            cls.known[file] = cls(file)
        return cls.known[file]

    def looked_up(self, name: str) -> "tuple[Module, str] | None":
        """Where a class is, and its name there; None for what is none of the package."""
        module, _, attribute = name.partition(".")
        if name in self.classes or name in self.aliases:
            return self, name
        if module not in self.imports:
            return None
        folder, original = self.imports[module]
        for file, rest in ((folder / f"{original}.py", attribute), (folder.with_suffix(".py"), original)):
            if file.is_file() and rest:
                return Module.of(file).looked_up(rest)
        return None


def named(node: ast.expr | None) -> str:
    """"a.b" of such an expression, "" of any other."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{named(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def fields_of(module: Module, name: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """The fields of a class, those of its objects below them: "configs.host_pattern"."""
    found = module.looked_up(name)
    if found is None or found[1] in above:
        return
    module, name = found
    if name in module.aliases:
        yield from below(module, module.aliases[name], above)
        return
    if any(named(base) == "Protocol" for base in module.classes[name].bases):
        return
    for base in module.classes[name].bases:
        yield from fields_of(module, named(base), (*above, name))
    for node in module.classes[name].body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            alias = re.search(r"alias=['\"](\w+)", ast.unparse(node.annotation))
            wire = alias[1] if alias else node.target.id
            yield wire
            yield from (f"{wire}.{each}" for each in below(module, node.annotation, (*above, name)))


def below(module: Module, annotation: ast.expr, above: tuple[str, ...]) -> Iterator[str]:
    """The fields of all classes that an annotation names."""
    text = annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        text = ast.parse(annotation.value, mode="eval").body
    for node in ast.walk(text):
        if isinstance(node, ast.Name):
            yield from fields_of(module, node.id, above)


class Function:
    """A function of a client, and what its names stand for."""

    def __init__(self, node: ast.FunctionDef) -> None:
        self.node = node
        self.given: dict[str, list[ast.expr]] = {}
        self.items: dict[str, list[tuple[str, ast.expr]]] = {}
        for each in ast.walk(node):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AnnAssign) else []
            for target in targets:
                if isinstance(target, ast.Name) and each.value is not None:
                    self.given.setdefault(target.id, []).append(each.value)
                if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                    self.items.setdefault(named(target.value), []).append((str(target.slice.value), each.value))

    def calls(self) -> Iterator[ast.Call]:
        return (node for node in ast.walk(self.node) if isinstance(node, ast.Call))

    def paths(self, node: ast.expr) -> list[str]:
        """Every path that the expression may be, with "{name}" for a part that varies."""
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) else []
        if isinstance(node, ast.JoinedStr):
            parts = [
                part.value if isinstance(part, ast.Constant) else "{%s}" % (re.findall(r"\w+", ast.unparse(part.value))[-1])
                for part in node.values
            ]
            return ["".join(parts)]
        if isinstance(node, ast.IfExp):
            return [*self.paths(node.body), *self.paths(node.orelse)]
        if isinstance(node, ast.Call):
            return self.paths(node.args[0]) if named(node.func) == "path_template" else []
        return [path for each in self.given.get(named(node), []) for path in self.paths(each)]

    def keys(self, node: ast.expr | None, seen: tuple[str, ...] = ()) -> Iterator[str]:
        """The keys of an object that a request sends."""
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if key is None:
                    yield from self.keys(value, seen)
                elif isinstance(key, ast.Constant):
                    yield str(key.value)
                    yield from (f"{key.value}.{each}" for each in self.keys(value, seen))
        elif isinstance(node, ast.Name) and node.id not in seen:
            for value in self.given.get(node.id, []):
                yield from self.keys(value, (*seen, node.id))
            for key, value in self.items.get(node.id, []):
                yield key
                yield from (f"{key}.{each}" for each in self.keys(value, (*seen, node.id)))
        elif isinstance(node, ast.DictComp):
            yield from self.keys(node.generators[0].iter, seen)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items":
            yield from self.keys(node.func.value, seen)
        elif isinstance(node, ast.BoolOp):
            for each in node.values:
                yield from self.keys(each, seen)
        elif isinstance(node, (ast.Tuple, ast.List)):
            pairs = [each for each in node.elts if isinstance(each, ast.Tuple)]
            yield from (each.elts[0].value for each in pairs if isinstance(each.elts[0], ast.Constant))


class Facts:
    def __init__(self) -> None:
        self.operations: dict[str, tuple[set[str], set[str]]] = {}

    def add(
        self, client: str, method: str, paths: list[str], sends: Iterable[str], answers: Iterable[str] = ()
    ) -> None:
        if not paths:
            raise ValueError(f"{client} has a {method} whose path is not found: it would be overlooked")
        for path in paths:
            key = f"{client} {method.upper()} {path}"
            of = self.operations.setdefault(key, (set(), set()))
            if WITH_FIELDS.match(key):
                of[0].update(field for field in sends if field.count(".") < 2)
                of[1].update(field for field in answers if field.count(".") < 2)

    def lines(self) -> Iterator[str]:
        for key, (sends, answers) in sorted(self.operations.items()):
            client, method, path = key.split(" ")
            line = {"client": client, "operation": f"{method} {path}"}
            line |= {name: sorted(each) for name, each in (("sends", sends), ("answers", answers)) if each}
            yield json.dumps(line)


def functions(module: Module, ends: str = "") -> Iterator[tuple[str, Function]]:
    for name, node in module.classes.items():
        if name.endswith(ends) and not name.startswith("Async"):
            yield from ((name, Function(each)) for each in node.body if isinstance(each, ast.FunctionDef))


def keyword(call: ast.Call, *names: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg in names), None)


def langsmith(facts: Facts, folder: Path) -> None:
    for file in sorted((folder / "langsmith" / "resources").rglob("*.py")):
        module = Module.of(file)
        for _, function in functions(module, "Resource"):
            for call in function.calls():
                name = named(call.func)
                if not name.startswith("self._") or name.removeprefix("self._") not in METHODS | {"get_api_list"}:
                    continue
                other = keyword(call, "method")
                method = other.value if isinstance(other, ast.Constant) else name.removeprefix("self._").split("_")[0]
                sends = [
                    field
                    for each in ast.walk(call)
                    if isinstance(each, ast.Call) and named(each.func) == "maybe_transform"
                    for field in fields_of(module, named(each.args[1]))
                ]
                answer = keyword(call, "model") or keyword(call, "cast_to")
                answers = list(below(module, answer, ())) if answer is not None else []
                facts.add("langsmith", method, function.paths(call.args[0]), sends, answers)


def langgraph_cli(facts: Facts) -> None:
    all_functions = [each for _, each in functions(Module.of(PACKAGES / "langgraph_cli" / "host_backend.py"), "Client")]
    page = [
        key
        for function in all_functions
        if function.node.name == "_every_page"
        for call in function.calls()
        if named(call.func) == "self._request"
        for key in function.keys(keyword(call, "params"))
    ]
    for function in all_functions:
        for call in function.calls() if function.node.name != "_every_page" else ():
            name, args = named(call.func), call.args
            if name == "self._every_page":
                facts.add("langgraph-cli", "get", function.paths(args[0]), [*function.keys(args[1]), *page])
            if name == "self._request":
                sent = [*args[2:3], *(each.value for each in call.keywords)]
                sends = [key for each in sent for key in function.keys(each)]
                facts.add("langgraph-cli", args[0].value, function.paths(args[1]), sends)


def langgraph_sdk(facts: Facts) -> None:
    folder = PACKAGES / "langgraph_sdk"
    schema = Module.of(folder / "schema.py")
    for file in sorted((folder / "_sync").glob("*.py")):
        for _, function in functions(Module.of(file)):
            for call in function.calls():
                match = re.fullmatch(r"self\._?http\.(\w+)", named(call.func))
                if not match:
                    continue
                method = match[1] if match[1] in METHODS else call.args[1].value
                sends = [key for each in ("json", "params") for key in function.keys(keyword(call, each))]
                answer = function.node.returns
                answers = list(below(schema, answer, ())) if answer is not None else []
                facts.add("langgraph-sdk", method, function.paths(call.args[0]), sends, answers)
    # The newer protocol of streams keeps its paths apart from its calls, which all are a POST.
    for _, function in functions(Module.of(folder / "stream" / "transport" / "sync_http.py")):
        nodes = [node for node in ast.walk(function.node) if isinstance(node, ast.JoinedStr)]
        texts = [path for node in nodes for path in function.paths(node)]
        if paths := [path for path in texts if path.startswith("/")]:
            facts.add("langgraph-sdk", "post", paths, [])


def facts_of_packages(newest: Path) -> list[str]:
    """One line an operation. `newest` is the folder of the newest langsmith."""
    found = Facts()
    langsmith(found, newest)
    langgraph_cli(found)
    langgraph_sdk(found)
    return list(found.lines())
