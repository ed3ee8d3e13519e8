"""The changes: what a machine can alter in one place of a program so that it still runs and does something else."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(slots=True)
class Change:
    """One change, made in place and taken back.

    Attributes:
        holder: the node or the list that holds what changes.
        place: name of its field, or index.
        new: what comes there.
    """

    operator: str
    holder: Any
    place: str | int
    new: Any

    def swap(self) -> None:
        """Make the change; a second call takes it back."""
        if isinstance(self.place, str):
            old = getattr(self.holder, self.place)
            setattr(self.holder, self.place, self.new)
        else:
            old = self.holder[self.place]
            self.holder[self.place] = self.new
        self.new = old


DELETION = "deletion"
COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: Final[Mapping[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield every change that an operator makes to one node."""
    yield from _operators(node)
    yield from _negations(node)
    match node:
        case ast.Constant(value=value):
            yield from _constant(node, value)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield Change("return", node, "value", ast.Constant(None))
    yield from _deletions(node)


def _negations(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Change("negation", node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.comprehension(ifs=ifs):
            for place, condition in enumerate(ifs):
                yield Change("negation", ifs, place, negated(condition))
        case ast.If() | ast.While() | ast.IfExp():
            yield Change("negation", node, "test", negated(node.test))


def _operators(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            for place, old in enumerate(ops):
                for new in COMPARISONS.get(type(old), ()):
                    yield Change("comparison", ops, place, new())
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in ARITHMETIC:
            yield Change("arithmetic", node, "op", ARITHMETIC[type(op)]())
        case ast.BoolOp(op=op):
            yield Change("and-or", node, "op", ast.Or() if isinstance(op, ast.And) else ast.And())


def negated(condition: ast.expr) -> ast.expr:
    """Return the opposite of a condition."""
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return condition.operand
    return ast.UnaryOp(ast.Not(), condition)


def _constant(node: ast.Constant, value: object) -> Iterator[Change]:
    """Yield neighbours of numbers, truth values and octets; what strings hold is for people or names a rule."""
    match value:
        case bool():
            yield Change("constant", node, "value", not value)
        case int() | float():
            yield Change("constant", node, "value", value + 1)
            yield Change("constant", node, "value", value - 1)
        case bytes() if value:
            yield Change("constant", node, "value", value[:-1] + bytes((value[-1] ^ 1,)))


def _deletions(node: ast.AST) -> Iterator[Change]:
    """Yield the deletion of statements that leave no name undefined."""
    for name in ("body", "orelse", "finalbody"):
        statements = getattr(node, name, None)
        for place, statement in enumerate(statements if isinstance(statements, list) else ()):
            if _deletable(statement):
                yield Change(DELETION, statements, place, ast.copy_location(ast.Pass(), statement))


def _deletable(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            return True
        case ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
    return False
