"""What a person reads uses the words of the glossary, and spells out what a newcomer cannot know."""

import re
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "examples")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES += sorted(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))
PRODUCT = ("features", "reference", "harness", "adapters", "reports")
CODE = re.compile(r"```.*?```|`[^`\n]*`|^#.*?$", re.DOTALL | re.MULTILINE)
ABBREVIATION = re.compile(r"\bIUTs?\b")
SPELLED_OUT = re.compile(r"[Ii]mplementations? under test \(IUTs?\)")
INSTEAD = {
    "whoever": "name who",
    "somebody": "someone, or name who",
    "mend": "correct, fix",
    "mended": "corrected, fixed",
    "those to blame": "the offending ones",
    "doors": "ways",
    "so many": "n",
    "lawful": "allowed",
    "parts from": "disagrees with",
}
"""Words of the first months, and what to write."""
BANNED = re.compile(rf"\b({'|'.join(INSTEAD)})\b", re.IGNORECASE)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(text: str) -> str:
    """Return a page with its code and headings blanked out, each letter at its place."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def words_replaced(text: str) -> list[tuple[int, str, str]]:
    """Return the line, the word, and what to write instead."""
    return [(text.count("\n", 0, one.start()) + 1, one[0], INSTEAD[one[0].lower()]) for one in BANNED.finditer(text)]


def test_an_iut_is_spelled_out_where_a_page_first_has_one() -> None:
    late = []
    for page in PAGES:
        text = prose(page.read_text("utf-8"))
        first, spelled = ABBREVIATION.search(text), SPELLED_OUT.search(text)
        if first and (spelled is None or spelled.start() > first.start()):
            late.append(name(page))
    assert late == []


def test_no_page_nor_code_nor_feature_nor_catalogue_has_a_word_that_the_glossary_replaced() -> None:
    texts = {name(page): prose(page.read_text("utf-8")) for page in PAGES}
    for folder, kind in product(PRODUCT, ("py", "toml", "feature", "html")):
        files = [path for path in (ROOT / folder).rglob(f"*.{kind}") if "tests" not in path.parts]
        texts |= {name(path): path.read_text("utf-8") for path in files}
    assert len(texts) > 200
    assert {page: words_replaced(text) for page, text in texts.items() if BANNED.search(text)} == {}


def test_the_glossary_has_a_row_for_each_of_its_words_once() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)
    words = [row for row in rows if row not in {"word", "---"}]
    assert len(words) == len(set(words)) > 30
