"""Defects in steps and oracle: an assertion deleted, a comparison weakened, a check that passes before it looks."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

RECORDING = frozenset(
    {"witness", "says", "judge_last", "judge_table", "judge_reply", "judge_run", "judge_all", "silence"}
)
"""Calls that record an assertion, or lead to one."""
SAYS = "says"
Change = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect in one file.

    Attributes:
        kind: ``delete assertion``, ``weaken comparison``, ``drop scenario`` or ``pass early``.
        file: below the package, such as ``harness/judge/mqsd_server/reply.py``.
        lines: of what it alters.
        around: the lines of the function that this is in, or of the scenario.
        inside: the function that it is in, or the scenario.
        what: it alters, in the words of the file, so that the defect keeps its name when lines move.
        text: the whole file with the defect.
    """

    kind: str
    file: str
    lines: range
    around: range
    inside: str
    what: str
    text: str

    @property
    def id(self) -> str:
        """A name for the test that seeds it and for the list of those that need not be noticed."""
        return f"{self.kind.replace(' ', '-')}:{self.file}:{self.inside}: {self.what}".removesuffix(": ")


@dataclass(frozen=True, slots=True)
class _Place:
    kind: str
    lines: range
    what: str
    change: Change


def code_defects(file: str, source: str) -> Iterator[Defect]:
    """Yield every defect that can be seeded into a module."""
    number, alike = 0, Counter[tuple[str, str, str]]()
    while True:
        tree = ast.parse(source)
        found = list(_all(tree, range(0), ""))
        if number == len(found):
            return
        around, inside, one = found[number]
        one.change()
        alike[one.kind, inside, one.what] += 1
        again = alike[one.kind, inside, one.what]
        what = one.what + (f" ({again})" if again > 1 else "")
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        yield Defect(one.kind, file, one.lines, around, inside, what, text)
        number += 1


def _all(node: ast.AST, around: range, inside: str) -> Iterator[tuple[range, str, _Place]]:
    """Yield the places in a node and below it, each with the lines and the name of the function around it."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        around, inside = lines_of(node), f"{inside}.{node.name}".lstrip(".")
    for place in _here(node):
        yield around, inside, place
    for child in ast.iter_child_nodes(node):
        yield from _all(child, around, inside)


def _here(node: ast.AST) -> Iterator[_Place]:
    if isinstance(node, ast.FunctionDef):
        yield from _parts(node)
        if _is_check(node):
            yield _Place("pass early", lines_of(node), "", _inserter(node))
    if isinstance(node, ast.Call):
        yield from _verdict_turned(node)
    if isinstance(node, ast.Call) and (condition := _condition(node)):
        always = ast.BoolOp(ast.Or(), [ast.Constant(True), condition])
        yield _Place("weaken comparison", lines_of(node), ast.unparse(condition), _setter(node.args, 0, always))
        yield from _without_each(condition, lines_of(node))
    for name in ("body", "orelse"):
        statements = getattr(node, name, None)
        yield from _deletions(statements if isinstance(statements, list) else [])


def _deletions(statements: list[ast.stmt]) -> Iterator[_Place]:
    """Yield the deletion of each statement that records an assertion."""
    for place, one in enumerate(statements):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and name_of(one.value) in RECORDING:
            yield _Place("delete assertion", lines_of(one), ast.unparse(one), _setter(statements, place, ast.Pass()))


def _verdict_turned(call: ast.Call) -> Iterator[_Place]:
    """Yield the failure that passes, where a branch has compared already and says no more than that it fails."""
    if not call.args:
        return
    first, what = call.args[0], ast.unparse(call)
    if name_of(call) == SAYS and isinstance(first, ast.Constant) and first.value is False:
        yield _Place("weaken comparison", lines_of(call), what, _setter(call.args, 0, ast.Constant(True)))
    if name_of(call) == "Judgement" and isinstance(first, ast.Attribute) and first.attr == "FAIL":
        passes = ast.Attribute(first.value, "PASS", ast.Load())
        yield _Place("weaken comparison", lines_of(call), what, _setter(call.args, 0, passes))


def _parts(function: ast.FunctionDef) -> Iterator[_Place]:
    """Yield each conjunction with one part less that gets a name before a verdict is made of it."""
    names = {ast.unparse(one.args[0]) for one in ast.walk(function) if isinstance(one, ast.Call) and _condition(one)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in names:
            yield from _without_each(node.value, lines_of(node))


def _without_each(condition: ast.expr, lines: range) -> Iterator[_Place]:
    for node in ast.walk(condition):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for place, part in enumerate(node.values):
                what = f"{ast.unparse(condition)} without {ast.unparse(part)}"
                yield _Place("weaken comparison", lines, what, _setter(node.values, place, ast.Constant(True)))


def _condition(call: ast.Call) -> ast.expr | None:
    """Return what a verdict is made of, where a call makes one; a judge in its place is passed on to who does."""
    first = call.args[0] if call.args and name_of(call) == SAYS else None
    return None if first is None or isinstance(first, ast.Constant) or ast.unparse(first).endswith("judge") else first


def lines_of(node: ast.stmt | ast.expr) -> range:
    """Return the lines that a node stands on."""
    assert node.end_lineno is not None  # parsed, not made
    return range(node.lineno, node.end_lineno + 1)


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


def name_of(call: ast.Call) -> str:
    """Return what a call names: a function, or a method of whatever object; nothing where it names none."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
