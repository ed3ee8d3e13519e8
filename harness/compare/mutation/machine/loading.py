"""Loads the reference a second time under another name, changed in one place: the judge keeps its own, unchanged."""

import ast
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Final

from mqconform.harness.compare.mutation.machine.places import mutated

OURS: Final = "mqconform"
THEIRS: Final = "mqconform_mutated"
COPIED: Final = (
    "mqconform.reference",
    "mqconform.harness.iut.reference_iut",
    "mqconform.harness.iut.roles",
    "mqconform.harness.iut.all_roles",
)
"""Packages of which the implementation under test has copies of its own; the rest it shares with the harness."""
TARGET: Final = f"{THEIRS}.harness.iut.all_roles:ReferenceIut"
Watch = Callable[[str, int], None]
"""Told of each module and line that is executed."""


class _Renaming(ast.NodeTransformer):
    """Lets a module import the copies."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.module and node.module.startswith(COPIED):
            node.module = THEIRS + node.module.removeprefix(OURS)
        return node


class _Copy(Loader):
    """Executes one module of the copy."""

    def __init__(self, number: int | None, watch: Watch | None) -> None:
        self._number, self._watch = number, watch

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the source, changed where it is to be; a folder that is there for its name alone has none."""
        path = original(module.__name__)
        if path is None:
            return
        source = path.read_text("utf-8")
        tree = ast.parse(source) if self._number is None else mutated(source, self._number)
        if self._watch:
            module.__dict__[_PROBE] = self._watch
            tree = _Probing(OURS + module.__name__.removeprefix(THEIRS)).visit(tree)
        tree = ast.fix_missing_locations(_Renaming().visit(tree))
        exec(compile(tree, str(path), "exec"), module.__dict__)  # noqa: S102 - our own source


class MutatedReference(MetaPathFinder):
    """Finds the copies.

    Args of the constructor:
        module: the one that is changed, by its own name; none where the copy is true.
        number: of the place.
        watch: told of each line.
    """

    def __init__(self, module: str = "", number: int = 0, watch: Watch | None = None) -> None:
        self._module, self._number, self._watch = module, number, watch

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module of the copy."""
        del path, target
        if fullname.partition(".")[0] != THEIRS:
            return None
        own = OURS + fullname.removeprefix(THEIRS)
        number = self._number if own == self._module else None
        found = find_spec(own)
        package = found is not None and found.submodule_search_locations is not None
        return spec_from_loader(fullname, _Copy(number, self._watch), is_package=package)

    def install(self) -> None:
        """Let imports find the copies from now on; one process loads one of them."""
        sys.meta_path.insert(0, self)


def original(name: str) -> Path | None:
    """Return the source of the module that a copy is made of, None for a folder that has none of its own."""
    own = OURS + name.removeprefix(THEIRS) if name.startswith(THEIRS) else name
    found = find_spec(own)
    if not own.startswith(COPIED) or found is None or not found.origin:
        return None
    return Path(found.origin)


_PROBE = "__line_reached__"


class _Probing(ast.NodeTransformer):
    """Puts a call before each statement inside functions."""

    def __init__(self, module: str) -> None:
        self._module, self._depth = module, 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if self._depth and isinstance(statements, list):
                setattr(node, name, [each for one in statements for each in (self._probe(one), one)])
        return node

    def _probe(self, statement: ast.stmt) -> ast.stmt:
        arguments: list[ast.expr] = [ast.Constant(self._module), ast.Constant(statement.lineno)]
        call = ast.Call(ast.Name(_PROBE, ast.Load()), arguments, [])
        return ast.copy_location(ast.Expr(call), statement)
