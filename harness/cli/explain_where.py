"""``mqconform explain ID --where``: file and line of everything that a requirement is made of.

The model of a section is what defines it: a definition whose docstring cites the section as its source, as in
``(MS-MQSD 2.2.3)``, or whose table names the requirement. What only uses that definition refers to it by name.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Final, Literal

from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.roles import ROLES, mutants_of
from mqconform.harness.judge.bears_on import own_requirements
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.lint.definitions import load_definitions

AUDITS: Final = "audit"
"""The folder of a model with the rules for captures: they refer to the model and are none."""
Kind = Literal["scenario", "model", "check", "mutant"]
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the project that has to do with a requirement."""

    kind: Kind
    file: Path
    line: int
    name: str

    def record(self) -> dict[str, str | int]:
        """Return it as JSON has it."""
        return {"kind": self.kind, "file": str(self.file), "line": self.line, "name": self.name}

    def __str__(self) -> str:
        """Return it as an editor understands it, relative to the working directory where it lies below."""
        here = Path.cwd()
        file = self.file.relative_to(here) if self.file.is_relative_to(here) else self.file
        return f"{self.kind:<8}  {file}:{self.line}  {self.name}"


def places_of(requirement: Requirement) -> tuple[Place, ...]:
    """Return the scenarios, model functions, checks and mutants of a requirement, each place once."""
    places = (*_scenarios(requirement), *_model(requirement), *_checks(requirement), *_mutants(requirement))
    return tuple(dict.fromkeys(places))


def _scenarios(requirement: Requirement) -> Iterator[Place]:
    for scenario in load_suite_index().of_requirement(requirement.id):
        yield Place("scenario", scenario.file, scenario.line, scenario.name)


def _checks(requirement: Requirement) -> Iterator[Place]:
    """Yield the checks that say they bear on it, then the steps that judge its scenarios."""
    roles = [ROLES[name] for name in ROLES if name in requirement.roles]
    for folder in dict.fromkeys(role.folder for role in roles):
        for module in _modules_below(f"mqconform.harness.judge.{folder}"):
            functions = [value for value in vars(module).values() if inspect.isfunction(value)]
            for function in functions:
                if function.__module__ == module.__name__ and requirement.id in own_requirements(function):
                    yield _place_of_function(function)
    definitions = load_definitions(tuple(module for role in roles for module in role.step_modules))
    for scenario in load_suite_index().of_requirement(requirement.id):
        for sentence in scenario.thens:
            for step in definitions.functions("then", sentence):
                yield _place_of_function(_check_of(step, sentence))


def _check_of(step: Callable[..., object], sentence: str) -> Callable[..., object]:
    """Return the check that a sentence stands for by the table SENTENCES beside its step, else the step itself."""
    table: dict[str, Callable[..., object]] = vars(import_module(step.__module__)).get("SENTENCES", {})
    return table.get(sentence, step)


def _place_of_function(function: Callable[..., object]) -> Place:
    _, line = inspect.getsourcelines(function)
    return Place("check", Path(inspect.getsourcefile(function) or ""), line, function.__name__)


def _mutants(requirement: Requirement) -> Iterator[Place]:
    for role in ROLES.values():
        breaking = [mutant for mutant in mutants_of(role) if requirement.id in mutant.breaks]
        for mutant in breaking:
            yield from _fault(mutant)
        names = {mutant.name for mutant in breaking}
        for module in _modules_below(f"mqconform.harness.iut.mutants.{role.folder}") if names else ():
            file = Path(str(module.__file__))
            if not any(name in _text(file) for name in names):
                continue
            for node in _parts(_tree(file)):
                if isinstance(node, ast.Constant) and node.value in names:
                    yield Place("mutant", file, node.lineno, str(node.value))


def _fault(mutant: Mutant) -> Iterator[Place]:
    """Yield the class with the broken rule, where a mutant is the reference with another model."""
    for argument in mutant.make.args if isinstance(mutant.make, partial) else ():
        for broken in (
            candidate for candidate in (getattr(argument, "rules", None), type(argument)) if isinstance(candidate, type)
        ):
            if ".faults." not in broken.__module__:
                continue
            lines, first = inspect.getsourcelines(broken)
            behind = next(number for number, line in enumerate(lines) if line.startswith("class "))
            yield Place("mutant", Path(inspect.getsourcefile(broken) or ""), first + behind, broken.__name__)


