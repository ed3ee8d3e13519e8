"""The file of a user's repository to which SARIF and annotations point.

Findings are about behaviour, so that no line is to blame. A place that GitHub can show is the program that was judged,
or the facts file where it is only sent datagrams; the scenario, which the user's repository does not have, is none.
"""

import shlex
from importlib.machinery import PathFinder
from pathlib import Path

from mqconform.harness.records.problem import ConfigurationError


def source_of(target: str, facts: Path | None, chosen: Path | None) -> str:
    """Return the path of a file from the top of the repository, with slashes; empty where there is none.

    Args:
        target: KIND:ID of the implementation.
        facts: the facts file, if there is one.
        chosen: the file that the user names, which takes precedence.

    Raises:
        ConfigurationError: what the user names is not a file of this repository.
    """
    if chosen is not None:
        named = _in_repository(chosen)
        if not named:
            raise ConfigurationError(f"--source {chosen}: is not in this repository; name a file of it")
        return named
    kind, _, what = target.partition(":")
    candidates: list[Path] = []
    if kind == "stdio":
        candidates = [Path(word) for word in _words(what)]
    elif kind == "api":
        candidates = _modules(what.partition(":")[0])
    if facts is not None:
        candidates.append(facts)
    return next((path for candidate in candidates if (path := _in_repository(candidate))), "")


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _modules(name: str) -> list[Path]:
    """Return the file of a module; nothing is imported, so that only its outermost package is looked for."""
    first, *below = name.split(".")
    spec = PathFinder.find_spec(first)
    if spec is None or spec.origin is None:
        return []
    origin = Path(spec.origin)
    inner = origin.parent.joinpath(*below)
    return [inner.with_suffix(".py"), inner / "__init__.py", origin] if below else [origin]


def _in_repository(path: Path) -> str:
    """Return a file by its path from the top of the repository that the user stands in, empty where it is outside."""
    here = Path.cwd()
    top = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    try:
        whole = path.resolve()
        return whole.relative_to(top.resolve()).as_posix() if whole.is_file() else ""
    except (OSError, ValueError):
        return ""
