"""Defects in steps and oracle: an assertion deleted, a comparison weakened, a check that passes before it looks."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

RECORDING = frozenset(
    {"witness", "says", "judge_last", "judge_table", "judge_reply", "judge_run", "judge_each", "silence"}
)
"""Calls that record an assertion, or lead to one."""
SAYS = "says"
Change = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect in one file.

    Attributes:
        kind: ``delete assertion``, ``weaken comparison``, ``drop scenario`` or ``pass early``.
        file: below the package, such as ``harness/oracle/site_checks.py``.
        line: where it is, for people.
        text: the whole file with the defect.
    """

    kind: str
    file: str
    line: int
    text: str

    @property
    def id(self) -> str:
        """A name for the test that seeds it."""
        return f"{self.kind.replace(' ', '-')}:{self.file}:{self.line}"


def code_defects(file: str, source: str) -> Iterator[Defect]:
    """Yield every defect that can be seeded into a module."""
    number = 0
    while True:
        tree = ast.parse(source)
        found = list(_all(tree))
        if number == len(found):
            return
        kind, line, change = found[number]
        change()
        yield Defect(kind, file, line, ast.unparse(ast.fix_missing_locations(tree)) + "\n")
        number += 1


def _all(tree: ast.Module) -> Iterator[tuple[str, int, Change]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield from _deletions(node)
            if _is_check(node):
                yield "pass early", node.lineno, _inserter(node)
        if isinstance(node, ast.Call) and _name(node) == SAYS and _compares(node):
            yield from _weakenings(node)


def _deletions(function: ast.FunctionDef) -> Iterator[tuple[str, int, Change]]:
    """Yield the deletion of each statement that records an assertion."""
    for node in ast.walk(function):
        for name in ("body", "orelse"):
            statements = getattr(node, name, None)
            if not isinstance(statements, list):
                continue
            for place, one in enumerate(statements):
                if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and _name(one.value) in RECORDING:
                    yield "delete assertion", one.lineno, _setter(statements, place, ast.Pass())


def _weakenings(call: ast.Call) -> Iterator[tuple[str, int, Change]]:
    """Yield the comparison that always holds, and each conjunction with one part less."""
    condition = call.args[0]
    yield "weaken comparison", call.lineno, _setter(call.args, 0, ast.BoolOp(ast.Or(), [ast.Constant(True), condition]))
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And):
        for place in range(len(condition.values)):
            yield "weaken comparison", call.lineno, _setter(condition.values, place, ast.Constant(True))


def _compares(call: ast.Call) -> bool:
    return bool(call.args) and not isinstance(call.args[0], ast.Constant)


def _is_check(function: ast.FunctionDef) -> bool:
    """Tell whether a function makes one judgement with the judge that it is given."""
    first = function.args.args[:1]
    makes_one = isinstance(function.returns, ast.Name) and function.returns.id == "Judgement"
    return makes_one and bool(first) and first[0].arg == "judge"


def _inserter(function: ast.FunctionDef) -> Change:
    early = ast.parse("return judge.says(True, 'right', 'right')").body[0]
    return lambda: function.body.insert(0, early)


def _setter(nodes: list[ast.stmt] | list[ast.expr], place: int, new: ast.AST) -> Change:
    return lambda: nodes.__setitem__(place, new)  # type: ignore[call-overload]  # of the list's kind


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
