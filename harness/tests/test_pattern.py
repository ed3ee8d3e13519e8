"""Expressions that users write are found in what was observed, in time that grows with its length alone."""

import time

import pytest

from mqconform.harness.records.pattern import Pattern
from mqconform.harness.records.problem import ConfigurationError


def test_an_expression_occurs_in_a_text(subtests: pytest.Subtests):
    for expression, text in [
        ("absent", "the site is absent"),
        ("(?i)ABSENT$", "the site is absent\n"),
        (r"^the \w+ is\b", "the site is absent"),
        ("sites?|networks", "no networks"),
        ("\u00c4+", "site \u00c4\u00c4"),
        (r"a\.b\[0\]\ \-", "a.b[0] -"),
        ("a.b", "a\ud800b"),
    ]:
        with subtests.test(expression=expression):
            assert Pattern(expression).occurs_in(text)
            assert not Pattern(expression).occurs_in("nothing of the kind")


@pytest.mark.parametrize("expression", [r"(a+)+$", r"^(a|aa)*$", r"(.*a){20}$", r"(\w|a)*b"])
def test_no_expression_searches_for_ever(expression: str):
    began = time.process_time()
    assert not Pattern(expression).occurs_in("a" * 20_000 + "!")
    assert time.process_time() - began < 5  # Python's own would take longer than the world is old


def test_re2_itself_prints_nothing(capfd: pytest.CaptureFixture[str]):
    with pytest.raises(ConfigurationError, match="missing ]"):
        Pattern("[\x1b[2J")
    assert capfd.readouterr() == ("", "")
