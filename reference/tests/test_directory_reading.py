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
    ReadEvent,
    RoutingLink,
    RoutingLinkId,
    Site,
    SiteId,
)
from mqconform.reference.directory.elements import EnterpriseId, NegativeCost
from mqconform.reference.directory.reading import (
    DirectoryOperationResult,
    UnknownObjectType,
    UnusableFilter,
    read_directory,
)
from mqconform.reference.mqbr.lookups import get_directory_data, get_queue_manager

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


def test_a_fault_decides_by_the_event_it_strikes():
    for at, found, requirement in (
        (ReadEvent.BEGIN, None, "MQBR-3.1.5.9-B02"),
        (ReadEvent.NEXT, None, "MQBR-3.1.5.9-B07"),
        (ReadEvent.END, VIEW.directory.sites, "MQBR-3.1.5.9-B04"),
        (None, VIEW.directory.sites, "MQBR-3.1.5.9-B04"),
    ):
        (one,) = get_directory_data(VIEW.failing("Site", at), Site).alternatives
        assert one.outcome == found, (at, found)
        assert requirement in one.requirements, (at, found)


def test_faults_are_kept_by_type_and_replaced_and_healed():
    view = VIEW.failing("Site", ReadEvent.BEGIN).failing("QueueManager", ReadEvent.NEXT).failing("Site", ReadEvent.END)
    assert view.faults == {("QueueManager", ReadEvent.NEXT), ("Site", ReadEvent.END)}
    assert read_directory(view, Site)[1] is DirectoryOperationResult.GENERIC_ERROR
    assert read_directory(view, RoutingLink)[1] is DirectoryOperationResult.END_OF_DATA
    assert view.failing("Site", None).failing("QueueManager", None) == VIEW
    with pytest.raises(UnknownObjectType):
        view.failing("Queue", ReadEvent.BEGIN)


def test_no_match_and_a_failed_directory_look_alike():
    nobody = get_queue_manager(VIEW, QueueManagerId("nobody"))
    failed = get_queue_manager(VIEW.failing("QueueManager", ReadEvent.NEXT), QueueManagerId("a"))
    assert nobody.outcomes() == failed.outcomes() == {None}


def test_objects_with_one_identifier_leave_undecided_which_is_meant():
    twins = get_queue_manager(VIEW, QueueManagerId("b"))
    assert twins.outcomes() == {VIEW.directory.queue_managers[1]}
    distinct = Directory(
        VIEW.directory.enterprise, queue_managers=tuple(QueueManager(QueueManagerId("b"), name) for name in "xy")
    )
    assert get_queue_manager(DirectoryView(distinct), QueueManagerId("b")).ambiguities == {"BR-25"}


def test_a_negative_cost_has_no_least_cost_path():
    with pytest.raises(NegativeCost, match="give a cost from 1 to 999999"):
        RoutingLink(RoutingLinkId("l"), ONE, TWO, -1)
