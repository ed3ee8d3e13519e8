"""Every reader takes its seeds, and in the long lane changed inputs; ``tox -e fuzz`` takes a minute for each."""

from pathlib import Path

import pytest
from fuzz_readers import TARGETS, Target, function, fuzz
from long_tier import LONG

pytestmark = pytest.mark.fuzz


@pytest.mark.parametrize("inputs", [0, pytest.param(200, marks=LONG, id="changed")])
def test_no_input_is_an_error_of_the_harness(inputs: int, subtests: pytest.Subtests):
    for target in TARGETS:
        with subtests.test(target=target.name):
            assert target.seeds()
            tally = fuzz(target, 1, lambda tally: tally.inputs >= inputs)
            assert tally.defect == ""
            assert tally.inputs >= len(target.seeds())


def test_what_fails_is_made_small_and_kept():
    def fails(file: Path) -> None:
        if b"999" in file.read_bytes():
            raise ValueError

    tally = fuzz(Target("schedule", ".txt", function(fails)), 1, lambda tally: tally.inputs > 100_000)
    assert tally.defect == "ValueError: "
    assert b"999" in tally.octets
