"""Defects in the suite itself: an assertion deleted, a comparison weakened, a check that passes early, a scenario gone.

``python harness/tests/seeded_defects.py --number 8 --seed 3`` seeds eight of each kind, chosen by chance, each into a
copy of the package, and runs there what the gate runs: the lint, and the mutants of the role that the defect is about.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
FOLDERS = ("features", "reference", "harness", "adapters", "reports")
ROLES = {
    "mqbr": ["router"],
    "mqsd": ["discovery_server", "discovery_client"],
    "mqsd_server": ["discovery_server"],
    "mqsd_client": ["discovery_client"],
    "eod": ["ordered_receiver", "ordered_sender", "transaction"],
}
"""Whose mutants notice a defect, by the folder that it is in."""
RECORDING = frozenset(
    {"witness", "says", "judge_last", "judge_table", "judge_reply", "judge_run", "judge_all", "silence"}
)
"""Calls that record an assertion, or lead to one."""
SAYS = "says"
Change = Callable[[], None]
_SCENARIO = re.compile(r"\s*Scenario( Outline)?:")
_TAG = re.compile(r"\s*@")
_END = re.compile(r"\s*(@|Scenario|Rule:|Feature:|Background:)")
_THEN = re.compile(r"\s*Then ")
_AND = re.compile(r"\s*(And|But) ")


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


def feature_defects(file: str, text: str) -> Iterator[Defect]:
    """Yield the feature without each of its scenarios, and without each assertion that follows another."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if _SCENARIO.match(line):
            start, end = _extent(lines, number)
            around, name = range(number + 1, end + 1), line.partition(":")[2].strip()
            yield Defect("drop scenario", file, around, around, name, "", _text(lines[:start] + lines[end:]))
            yield from _without_each_and(file, lines, around, name)


def _extent(lines: list[str], head: int) -> tuple[int, int]:
    """Return where a scenario's tags begin and where the next thing does."""
    start = head
    while start and _TAG.match(lines[start - 1]):
        start -= 1
    end = next((at for at in range(head + 1, len(lines)) if _END.match(lines[at])), len(lines))
    return start, end


def _without_each_and(file: str, lines: list[str], around: range, name: str) -> Iterator[Defect]:
    asserting = False
    for line in around:
        text = lines[line - 1]
        asserting = asserting or bool(_THEN.match(text))
        if asserting and _AND.match(text):
            left = _text(lines[: line - 1] + lines[line:])
            yield Defect("delete assertion", file, range(line, line + 1), around, name, text.strip(), left)


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def all_defects() -> Iterator[Defect]:
    """Yield every defect that can be seeded into what judges, file by file."""
    for path in sorted((PACKAGE / "harness" / "judge").rglob("*.py")):
        yield from code_defects(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8"))
    for path in sorted((PACKAGE / "features").glob("*/*.feature")):
        yield from feature_defects(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8"))


def copy_with(defect: Defect | None, folder: Path) -> Path:
    """Copy the package, the defect in it, and return what belongs on the path."""
    for name in FOLDERS:
        shutil.copytree(PACKAGE / name, folder / "mqconform" / name, ignore=shutil.ignore_patterns("tests", "*.nb?"))
    if defect:
        (folder / "mqconform" / defect.file).write_text(defect.text, "utf-8")
    return folder


def noticed(copy: Path, mutants: Sequence[str]) -> str:
    """Return the check that fails on a copy of the package; nothing where none does.

    Args:
        copy: what belongs on the path.
        mutants: words that choose mutants for `mqconform mutants`.
    """
    if _fails(copy, "lint"):
        return "lint"
    return "mutants" if _fails(copy, "mutants", "--out", str(copy / "matrix"), *mutants) else ""


def _fails(copy: Path, *arguments: str) -> bool:
    environment = os.environ | {"PYTHONPATH": str(copy)}
    main = "from mqconform.harness.cli import main; main()"
    command = [sys.executable, "-c", main, *arguments]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False).returncode != 0


def mutants_of(defect: Defect) -> list[str]:
    """Return the words that choose the mutants of the role that a defect is about; none where all may notice it."""
    roles = next((ROLES[part] for part in Path(defect.file).parts if part in ROLES), [])
    return [word for role in roles for word in ("--role", role)]


def main() -> int:
    """Seed some defects of each kind and say what noticed each; 1 where one went unnoticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=1, help="defects of each kind")
    parser.add_argument("--seed", type=int, default=0, help="decides which")
    wishes = parser.parse_args()
    defects = list(all_defects())
    missed = 0
    for kind in sorted({one.kind for one in defects}):
        some = [one for one in defects if one.kind == kind]
        for one in random.Random(wishes.seed).sample(some, min(wishes.number, len(some))):
            with tempfile.TemporaryDirectory() as folder:
                by = noticed(copy_with(one, Path(folder)), mutants_of(one))
            missed += not by
            sys.stdout.write(f"{by or 'MISSED'}: {one.id}\n")
            sys.stdout.flush()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
