"""Where a module can be changed: each place with a name that survives edits elsewhere in the file."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mqconform.harness.compare.mutation.machine.operators import DELETION, Change, changes

WIDTH = 160
Functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Place:
    """One change to one module.

    Attributes:
        module: its dotted name.
        scope: function or class in which it is made, empty at the top.
        line: of the statement.
        called: whether it runs when a function is called, not when the module is imported.
        number: among all changes to the module; what ``mutated`` takes.
        was: source before the change.
        becomes: source after it.
        nth: tells apart equal changes in one scope.
    """

    module: str
    scope: str
    line: int
    called: bool
    number: int
    operator: str
    was: str
    becomes: str
    nth: int = 0

    @property
    def id(self) -> str:
        """What it is called in lists: neither line nor number, which move."""
        again = f" #{self.nth}" if self.nth else ""
        return f"{self.module.partition('.')[2]}:{self.scope}: {self.was} -> {self.becomes}{again}"


@dataclass(frozen=True, slots=True)
class _Found:
    """A change with what is shown of it: a simple statement, or an expression of a compound one."""

    change: Change
    shown: ast.AST
    where: "_Where"


@dataclass(frozen=True, slots=True)
class _Where:
    scope: str = ""
    line: int = 1
    called: bool = False


def places_of(module: str, source: str) -> list[Place]:
    """Return every change that can be made to a module, in the order of its text."""
    seen: Counter[tuple[str, str, str]] = Counter()
    places = []
    for number, found in enumerate(_all(ast.parse(source))):
        was, becomes = _before_and_after(found)
        at, key = found.where, (found.where.scope, was, becomes)
        operator = found.change.operator
        places.append(Place(module, at.scope, at.line, at.called, number, operator, was, becomes, seen[key]))
        seen[key] += 1
    return places


def _before_and_after(found: _Found) -> tuple[str, str]:
    if found.change.operator == DELETION:
        return _shown(found.change.holder[found.change.place]), "nothing"
    was = _shown(found.shown)
    found.change.swap()
    becomes = _shown(found.shown)
    found.change.swap()
    return was, becomes


def mutated(source: str, number: int) -> ast.Module:
    """Return the module with one change made."""
    tree = ast.parse(source)
    _all(tree)[number].change.swap()
    return ast.fix_missing_locations(tree)


def _all(tree: ast.Module) -> list[_Found]:
    return [*_inside(tree, tree, _Where())]


def _inside(node: ast.AST, shown: ast.AST, at: _Where) -> Iterator[_Found]:
    """Yield the changes below a node; what only people and type checkers read is passed over."""
    for change in changes(node):
        yield _Found(change, shown, at)
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _passed_over(node, name, child):
                yield from _inside(child, _to_show(node, child, shown), _place_of(node, name, child, at))


def _place_of(parent: ast.AST, name: str, child: ast.AST, at: _Where) -> _Where:
    """Return where a child stands."""
    scope = f"{at.scope}.{child.name}".strip(".") if isinstance(child, Functions) else at.scope
    line = child.lineno if isinstance(child, ast.stmt) else at.line
    called = at.called or (isinstance(parent, ast.FunctionDef) and name == "body")
    return _Where(scope, line, called)


def _to_show(parent: ast.AST, child: ast.AST, shown: ast.AST) -> ast.AST:
    """Return what stands for the child's changes: of a compound statement only the expression at its head."""
    head = isinstance(parent, ast.stmt) and hasattr(parent, "body") and isinstance(child, ast.expr)
    return child if head or isinstance(child, ast.stmt) else shown


def _passed_over(parent: ast.AST, name: str, child: ast.AST) -> bool:
    match child:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
    return name in {"annotation", "returns", "decorator_list", "bases", "keywords", "type_params"} and not isinstance(
        parent, ast.Call
    )


def _shown(node: ast.AST) -> str:
    """Return source on one line, of a branch its condition."""
    if isinstance(node, ast.If | ast.While):
        node = node.test
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
