"""Make base images of this machine's own interpreters, for where no registry is at hand.

    python3 base_image.py python            # prints mqsample-base-python
    docker build --build-arg BASE=mqsample-base-python -t mqsample-python python

An image holds the interpreter, its standard library, and the shared libraries that the loader names: nothing else, not
even a shell. It runs as nobody. Needs the Docker SDK (pip install docker) and an engine, which DOCKER_HOST may name.
"""

import argparse
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

LEFT_OUT = {
    "site-packages",
    "dist-packages",
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "lib2to3",
}
LEFT_OUT |= {"__pycache__", "pydoc_data"}
BULKY = re.compile(r"config-.*|_test.*\.so|.*\.a|_tkinter.*\.so")
PATH = "PATH=/usr/local/bin:/usr/bin:/bin"
PASSWD = b"root:x:0:0::/:/none\nnobody:x:65534:65534::/:/none\n"


class Missing(Exception):
    """This machine lacks something, for the reason given."""


def program(name: str) -> Path:
    """Return where a program really is."""
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not installed on this machine")
    return Path(found).resolve()


def libraries(files: list[Path]) -> set[Path]:
    """Return the shared libraries that files need, and the loader."""
    command = [program("ldd"), *files]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603
    return {Path(path) for path in re.findall(r"(?:=>|^)\s*(/\S+) \(0x", told, re.MULTILINE)}


def is_elf(path: Path) -> bool:
    """Tell whether a file is a program or a shared library."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def wanted_below(folder: Path) -> Iterator[Path]:
    """Yield the files of a library of modules that a program can need."""
    for path in sorted(folder.iterdir()):
        if path.name in LEFT_OUT or BULKY.fullmatch(path.name):
            continue
        if path.is_dir():
            yield from wanted_below(path)
        elif path.is_file():
            yield path


def python_files() -> dict[str, Path]:
    """Return what Python consists of, by path in the image; of this very interpreter."""
    interpreter = Path(sys.executable).resolve()
    library = Path(sys.base_prefix) / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    files = {str(path): path for path in (interpreter, *wanted_below(library))}
    return files | {"/usr/local/bin/python3": interpreter, "/usr/bin/python3": interpreter}


def node_files() -> dict[str, Path]:
    """Return what Node consists of: a single file."""
    return {"/usr/local/bin/node": program("node")}


FILES = {"python": python_files, "node": node_files}


def archive(software: str) -> bytes:
    """Return the image's file system as a tar."""
    octets = io.BytesIO()
    with tarfile.open(fileobj=octets, mode="w", dereference=True) as tar:
        files = FILES[software]()
        needed = libraries([path for path in files.values() if is_elf(path)])
        for name, path in sorted((files | {str(one): one for one in needed}).items()):
            tar.add(path, name)
        temporary = tarfile.TarInfo("tmp")
        temporary.type, temporary.mode = tarfile.DIRTYPE, 0o1777
        tar.addfile(temporary)
        people = tarfile.TarInfo("etc/passwd")
        people.size = len(PASSWD)
        tar.addfile(people, io.BytesIO(PASSWD))
    return octets.getvalue()


def make(software: str, tag: str) -> None:
    """Give the engine the image."""
    from docker import APIClient  # noqa: PLC0415 - where it is missing, main says so
    from docker.utils import kwargs_from_env  # noqa: PLC0415

    api = APIClient(version="auto", timeout=120, **kwargs_from_env())
    changes = [f"ENV {PATH}", "USER 65534:65534"]
    name, _, version = tag.partition(":")
    said = api.import_image_from_data(archive(software), repository=name, tag=version or "latest", changes=changes)
    if "error" in (last := json.loads(said.strip().splitlines()[-1])):
        raise Missing(f"the engine refused the image: {last['error']}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Make a base image of this machine's own interpreter.")
    parser.add_argument("software", choices=FILES)
    parser.add_argument("--tag", help="name of the image, mqsample-base-SOFTWARE unless given")
    asked = parser.parse_args()
    tag = asked.tag or f"mqsample-base-{asked.software}"
    try:
        make(asked.software, tag)
    except Exception as problem:  # noqa: BLE001 - no SDK, no engine, no room: all end this, and are told
        print(f"base_image.py: {problem}", file=sys.stderr)
        return 1
    print(tag)
    return 0


if __name__ == "__main__":
    sys.exit(main())
