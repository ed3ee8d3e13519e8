"""Where defects are seeded: the folders of the package that judge, and its features."""

import ast
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from mqconform.harness.compare.mutation.seeded.code_defects import Defect, code_defects, lines_of, name_of
from mqconform.harness.compare.mutation.seeded.feature_defects import feature_defects

FOLDERS = ("features", "reference", "harness", "adapters", "reports")
JUDGING = ("harness/judge",)


def package() -> Path:
    """Return a folder whose ``FOLDERS`` are the parts of the package."""
    return Path(str(files("mqconform.harness"))).parent


def all_defects() -> Iterator[Defect]:
    """Yield every defect that can be seeded, file by file."""
    root = package()
    for folder in JUDGING:
        for path in sorted((root / folder).rglob("*.py")):
            yield from code_defects(path.relative_to(root).as_posix(), path.read_text("utf-8"))
    for path in sorted((root / "features").glob("*/*.feature")):
        yield from feature_defects(f"features/{path.parent.name}/{path.name}", path.read_text("utf-8"))


def callers(name: str) -> Iterator[tuple[str, str, range]]:
    """Yield file, name and lines of each function of the folders that judge and calls one of a name."""
    root = package()
    for path in (path for folder in JUDGING for path in sorted((root / folder).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(map(name.__eq__, _called(node))):
                yield path.relative_to(root).as_posix(), node.name, lines_of(node)


def _called(node: ast.AST) -> Iterator[str]:
    return (name_of(one) for one in ast.walk(node) if isinstance(one, ast.Call))
