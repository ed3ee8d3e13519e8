"""Links that leave docs/: on the site they lead to pages that show the file, so that none is dead.

On a page of the repository such a link is relative to the page. The site has no such files; each becomes a page below
``repository/`` that shows its text, or lists the folder.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import mkdocs_gen_files

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#: ]+)(#[^)]*)?\)")
FENCE = "````"
LARGEST = 200_000
"""Octets of a file that a page shows."""


def with_links_inside(text: str, place: str, wanted: set[Path]) -> str:
    """Return the text of a page, its links out of docs/ led to pages of the site.

    Args:
        text: Markdown.
        place: path of the page in the repository, such as ``docs/gate.md``.
        wanted: files and folders that pages have to be made for; what is found is added.
    """

    def led(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), match[1]))
        path = ROOT / target
        inside = target == "docs" or target.startswith("docs/")
        if target.startswith("..") or not path.exists() or (inside and place.startswith("docs/")):
            return match[0]
        if not inside:
            wanted.add(path)
        here = posixpath.dirname(page_of(place))
        return f"]({posixpath.relpath(page_of(target), here or '.')}{match[2] or ''})"

    return LINK.sub(led, text)


def page_of(target: str) -> str:
    """Return the source of the page, below docs/, that shows a path of the repository."""
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return f"repository/{target}" if target.endswith(".md") else f"repository/{target}.md"


def shown(path: Path, wanted: set[Path]) -> str:
    """Return the page of a file or a folder of the repository."""
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        return "\n".join(listing(path, name, wanted)) + "\n"
    text = path.read_text("utf-8") if path.stat().st_size <= LARGEST else "(too large to be shown here)\n"
    if path.suffix == ".md":
        return with_links_inside(text, name, wanted)
    language = {".py": "python", ".yml": "yaml", ".toml": "toml", ".json": "json", ".go": "go"}.get(path.suffix, "text")
    return f"# {path.name}\n\n`{name}` in the repository.\n\n{FENCE}{language}\n{text.rstrip()}\n{FENCE}\n"


def listing(folder: Path, name: str, wanted: set[Path]) -> Iterator[str]:
    """Yield the page of a folder: its read-me, then its files."""
    yield f"# {folder.name}\n\n`{name}/` in the repository.\n"
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix not in {".pcapng", ".parquet"} and not path.name.startswith("."):
            wanted.add(path)
            link = posixpath.relpath(page_of(path.relative_to(ROOT).as_posix()), posixpath.dirname(page_of(name)))
            yield f"- [{path.name}]({link})"


def write_pages() -> None:
    """Lead all links, and make all pages that they lead to."""
    wanted: set[Path] = set()
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(ROOT).as_posix()
        before = page.read_text("utf-8")
        after = with_links_inside(before, name, wanted)
        if after != before:
            with mkdocs_gen_files.open(page_of(name), "w") as file:
                file.write(after)
    made: set[Path] = set()
    while left := wanted - made:
        path = min(left)
        made.add(path)
        with mkdocs_gen_files.open(page_of(path.relative_to(ROOT).as_posix()), "w") as file:
            file.write(shown(path, wanted))
