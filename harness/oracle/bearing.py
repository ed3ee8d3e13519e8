"""Which requirements of a scenario a check bears on.

A scenario judges what its tags name. Where it names several and makes several assertions, this table says which
belongs to which; an assertion that the table knows nothing of bears on all tags, and one that none of the tags claims
on its own main requirement: a wrong count must not count against the requirement on Version.
"""

_HEADER = "MQSD-2.2.1-"
_SYNTAX = "MQSD-2.2.3-"
_STEP = "MQSD-3.2.5.1-"

INTRINSIC: dict[str, tuple[str, ...]] = {
    "answered_once": ("MQSD-3.2.5-01",),
    "served_each_time": ("MQSD-3.2.5-02",),
    "still_answers": ("MQSD-3.2.5-02",),
    "heard_over_udp": ("MQSD-2.1-01", "MQSD-2.1-04", "MQSD-3.2.3-01"),
    "one_datagram_holds_the_reply": ("MQSD-2.2-01",),
    "comes_from_the_host": ("MQSD-2.1-04",),
    "each_client_gets_its_own": (f"{_STEP}15", "MQSD-2.1-03"),
    "long_enough": (f"{_SYNTAX}04", f"{_SYNTAX}07", f"{_SYNTAX}10"),
    "begins_with_header": (
        f"{_HEADER}01",
        f"{_HEADER}02",
        f"{_HEADER}08",
        f"{_SYNTAX}01",
        f"{_SYNTAX}02",
    ),
    "count_is_little_endian": (f"{_SYNTAX}04",),
    "count_is_number_of_networks": (f"{_SYNTAX}05", f"{_STEP}06"),
    "networks_are_as_long_as_the_count": (f"{_SYNTAX}15",),
    "networks_are_the_servers": (f"{_SYNTAX}14", f"{_SYNTAX}16", f"{_STEP}05"),
    "networks_are_in_packet_order": ("MQSD-2-01",),
    "size_is_zero": (f"{_SYNTAX}12", f"{_STEP}10"),
    "nothing_follows_the_networks": (f"{_SYNTAX}13", f"{_SYNTAX}18", f"{_STEP}11"),
    "responding_site_is_the_servers": (f"{_SYNTAX}17", f"{_STEP}12"),
    "size_is_little_endian": (f"{_SYNTAX}10",),
    "size_counts_the_array": (f"{_SYNTAX}11", f"{_STEP}14"),
    "characters_are_utf_16": (f"{_SYNTAX}19",),
    "array_ends_the_reply": (f"{_SYNTAX}19",),
    "names_are_the_servers": (f"{_SYNTAX}20", f"{_SYNTAX}23", f"{_STEP}13"),
    "name_between_is_unchanged": tuple(f"{_SYNTAX}{number}" for number in range(32, 43)),
    "each_entry_has_an_ip_flag": (f"{_SYNTAX}21", f"{_SYNTAX}30"),
    "each_entry_has_an_ipx_flag": (f"{_SYNTAX}22", f"{_SYNTAX}31"),
    "each_entry_has_flags": (f"{_SYNTAX}28", f"{_SYNTAX}29"),
    "each_entry_has_a_name": (f"{_SYNTAX}45",),
}
"""What each check is about; the first is its main requirement."""


def bearing(check: str, tagged: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requirements that an executed check is a witness for."""
    own = INTRINSIC.get(check)
    if own is None:
        return tagged
    return tuple(one for one in tagged if one in own) or own[:1]