def _model(requirement: Requirement) -> list[Place]:
    """Return what in the model names the requirement, or else cites its section, or else mentions it."""
    specification = requirement.id.partition("-")[0]
    packages = [
        package for role in ROLES.values() if role.specification == specification for package in role.model_packages
    ]
    files = [
        file
        for package in dict.fromkeys(packages)
        for file in sorted(Path(str(import_module(package).__file__)).parent.rglob("*.py"))
        if file.parent.name != AUDITS
    ]
    section = requirement.section
    ways: tuple[Callable[[Path], Iterator[Place]], ...] = (
        lambda file: _naming(file, requirement),
        lambda file: _of_section(file, section, _sources),
        lambda file: _of_section(file, section, lambda docstring: docstring),
        lambda file: _whole_file(file, section),
    )
    return next((places for way in ways if (places := [place for file in files for place in way(file)])), [])


def _naming(file: Path, requirement: Requirement) -> Iterator[Place]:
    text = _text(file)
    if requirement.id not in text and requirement.section not in text:
        return
    definitions = [node for node, _ in _definitions(_tree(file))]
    direct = [node for node in definitions if _names(node, requirement)]
    tables = {name for node in direct for name in _assigned(node)}
    users = [node for node in definitions if isinstance(node, ast.FunctionDef) and tables & _loaded(node)]
    for node in users or direct:
        yield Place("model", file, node.lineno, _name(node))


def _of_section(file: Path, section: str, part: Callable[[str], str]) -> Iterator[Place]:
    if section not in _text(file):
        return
    for node, docstring in _definitions(_tree(file)):
        if _mentions(part(docstring), section):
            yield Place("model", file, node.lineno, _name(node))


def _sources(docstring: str) -> str:
    """Return what a docstring cites as its source, as in ``(MS-MQSD 2.2.3, register SD-22)``."""
    return " ".join(re.findall(r"\((?:MS-|page)[^)]*\)", docstring))


def _whole_file(file: Path, section: str) -> Iterator[Place]:
    if _mentions(ast.get_docstring(_tree(file)) or "", section):
        yield Place("model", file, 1, file.stem)


@cache
def _definitions(tree: ast.Module) -> tuple[tuple[Definition, str], ...]:
    """Return functions, classes, methods and assignments with what is said of each."""
    return tuple(_definitions_in(tree))


def _definitions_in(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[Definition, str]]:
    for node, after in zip_longest(tree.body, tree.body[1:]):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node, ast.get_docstring(node) or ""
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            docstring = after.value if isinstance(after, ast.Expr) else None
            yield node, str(docstring.value) if isinstance(docstring, ast.Constant) else ""
        if isinstance(node, ast.ClassDef):
            yield from _definitions_in(node)


def _names(node: ast.AST, requirement: Requirement) -> bool:
    """Tell whether a definition holds the id as a text, or its section and number as two arguments of one call."""
    if isinstance(node, ast.ClassDef):
        return False  # its methods and fields are definitions of their own
    section_and_number = {requirement.section, requirement.id.rpartition("-")[2]}
    return requirement.id in _constants(node) or any(section_and_number <= texts for texts in _constants_of_calls(node))


@cache
def _constants(node: ast.AST) -> frozenset[object]:
    return frozenset(part.value for part in _parts(node) if isinstance(part, ast.Constant))


@cache
def _constants_of_calls(node: ast.AST) -> tuple[frozenset[object], ...]:
    """Return what each call has of constants among its arguments."""
    calls = (part for part in _parts(node) if isinstance(part, ast.Call))
    return tuple(
        frozenset(argument.value for argument in call.args if isinstance(argument, ast.Constant)) for call in calls
    )


def _assigned(node: Definition) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return (target.id for target in targets if isinstance(target, ast.Name))


@cache
def _loaded(node: ast.AST) -> frozenset[str]:
    return frozenset(part.id for part in _parts(node) if isinstance(part, ast.Name))


@cache
def _parts(node: ast.AST) -> tuple[ast.AST, ...]:
    """Return a node and all below it: each requirement asks it of the same definitions."""
    return tuple(ast.walk(node))


def _name(node: Definition) -> str:
    return node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else ", ".join(_assigned(node))


def _mentions(text: str, section: str) -> bool:
    """Tell whether a text names a section; one without a dot only behind the word."""
    if "." not in section:
        return re.search(rf"sections? (?:\d+[, and]+)*{section}\b(?!\.)", text) is not None
    return re.search(rf"(?<![\d.]){re.escape(section)}(?!\.?\d)", text) is not None


def _modules_below(package: str) -> Iterator[ModuleType]:
    root = import_module(package)
    for file in sorted(Path(str(root.__file__)).parent.glob("*.py")):
        yield root if file.stem == "__init__" else import_module(f"{package}.{file.stem}")


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(_text(file))
