"""Files of users, changed by chance, put to whatever reads them: ``python fuzz_readers.py --seconds 60 [TARGET...]``.

No input ends in an error of the harness or takes long. The octets that a target starts from lie in ``fuzz_seeds`` and
``examples``; what once made one fail is kept there. Hypothesis makes what fails small, and it is written to --out.
"""

import argparse
import contextlib
import io
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fuzz_mutations import mutated
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st

from mqconform.adapters.programs.json_rpc import result_in
from mqconform.harness.cli import run_command
from mqconform.harness.explore.matrix.matrix_cell import NAME, SAME, cells_written
from mqconform.harness.explore.matrix.matrix_file import read_matrix
from mqconform.harness.iut.facts import load_all_facts
from mqconform.harness.iut.interface import IutErrorAnswer, IutProblem
from mqconform.harness.iut.protocol import check_result
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.run.bundles.manifest import read_manifest
from mqconform.harness.run.gate.baseline import read_baseline, text_of
from mqconform.harness.run.resume import read_kept

SEEDS = Path(__file__).parent / "fuzz_seeds"
ROOT = Path(__file__).parents[2]
ROUND = 100
"""Inputs between two looks at the clock."""
LONGEST = 10.0
"""Seconds of processor time that one input may take."""
READ, REFUSED = "read", "refused"
Reader = Callable[[Path], str]


class Defect(AssertionError):
    """An input made the harness fail, or took too long."""


@dataclass(frozen=True, slots=True)
class Target:
    """One reader of files.

    Attributes:
        name: what it is called, and the folder of its seeds.
        suffix: of the files that it reads.
        reader: reads one and says what became of it.
        more: more seeds, as a pattern of files of the project.
    """

    name: str
    suffix: str
    reader: Reader
    more: str = ""

    def seeds(self) -> list[bytes]:
        """Return what inputs are made from."""
        patterns = (f"{SEEDS.relative_to(ROOT)}/{self.name}/*", self.more)
        return [file.read_bytes() for pattern in patterns if pattern for file in sorted(ROOT.glob(pattern))]


@dataclass(slots=True)
class Tally:
    """What became of the inputs of a target."""

    inputs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    defect: str = ""
    octets: bytes = b""

    def line(self, name: str) -> str:
        """Return the counts."""
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(self.outcomes.items()))
        counts = f"{name}: {self.inputs} inputs, {outcomes}, slowest {self.slowest:.2f} s"
        return f"{counts}; {self.defect}" if self.defect else counts


def command(*words: str) -> Reader:
    """Return a reader that is a command of ours; ``{}`` in its words stands for the file."""

    def read(file: Path) -> str:
        printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = run_command([word.replace("{}", str(file)) for word in words])
        printed.seek(0)
        shown = printed.read()
        if code == ExitCode.ERROR:
            raise Defect(shown[-2_000:])
        if acting := [character for character in shown if character != "\n" and not character.isprintable()]:
            raise Defect(f"{acting[0]!r} reaches the terminal: {shown[-2_000:]!r}")
        return f"exit {code}"

    return read


def function(reads: Callable[[Path], object], *refusals: type[Exception]) -> Reader:
    """Return a reader that is a function; what it raises is a defect, but problems of the input and refusals."""

    def read(file: Path) -> str:
        try:
            reads(file)
        except (IutProblem, IutErrorAnswer, *refusals):
            return REFUSED
        return READ

    return read


def _answer(file: Path) -> None:
    """Read what an implementation on stdio answers, which is held to the schema of the protocol."""
    check_result("router.get_next_hops", result_in(file.read_bytes(), 7, "router.get_next_hops"))


def _packet(file: Path) -> str:
    return command("dissect", file.read_bytes().decode("latin-1").replace("\0", ""))(file)


def _kept(file: Path) -> object:
    return read_kept(file.rename(file.with_name("results.ndjson")).parent)


def _cells(file: Path) -> None:
    """Read the cells of a matrix that is gone on with, whatever matrix they are of."""
    octets = file.read_bytes()
    first = json.loads(octets.split(b"\n")[0] or b"{}")
    header = dict.fromkeys(SAME) | (first if isinstance(first, dict) else {})
    with cells_written(file.rename(file.with_name(NAME)).parent, header, resume=True):
        pass


def _baseline(file: Path) -> object:
    return text_of(read_baseline(file).document())


