"""The gate among the tests of a project: one run, asked as often as you like."""

import pytest

NAMES = ("MQSD-2.2.3-43", "MQSD-2.2.3-44")


def test_the_server_conforms(conformance):
    assert conformance.conforms, conformance.summary


@pytest.mark.parametrize("requirement", NAMES)
def test_the_list_of_servers_is_written_as_the_grammar_says(conformance, requirement):
    assert conformance.standing(requirement) == "verified", conformance.told(requirement)
