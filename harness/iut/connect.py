"""From ``KIND:ID`` on the command line to an implementation under test.

Adapters register in the entry point group ``mqconform.adapters``; no room below the command line imports one.
"""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import inf
from threading import current_thread, main_thread
from typing import Protocol

from mqconform.harness.iut import interface
from mqconform.harness.iut.protocol import CheckedIut, checked
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.iut.sampled import target_named
from mqconform.harness.records.plug_ins import PlugInGroup
from mqconform.reference.mqsd.specification import FACTS

BUILT_IN = "mqconform.harness.iut.all_roles"
BUILT_IN_KINDS = ("ref", "mutant")
ADAPTERS = PlugInGroup("mqconform.adapters", "adapter", BUILT_IN_KINDS)
REFERENCE_TARGET = f"{BUILT_IN}:ReferenceIut"
FORMS = {
    "ref": "ref:",
    "mutant": "mutant:NAME",
    "api": "api:module:callable",
    "stdio": "stdio:COMMAND",
    "udp": "udp:HOST:PORT",
    "image": "image:NAME[?OPTIONS]",
}
"""What each kind of the documented command line looks like."""

HARMLESS = frozenset({"ref", "mutant", "udp"})
"""Kinds that start nothing: parts of the harness, and datagrams to an address."""


def commands_of(target: str, client: interface.ClientFacts | None = None) -> Iterator[str]:
    """Yield what a target starts or imports of its own, and the commands of a client, placeholders included."""
    if target and target.partition(":")[0] not in HARMLESS:
        yield target
    yield from (shlex.join(words) for words in ((client.start, client.service) if client else ()) if words)


def connect(spec: str, options: interface.AdapterOptions, beside: interface.Iut | None = None) -> CheckedIut:
    """Reach an IUT, introduce the harness, and return it behind the schema checks.

    Args:
        spec: ``KIND:ID``.
        options: what the user set.
        beside: an IUT that has opened what is reached; where that has a network of its own, it is reached there.

    Raises:
        NotApplicable: that network cannot be entered.
        ConfigurationError: ``spec`` or the facts cannot work; the message says what to change.
        Unreachable: nothing answers there.
        IutFault: it answers what no answer can be.
    """
    place: object = innermost(beside) if beside else None
    opened = (
        place.enter(lambda: open_iut(spec, options))
        if isinstance(place, interface.OwnNetwork)
        else open_iut(spec, options)
    )
    iut = checked(opened)
    try:
        iut.handshake()
    except interface.Unsupported as refused:
        iut.close()
        remedy = "every implementation answers initialize with its name, version, roles and capabilities"
        raise interface.IutFault("error", f"{refused}; {remedy}") from refused
    except BaseException:
        iut.close()
        raise
    return iut


def open_iut(spec: str, options: interface.AdapterOptions) -> interface.Iut:
    """Open an IUT as its adapter gives it: no handshake yet, nothing checked."""
    options = replace(options, discovery_port=options.discovery_port or FACTS.udp_port)
    kind, colon, target = spec.partition(":")
    if not colon or not kind:
        raise interface.ConfigurationError(f"--iut {spec!r}: expected KIND:ID; the kinds are {known_kinds()}")
    if kind in BUILT_IN_KINDS:
        ADAPTERS.check_built_in(kind)
    match kind:
        case "ref" if target:
            return adapter("api")(target_named(target), _unhurried(options))
        case "ref":
            return adapter("api")(REFERENCE_TARGET, _unhurried(options))
        case "mutant":
            return adapter("api")(mutant_target(target), options)
        case _:
            return adapter(kind)(target, options)


def innermost(iut: interface.Iut) -> interface.Iut:
    """Return the IUT as its adapter gave it, without the wrappers that check and record."""
    while (deeper := getattr(iut, "inner", None)) is not None:
        iut = deeper
    return iut


def adapter(kind: str) -> Callable[[str, interface.AdapterOptions], interface.Iut]:
    """Return the ``open_iut`` function that is registered for a kind.

    Raises:
        ConfigurationError: none is, or several are, or it cannot be loaded.
    """
    function: Callable[[str, interface.AdapterOptions], interface.Iut] | None = ADAPTERS.load(kind)
    if function is None and kind in FORMS:
        raise interface.ConfigurationError(
            f"{kind}: no adapter for {FORMS[kind]} is installed here; usable are {known_kinds()}"
        )
    if function is None:
        raise interface.ConfigurationError(f"{kind!r} is not a kind of IUT; the kinds are {known_kinds()}")
    return function


def known_kinds() -> str:
    """Return the kinds that can be used here, as a list for a message."""
    kinds = dict.fromkeys((*BUILT_IN_KINDS, *ADAPTERS.names()))
    return ", ".join(FORMS.get(kind, f"{kind}:...") for kind in kinds)


def mutant_target(name: str) -> str:
    """Return the ``module:callable`` of a mutant.

    Raises:
        ConfigurationError: there is no such mutant; the message names some like it.
    """
    names = [*all_mutants()]
    if name not in names:
        near = ", ".join(get_close_matches(name, names, n=5, cutoff=0.5)) or ", ".join(names[:5])
        raise interface.ConfigurationError(f"mutant:{name}: none of the {len(names)} mutants has that name; try {near}")
    return f"{BUILT_IN}:{name.replace('-', '_')}"


def _unhurried(options: interface.AdapterOptions) -> interface.AdapterOptions:
    """Return options by which the reference, which does not hang, answers in the thread that calls it.

    A thread that is not the main one may have entered a network namespace, where what it opens has to stay: calls from
    outside go through a worker that it starts.
    """
    return replace(options, deadline=inf) if current_thread() is main_thread() else options


class Reaching(Protocol):
    """Access to an IUT; a session may reach another one after a crash."""

    @property
    def iut(self) -> interface.Iut:
        """The IUT."""


@dataclass(frozen=True, slots=True)
class Reached:
    """One IUT, which stays the same."""

    iut: interface.Iut