NEXT_HOPS = ("next-hops", "--directory", "{}", "--from", "A", "--to", "B", "--all-readings", "--second-opinion")
RESULTS = str(SEEDS / "results" / "violated.ndjson")
TARGETS = (
    Target("enterprise", ".yaml", command(*NEXT_HOPS)),
    Target("directory", ".json", command("directory", "check", "{}"), "examples/enterprises/*.json"),
    Target("question", ".json", command("triangulate", "--replay", "{}", "--iut", "ref:", "--iut", "ref:")),
    Target("bundle", ".json", function(read_manifest)),
    Target("matrix", ".toml", function(read_matrix), "examples/*matrix.toml"),
    Target("facts", ".toml", function(load_all_facts), "examples/*facts.toml"),
    Target("results", ".ndjson", command("diff", RESULTS, "{}")),
    Target("kept", ".ndjson", function(_kept), "harness/tests/fuzz_seeds/results/*"),
    Target("cells", ".ndjson", function(_cells, ValueError, RecursionError)),  # of its first line, which is not judged
    Target("snapshot", ".json", command("directory", "check", "{}")),
    Target("export", ".ldf", command("directory", "check", "ldif:{}"), "examples/directories/*.ldf"),
    Target("migrated", ".ndjson", command("migrate", "{}", RESULTS), "harness/tests/fuzz_seeds/results/*"),
    Target("specification", ".md", command("spec", "check", "{}")),
    Target("baseline", ".yaml", function(_baseline)),
    Target("schedule", ".txt", command("simulate", "--schedule", "@{}")),
    Target("capture", ".pcapng", command("dissect", "{}")),
    Target("packet", ".hex", _packet),
    Target("answer", ".json", function(_answer)),
)
"""Every reader of what users and implementations hand in that needs no Spark."""


def fuzz(target: Target, seed: int, done: Callable[[Tally], bool]) -> Tally:
    """Put changed inputs to a target until it fails or all is done, the seeds as they are first."""
    tally, seeds = Tally(), target.seeds()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"input{target.suffix}"

        def attempt(octets: bytes) -> None:
            file.write_bytes(octets)
            began = time.process_time()
            try:
                outcome = target.reader(file)
            except Exception as error:
                tally.defect, tally.octets = f"{type(error).__name__}: {error}", octets
                raise
            took = time.process_time() - began
            if took > LONGEST:
                tally.defect, tally.octets = f"took {took:.1f} s", octets
                raise Defect(tally.defect)
            tally.inputs += 1
            tally.outcomes[outcome] += 1
            tally.slowest = max(tally.slowest, took)

        with contextlib.suppress(Exception):  # the tally says which
            for octets in seeds:
                attempt(octets)
            for number in range(sys.maxsize):
                if done(tally):
                    break
                _round(attempt, seeds, seed * 1_000_003 + number)
    return tally


def _round(attempt: Callable[[bytes], None], seeds: list[bytes], seed: int) -> None:
    @with_seed(seed)
    @settings(
        max_examples=ROUND,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(st.sampled_from(seeds), st.randoms(use_true_random=False))
    def one(octets: bytes, rng: object) -> None:
        attempt(mutated(octets, rng))  # type: ignore[arg-type]  # hypothesis has a class of its own

    one()


def within(seconds: float) -> Callable[[Tally], bool]:
    """Return what says whether so many seconds have passed."""
    until = time.monotonic() + seconds
    return lambda _: time.monotonic() > until


def main() -> int:
    """Fuzz the targets that are named, all unless some are, and return 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(one.name for one in TARGETS))
    parser.add_argument("--seconds", type=float, default=60.0, help="for each target")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--out", type=Path, default=Path("fuzz-defects"))
    asked = parser.parse_args()
    failed = 0
    for target in _chosen(asked.targets):
        tally = fuzz(target, asked.seed, within(asked.seconds))
        sys.stdout.write(f"{tally.line(target.name)}\n")
        sys.stdout.flush()
        if tally.defect:
            failed = 1
            asked.out.mkdir(exist_ok=True)
            (asked.out / f"{target.name}{target.suffix}").write_bytes(tally.octets)
    sys.stdout.write(f"seed {asked.seed}\n")
    return failed


def _chosen(names: list[str]) -> Iterator[Target]:
    known = {one.name: one for one in TARGETS}
    yield from (known[name] for name in names or known)


if __name__ == "__main__":
    sys.exit(main())
