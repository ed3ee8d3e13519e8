"""Readings of the directory with filters and faults, as GetDirectoryData sees them (MS-MQBR 3.1.5.9)."""

import pytest

from mqconform.reference.directory import (
    AttributeFilter,
    Directory,
    DirectoryView,
    Enterprise,
    Operator,
    QueueManager,
    QueueManagerId,
    RoutingLink,
    RoutingLinkId,
    Site,
    SiteId,
)
from mqconform.reference.directory.elements import EnterpriseId, NegativeCost
from mqconform.reference.directory.reading import UnusableFilter
from mqconform.reference.mqbr.lookups import get_directory_data

ONE, TWO = SiteId("one"), SiteId("two")
VIEW = DirectoryView(
    Directory(
        Enterprise(EnterpriseId("e")),
        (Site(ONE, "first"), Site(TWO, "second", foreign_site=True)),
        tuple(RoutingLink(RoutingLinkId(f"l{cost}"), ONE, TWO, cost) for cost in (1, 5, 9)),
        tuple(QueueManager(QueueManagerId(name), name, (ONE,)) for name in ("a", "b", "b")),
    )
)


def test_a_filter_selects_by_comparison():
    for comparison, value, costs in (
        (Operator.EQUALS, 5, [5]),
        (Operator.NOT_EQUALS, 5, [1, 9]),
        (Operator.LESS_THAN, 5, [1]),
        (Operator.LESS_THAN_OR_EQUAL, 5, [1, 5]),
        (Operator.GREATER_THAN, 5, [9]),
        (Operator.GREATER_THAN_OR_EQUAL, 5, [5, 9]),
    ):
        found = get_directory_data(VIEW, RoutingLink, (AttributeFilter("ActualCost", comparison, value),))
        assert [link.actual_cost for link in found.alternatives[0].outcome or ()] == costs, (comparison, value)


def test_all_filters_have_to_hold():
    both = (AttributeFilter("ForeignSite", Operator.EQUALS, True), AttributeFilter("Name", Operator.EQUALS, "first"))
    assert get_directory_data(VIEW, Site, both).alternatives[0].outcome is None
    assert get_directory_data(VIEW, Site, both[:1]).alternatives[0].outcome == VIEW.directory.sites[1:]


def test_identifiers_are_found_without_regard_to_case():
    for identifier in ("ONE", "one"):
        wanted = (AttributeFilter("Identifier", Operator.EQUALS, identifier),)
        assert get_directory_data(VIEW, Site, wanted).alternatives[0].outcome == VIEW.directory.sites[:1]
        link = (AttributeFilter("Identifier", Operator.EQUALS, "L5"), AttributeFilter("ActualCost", Operator.EQUALS, 5))
        assert get_directory_data(VIEW, RoutingLink, link).alternatives[0].outcome == VIEW.directory.routing_links[1:2]


def test_a_filter_that_does_not_fit_is_refused():
    for unusable in (
        AttributeFilter("Colour", Operator.EQUALS, "red"),
        AttributeFilter("SiteGateCollection", Operator.EQUALS, "a"),
        AttributeFilter("Name", Operator.LESS_THAN, 3),
    ):
        with pytest.raises(UnusableFilter):
            get_directory_data(VIEW, Site, (unusable,))


def test_a_negative_cost_has_no_least_cost_path():
    with pytest.raises(NegativeCost, match="give a cost from 1 to 999999"):
        RoutingLink(RoutingLinkId("l"), ONE, TWO, -1)
