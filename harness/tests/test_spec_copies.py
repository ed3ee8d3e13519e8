import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.spec.check import Proof, check
from mqconform.harness.suite.spec.document import Document, segments_of

# The texts themselves are Microsoft's: these tests run where a copy of each lies beside the repository.
SPECS = Path(__file__).resolve().parents[2].parent / "shared" / "specs"
COPIES = [("MQSD", "13.0"), ("MQBR", "18.0"), ("MQBR", "13.0"), ("MQSO", "18.0")]


def text_of(spec: str, revision: str) -> str:
    path = SPECS / f"ms-{spec.lower()}-{revision}.md"
    if not path.is_file():
        pytest.skip(f"no copy of MS-{spec} {revision} at {path}; the text is Microsoft's and not in the repository")
    return path.read_text(encoding="utf-8")


def proof(spec: str, text: str) -> Proof:
    catalogue = load_catalogue().specification(spec)
    if catalogue is None:
        pytest.skip(f"no catalogue of {spec}")
    return check(catalogue, Document(Path("copy.md"), spec, None, tuple(segments_of(text))))


def test_each_copy_bears_its_catalogue_out(subtests: pytest.Subtests):
    for spec, revision in COPIES:
        with subtests.test(spec=spec):
            text = text_of(spec, revision)
            found = proof(spec, text)
            assert found.alarms == ()
            wanted = {
                "MQSD": {"MUST": 108, "MUST NOT": 6, "SHOULD": 1, "MAY": 2},
                "MQBR": {"MUST": 3, "SHOULD": 5},
                "MQSO": {"MUST": 119, "MUST NOT": 4, "SHOULD": 24, "SHOULD NOT": 4, "MAY": 3},
            }
            assert found.totals == wanted[spec]


ITEM = re.compile(r"\s*(?:-|\d{1,2}\.) ")


def reflowed(text: str, width: int) -> str:
    """All paragraphs and items of lists wrapped anew; tables, markdown headings, anchors and fenced code left alone."""
    lines: list[str] = []
    paragraph: list[str] = []
    fenced = False
    for line in [*text.splitlines(), ""]:
        fixed = fenced or not line.strip() or line.startswith(("```", "|", "#", "<a"))
        fenced ^= line.startswith("```")
        if paragraph and (fixed or ITEM.match(line)):
            lines += textwrap.wrap(" ".join(paragraph), width, break_long_words=False)
            paragraph = []
        (lines if fixed else paragraph).append(line)
    return "\n".join(lines)


def without_links(text: str) -> str:
    return re.sub(r"\[((?:\\.|\[[^\]\n]*\]|[^\[\]\n])*)\]\((?:\\.|[^()\n])*\)", r"\1", text)


REFORMATTINGS: dict[str, Callable[[str], str]] = {
    "wrapped at 110, no links": lambda text: reflowed(without_links(text), 110),
    "bare headings": lambda text: re.sub(r"(?m)^#+ \**(\d[\d.]* [^*\n]*)\**$", r"\n\1\n", text),
    "markdown headings": lambda text: re.sub(r"(?m)^(\d(?:\.\d+)* [A-Z][^.\n]*)$", r"## \1", text),
    "typographic marks": lambda text: re.sub(r"(?<=\S) - ", " \u2013 ", text.replace("'", "\u2019")),
    "indented code": lambda text: re.sub(
        r"(?ms)^```\n(.*?)^```$", lambda found: "\n" + textwrap.indent(found[1], "    "), text
    ),
}


def test_reformatting_raises_no_alarm(subtests: pytest.Subtests):
    for name, reformatted in REFORMATTINGS.items():
        for spec, revision in COPIES:
            with subtests.test(name=name, spec=spec):
                text = text_of(spec, revision)
                found = proof(spec, reformatted(text))
                assert [(alarm.kind, alarm.section, alarm.present[:60]) for alarm in found.alarms] == []
