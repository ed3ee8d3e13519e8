"""Facts of the specifications, and exit codes, stand in one place each; what stands alone agrees with it."""

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.reference.eod import specification as eod
from mqconform.reference.mqbr import specification as mqbr
from mqconform.reference.mqsd import specification as mqsd

ROOT = Path(__file__).parents[2]
MQSD, MQBR, EOD = (f"reference/{package}/specification.py" for package in ("mqsd", "mqbr", "eod"))
LABELS = "adapters/containers/labels.py"
CAPTURE_EVENTS = "reference/mqsd/audit/bulk_conversations.py"
HOMES = {
    1801: {MQSD},
    876: {MQSD},
    3_600: {
        MQBR,
        LABELS,
        CAPTURE_EVENTS,
        "reference/mqso/elements.py",
    },  # the seconds of an hour; when a forsaken container goes
    43_200: {MQBR},
    21_600: {EOD},
    15_000_000_000: set(),
}
"""Number -> product files that write it; the independent opinion keeps its own on purpose."""


def product_files() -> Iterator[Path]:
    for folder in ("adapters", "features", "harness", "reference", "reports"):
        yield from (file for file in (ROOT / folder).rglob("*.py") if "tests" not in file.parts)


def numbers_in(file: Path) -> Iterator[float]:
    with file.open("rb") as lines:
        for token in tokenize.tokenize(lines.readline):
            if token.type == tokenize.NUMBER and token.string[-1] not in "jJ":
                yield float(token.string) if re.fullmatch(r"[\d_.eE+-]+", token.string) else int(token.string, 0)


def test_every_number_of_a_specification_is_written_where_it_has_its_home():
    written: dict[int, set[str]] = {number: set() for number in HOMES}
    for file in product_files():
        for number in HOMES.keys() & {*numbers_in(file)}:
            written[number].add(file.relative_to(ROOT).as_posix())
    assert written == HOMES


def test_what_stands_alone_agrees_with_the_specification():
    assert AdapterOptions().reply_timeout == mqsd.FACTS.response_timeout


def test_facts_are_those_of_the_revisions_that_the_catalogue_holds():
    catalogue = load_catalogue()
    for spec, module in (("MQSD", mqsd), ("MQBR", mqbr)):
        specification = catalogue.specification(spec)
        assert specification is not None
        assert specification.revision == module.REVISION
    documents = {requirement.cited or "" for requirement in catalogue.values()}
    cited = {document for document in documents if document.startswith("MS-MQQB")}
    assert cited == {f"MS-MQQB {eod.REVISION}"}


def test_every_exit_code_has_its_words():
    assert [*WORDS] == [*ExitCode]
    assert all(wording.report and wording.colour for wording in WORDS.values())
    assert len({wording.report for wording in WORDS.values()}) == len(WORDS)


def test_pages_have_every_exit_code_of_a_run_and_no_other():
    for page in ("README.md", "docs/verdicts.md"):
        head = re.compile(r"^(?:## .*[Ee]xit codes|\| exit code)", re.MULTILINE)
        _, table = head.split((ROOT / page).read_text("utf-8"), maxsplit=1)
        rows = {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
        assert rows == {*map(int, ExitCode)} - {ExitCode.STOPPED}, page
    for page in (ROOT / "docs").rglob("*.md"):
        named = {int(code) for code in re.findall(r"exit codes? (\d+)", page.read_text("utf-8"))}
        assert named <= {*map(int, ExitCode)}, page


def test_no_command_has_exit_codes_of_its_own():
    tables = r"^(?!EXIT_SECONDS)(EXIT_\w+|USAGE|FAULT|CONFORMS)\b.* = \d"
    own = re.compile(rf"{tables}|(sys\.e|ctx\.e|E)xit\(\d|exit_code = \d", re.MULTILINE)
    assert [file.name for file in product_files() if own.search(file.read_text("utf-8"))] == []
