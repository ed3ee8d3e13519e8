"""Build the images of the sample IUTs; no registry is asked.

    python3 build_images.py                 # all whose toolchain is here: mqsample-go, mqsample-python, ...
    python3 build_images.py go python       # these
    python3 build_images.py python --public-bases

Each sample is made by its Makefile and packed by its Dockerfile. What needs an interpreter gets this machine's own
(base_image.py), unless --public-bases leaves the Dockerfile its own choice. Needs the Docker SDK and an engine.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import base_image

HERE = Path(__file__).resolve().parent
BASES = {"javascript": "node", "python": "python"}
TOOLS = {"go": "go", "javascript": "node", "python": "python3"}
NOT_PACKED = shutil.ignore_patterns("go-cache", "complete")


class Failed(Exception):
    """An image could not be built, for the reason given."""


def missing(language: str) -> str:
    """Return what a sample cannot be built without, empty where all is there."""
    absent = [tool for tool in ("make", TOOLS[language]) if shutil.which(tool) is None]
    return ", ".join(absent)


def compiled(language: str, folder: Path) -> None:
    """Make a sample into a folder."""
    command = ["make", "-C", str(HERE / language), f"BUILD={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise Failed(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


def packed(language: str, built: Path, tag: str, base: str) -> None:
    """Build an image of what was made."""
    from docker import APIClient  # noqa: PLC0415 - where it is missing, main says so
    from docker.utils import kwargs_from_env  # noqa: PLC0415

    api = APIClient(version="auto", timeout=300, **kwargs_from_env())
    with tempfile.TemporaryDirectory() as context:
        shutil.copy(HERE / language / "Dockerfile", context)
        shutil.copytree(built, Path(context) / "build", ignore=NOT_PACKED)
        arguments = {"BASE": base} if base else {}
        for line in api.build(path=context, tag=tag, buildargs=arguments, rm=True, forcerm=True, decode=True):
            if "error" in line:
                raise Failed(f"{language}: {line['error']}")


def build(language: str, pattern: str, *, public: bool) -> str:
    """Make, pack and name the image of a sample."""
    tag = f"mqsample-{language}"
    base = ""
    if language in BASES and not public:
        base = f"mqsample-base-{BASES[language]}"
        base_image.make(BASES[language], base)
    if pattern:
        folder = Path(pattern.replace("LANGUAGE", language)).resolve()
        compiled(language, folder)
        packed(language, folder, tag, base)
        return tag
    with tempfile.TemporaryDirectory() as scratch:
        compiled(language, Path(scratch) / language)
        packed(language, Path(scratch) / language, tag, base)
    return tag


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the images of the sample IUTs.")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=", ".join(TOOLS))
    parser.add_argument("--build", default="", metavar="DIR", help="where it is made; LANGUAGE in it becomes the name")
    parser.add_argument("--public-bases", action="store_true", help="leave the Dockerfiles their own base images")
    asked = parser.parse_args()
    if unknown := sorted(set(asked.languages) - set(TOOLS)):
        parser.error(f"no sample is called {', '.join(unknown)}; there are {', '.join(TOOLS)}")
    code = 0
    for language in asked.languages or TOOLS:
        if absent := missing(language):
            print(f"mqsample-{language}: not built without {absent}", file=sys.stderr)
            code = code or bool(asked.languages)
            continue
        try:
            print(build(language, asked.build, public=asked.public_bases), flush=True)
        except Exception as problem:  # noqa: BLE001 - no SDK, no engine, no room: all end this, and are told
            print(f"mqsample-{language}: {problem}", file=sys.stderr)
            code = 1
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
