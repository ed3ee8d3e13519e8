"""Which requirements of a scenario a check bears on.

A scenario judges what its tags name. Where it names several and makes several assertions, this table says which
belongs to which; an assertion that the table knows nothing of, or that none of the tags claims, bears on all tags.
"""

_SYNTAX = "MQSD-2.2.3-"
_STEP = "MQSD-3.2.5.1-"

_CHARACTERS = tuple(f"{_SYNTAX}{number}" for number in range(32, 43))

ALWAYS = {"still_answers": ("MQSD-3.2.5-02",)}
"""Checks that are about one requirement whatever the scenario is about."""

INTRINSIC: dict[str, tuple[str, ...]] = {
    "count_is_number_of_networks": (f"{_SYNTAX}04", f"{_SYNTAX}05", f"{_STEP}06"),
    "as_long_as_it_says": (f"{_SYNTAX}15", f"{_SYNTAX}19"),
    "networks_are_the_servers": ("MQSD-2-01", f"{_SYNTAX}14", f"{_SYNTAX}16", f"{_STEP}05"),
    "size_is_zero": (f"{_SYNTAX}12", f"{_STEP}10"),
    "nothing_follows_the_networks": (f"{_SYNTAX}13", f"{_SYNTAX}18", f"{_STEP}11"),
    "responding_site_is_the_servers": (f"{_SYNTAX}17", f"{_STEP}12"),
    "size_counts_the_array": (f"{_SYNTAX}10", f"{_SYNTAX}11", f"{_STEP}14"),
    "names_are_the_servers": (f"{_SYNTAX}19", f"{_SYNTAX}20", f"{_SYNTAX}23", f"{_STEP}13", *_CHARACTERS),
    "follows_the_grammar": (f"{_SYNTAX}26", f"{_SYNTAX}27", *_CHARACTERS),
    "each_entry_has_a_name": (f"{_SYNTAX}45",),
}


def bearing(check: str, tagged: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requirements that an executed check is a witness for."""
    if check in ALWAYS:
        return ALWAYS[check]
    own = INTRINSIC.get(check, ())
    return tuple(one for one in tagged if one in own) or tagged
