"""From ``KIND:ID`` on the command line to an implementation under test.

Adapters register in the entry point group ``mqconform.adapters``; the harness imports none of them.
"""

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from mqconform.harness.iut import AdapterOptions, ConfigurationError, Iut, OwnNetwork
from mqconform.harness.protocol import CheckedIut, checked

GROUP = "mqconform.adapters"
REFERENCE_TARGET = "mqconform.harness.builtin.discovery_server:ReferenceIut"
MUTANTS = "mqconform.harness.mutants"
SHUFFLING = "mqconform.harness.farm.shuffling"
FORMS = {
    "ref": "ref:",
    "mutant": "mutant:NAME",
    "api": "api:module:callable",
    "stdio": "stdio:COMMAND",
    "udp": "udp:HOST:PORT",
    "image": "image:NAME[?OPTIONS]",
}
"""What each kind of the documented command line looks like."""


def connect(spec: str, options: AdapterOptions, beside: Iut | None = None) -> CheckedIut:
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
    iut = checked(
        place.enter(lambda: open_iut(spec, options)) if isinstance(place, OwnNetwork) else open_iut(spec, options)
    )
    try:
        iut.handshake()
    except BaseException:
        iut.close()
        raise
    return iut


def open_iut(spec: str, options: AdapterOptions) -> Iut:
    """Open an IUT as its adapter gives it: no handshake yet, nothing checked."""
    kind, colon, target = spec.partition(":")
    if not colon or not kind:
        raise ConfigurationError(f"--iut {spec!r}: expected KIND:ID; the kinds are {known_kinds()}")
    match kind:
        case "ref" if target:
            return adapter("api")(import_module(SHUFFLING).target_of(import_module(SHUFFLING).seed_of(target)), options)
        case "ref":
            return adapter("api")(REFERENCE_TARGET, options)
        case "mutant":
            return adapter("api")(mutant_target(target), options)
        case _:
            return adapter(kind)(target, options)


def innermost(iut: Iut) -> Iut:
    """Return the IUT as its adapter gave it, without whatever checks and records."""
    while (deeper := getattr(iut, "inner", None)) is not None:
        iut = deeper
    return iut


def adapter(kind: str) -> Callable[[str, AdapterOptions], Iut]:
    """Return the ``open_iut`` function that is registered for a kind."""
    found = installed().get(kind)
    if found is None and kind in FORMS:
        raise ConfigurationError(f"{kind}: no adapter for {FORMS[kind]} is installed here; usable are {known_kinds()}")
    if found is None:
        raise ConfigurationError(f"{kind!r} is no kind of IUT; the kinds are {known_kinds()}")
    try:
        function: Callable[[str, AdapterOptions], Iut] = found.load()
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(f"{kind}: its adapter {found.value} cannot be loaded: {error}") from error
    return function


def installed() -> dict[str, EntryPoint]:
    """Return the registered adapters by kind."""
    return {point.name: point for point in entry_points(group=GROUP)}


def known_kinds() -> str:
    """Return the kinds that can be used here, as a list for a message."""
    built_in = ["ref", "mutant"]
    return ", ".join(FORMS.get(kind, f"{kind}:...") for kind in [*built_in, *sorted(installed())])


def mutant_target(name: str) -> str:
    """Return the ``module:callable`` of a mutant.

    Raises:
        ConfigurationError: there is no such mutant; the message names some like it.
    """
    try:
        names: tuple[str, ...] = import_module(MUTANTS).NAMES
    except ModuleNotFoundError as error:
        raise ConfigurationError(f"mutant:{name}: this build holds no mutants ({error})") from error
    if name not in names:
        near = ", ".join(get_close_matches(name, names, n=5, cutoff=0.5)) or ", ".join(names[:5])
        raise ConfigurationError(f"mutant:{name}: none of the {len(names)} mutants has that name; try {near}")
    return f"{MUTANTS}:{name.replace('-', '_')}"
