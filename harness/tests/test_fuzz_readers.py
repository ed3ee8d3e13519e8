"""Every reader takes its seeds and a few inputs changed by chance; ``tox -e fuzz`` takes a minute for each."""

from pathlib import Path

import pytest
from fuzz_readers import TARGETS, Target, function, fuzz

FEW = 40


@pytest.mark.parametrize("target", TARGETS, ids=[one.name for one in TARGETS])
def test_no_input_is_an_error_of_the_harness(target: Target):
    assert target.seeds()
    tally = fuzz(target, 1, lambda tally: tally.inputs >= FEW)
    assert tally.defect == ""
    assert tally.inputs >= FEW


def test_what_fails_is_made_small_and_kept():
    def fails(file: Path) -> None:
        if b"999" in file.read_bytes():
            raise ValueError

    tally = fuzz(Target("schedule", ".txt", function(fails)), 1, lambda tally: tally.inputs > 100_000)
    assert tally.defect == "ValueError: "
    assert b"999" in tally.octets
