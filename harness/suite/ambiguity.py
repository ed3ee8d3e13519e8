"""The ambiguity register: where the text contradicts itself or is silent, its readings and what each of them allows.

The entries are data (``features/requirements/ambiguities/*.toml``). The oracle asks the register for the verdict on
the reading that explains an observation, and a log keeps which readings the IUT followed, in how many cases. To follow
two permitted readings breaks no sentence, unless the entry names one that asks for constancy.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from mqconform.harness.records.case import Followed
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.schema_text import CompiledSchema, complaint
from mqconform.harness.records.verdict import Verdict

SPEC_OF_PREFIX = MappingProxyType({"BR": "MQBR", "DS": "MQBR", "SD": "MQSD", "EOD": "EOD", "QM": "MQSO"})


class RegisterFault(ValueError):
    """A register file cannot be used; the message names file, entry, field and remedy."""


class UnknownReading(LookupError):
    """The register has no such entry or reading."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an ambiguous place."""

    id: str
    """Stable within its entry: lower-case words joined by hyphens."""
    literal: bool
    """Whether it is the word-for-word reading; an entry has at most one, none where the text is silent."""
    situation: str
    """Which part of the entry's question it answers; empty where the entry asks one thing only."""
    summary: str
    """What an implementation does that follows it."""
    verdicts: Mapping[Profile, Verdict] = field(hash=False)
    """Pass or fail for each profile; ``strict`` may say inconclusive."""
    because: str = ""
    """Why, in one sentence; empty where it passes in each profile."""
    breaks: tuple[str, ...] = ()
    """The requirements that it breaks; empty where it fails in ``strict`` at most."""
    unseen: str = ""
    """Why this harness cannot see it, its own reason or its entry's; empty where an implementation shows it."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """One place where the text says something in two ways or not at all."""

    id: str
    """``BR-NN`` for MS-MQBR, ``DS-NN`` for the directory below it, ``SD-NN`` for MS-MQSD, ``EOD-NN`` for exactly-once
    delivery, ``QM-NN`` for MS-MQSO; never reused."""
    spec: str
    """``MQBR``, ``MQSD``, ``EOD`` or ``MQSO``."""
    sections: tuple[str, ...]
    """Section numbers, the main place first."""
    problem: str
    requirements: tuple[str, ...]
    """Ids of the catalogue that it bears on."""
    testable: bool
    """False where nothing that an implementation does could tell readings apart, as in slips of the pen."""
    varies: bool
    """Whether an implementation may choose anew each time, as in "one of"."""
    readings: tuple[Reading, ...]
    constant: str = ""
    """The requirement whose sentence asks for one reading throughout, empty where none does."""

    @property
    def literal(self) -> Reading | None:
        """The word-for-word reading, None where the text is silent or contradicts itself."""
        return next((reading for reading in self.readings if reading.literal), None)

    def reading(self, reading: str) -> Reading:
        """Return the reading of that id.

        Raises:
            UnknownReading: naming the readings that there are.
        """
        for candidate in self.readings:
            if candidate.id == reading:
                return candidate
        ids = ", ".join(candidate.id for candidate in self.readings) or "none"
        raise UnknownReading(f"{self.id} has no reading {reading!r}; its readings are {ids}")


class Register:
    """All entries in the order of their ids."""

    def __init__(self, entries: tuple[Ambiguity, ...]) -> None:
        self._by_id = {entry.id: entry for entry in sorted(entries, key=lambda entry: entry.id)}

    def __getitem__(self, ambiguity: str) -> Ambiguity:
        """Return the entry of that id.

        Raises:
            UnknownReading: if there is none.
        """
        try:
            return self._by_id[ambiguity]
        except KeyError:
            raise UnknownReading(f"the ambiguity register has no entry {ambiguity!r}; ids look like SD-13") from None

    def __contains__(self, ambiguity: object) -> bool:
        """Return whether there is an entry of that id."""
        return ambiguity in self._by_id

    def __iter__(self) -> Iterator[Ambiguity]:
        """Yield the entries in the order of their ids."""
        return iter(self._by_id.values())

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._by_id)

    def reading(self, ambiguity: str, reading: str) -> Reading:
        """Return one reading of one entry.

        Raises:
            UnknownReading: if there is no such entry or reading.
        """
        return self[ambiguity].reading(reading)

    def for_requirement(self, requirement: str) -> tuple[Ambiguity, ...]:
        """Return the entries that bear on a requirement, in the order of their ids."""
        return tuple(entry for entry in self if requirement in entry.requirements)

    def verdict_of(self, ambiguity: str, reading: str, profile: Profile) -> Verdict:
        """Return the verdict on an IUT that follows a reading.

        Raises:
            UnknownReading: if there is no such entry or reading.
        """
        return self.reading(ambiguity, reading).verdicts[profile]

    def words_of(self, readings: Iterable[tuple[str, str]], profile: Profile) -> dict[str, str]:
        """Return the words of the verdicts on readings, by ``AMBIGUITY/reading``."""
        return {f"{entry}/{name}": self.verdict_of(entry, name, profile).word for entry, name in sorted(readings)}


@dataclass(frozen=True, slots=True)
class MixedReadings:
    """Several readings of one entry, followed in one situation of one run."""

    ambiguity: str
    situation: str
    readings: Mapping[str, int]
    """In how many cases each was followed, by id, in the order of first sight."""
    constant: str
    """The requirement whose sentence asks for one reading throughout, empty where none does."""

    def __str__(self) -> str:
        """Return ``SD-40/older-reply-used in 3 cases, local-reply-used in 7``."""
        (first, cases), *others = self.readings.items()
        where = f" ({self.situation})" if self.situation else ""
        parts = [f"{self.ambiguity}/{first}{where} in {cases} case{'' if cases == 1 else 's'}"]
        return ", ".join((*parts, *(f"{reading} in {number}" for reading, number in others)))

    def holds_back(self, profile: Profile) -> bool:
        """Return whether a run is inconclusive for it: in ``strict``, or where a sentence asks for constancy."""
        return profile is Profile.STRICT or bool(self.constant)


class ReadingLog:
    """Which readings an IUT followed during one run, and in how many cases.

    A situation says on which occasion: an IUT may answer a foreign site by one reading and its own by another
    without mixing anything. The situation that a reading itself carries in the register is added to it.
    """

    def __init__(self, register: Register | None = None) -> None:
        self._register = register or load_register()
        self._cases: dict[tuple[str, str], dict[str, int]] = {}
        self._recent: dict[Followed, None] = {}

    def record(self, ambiguity: str, reading: str, situation: str = "") -> None:
        """Remember that the IUT followed a reading in the case that runs.

        Raises:
            UnknownReading: if there is no such entry or reading.
        """
        own = self._register.reading(ambiguity, reading).situation
        occasion = ", ".join(part for part in (own, situation) if part)
        self._recent[Followed(ambiguity, reading, occasion)] = None

    def add(self, followed: Iterable[Followed]) -> None:
        """Count what was followed in one case, as ``recent`` gave it."""
        for reading in followed:
            cases = self._cases.setdefault((reading.ambiguity, reading.situation), {})
            cases[reading.reading] = cases.get(reading.reading, 0) + 1

    def recent(self) -> tuple[Followed, ...]:
        """Return what was followed in the case that ends, in the order of first sight, and count it."""
        latest = tuple(self._recent)
        self._recent.clear()
        self.add(latest)
        return latest

    def followed(self) -> dict[tuple[str, str], dict[str, int]]:
        """Return in how many cases each reading was followed, by (ambiguity, situation); the case that runs is one."""
        followed = {occasion: dict(cases) for occasion, cases in self._cases.items()}
        for reading in self._recent:
            cases = followed.setdefault((reading.ambiguity, reading.situation), {})
            cases[reading.reading] = cases.get(reading.reading, 0) + 1
        return dict(sorted(followed.items()))

    def mixed(self) -> tuple[MixedReadings, ...]:
        """Return where the IUT did not stay with one reading, in the order of the entries' ids.

        Entries that leave the choice free each time are passed over.
        """
        return tuple(
            MixedReadings(ambiguity, situation, cases, self._register[ambiguity].constant)
            for (ambiguity, situation), cases in self.followed().items()
            if len(cases) > 1 and not self._register[ambiguity].varies
        )


@cache
def load_register() -> Register:
    """Return the register that the package ships.

    Raises:
        RegisterFault: naming file, entry, field and remedy.
    """
    return read_register(_published_folder())


def read_register(folder: Traversable) -> Register:
    """Return the register in the TOML files of ``folder``.

    Raises:
        RegisterFault: naming file, entry, field and remedy.
    """
    entries: dict[str, Ambiguity] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".toml"):
            continue
        for entry in _read_file(file):
            if entry.id in entries:
                raise RegisterFault(f"{file.name}: entry {entry.id}: id: is used twice; give each entry its own")
            entries[entry.id] = entry
    if not entries:
        raise RegisterFault(f"{folder.name}: holds no register; put the *.toml files of the register there")
    return Register(tuple(entries.values()))


@cache
def _entry_schema() -> CompiledSchema:
    text = (_published_folder() / "entry.schema.json").read_text(encoding="utf-8")
    return CompiledSchema(json.loads(text))


def _published_folder() -> Traversable:
    return files("mqconform.features") / "requirements" / "ambiguities"


def _read_file(file: Traversable) -> Iterator[Ambiguity]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RegisterFault(f"{file.name}: is not TOML in UTF-8: {error}") from None
    tables = document.get("ambiguity")
    if set(document) != {"ambiguity"} or not isinstance(tables, list):
        raise RegisterFault(f"{file.name}: ambiguity: the file must hold [[ambiguity]] tables and nothing else")
    for number, table in enumerate(tables, start=1):
        name = table.get("id", f"number {number}") if isinstance(table, dict) else f"number {number}"
        wrong = complaint(_entry_schema(), table, "") or _contradiction(table)
        if wrong:
            raise RegisterFault(f"{file.name}: entry {name}: {wrong}")
        yield _ambiguity(table)


def _contradiction(table: dict[str, Any]) -> str:
    readings = table.get("reading", [])
    if table["spec"] != SPEC_OF_PREFIX.get(table["id"].partition("-")[0]):
        return f"spec: is {table['spec']}, but the id has another; change one of the two"
    if not table["testable"] and any("unseen" in fields for fields in (table, *readings)):
        return "unseen: needs a testable entry; remove it"
    if table["testable"] and not readings:
        return "reading: none, though the entry is testable; add a reading or set testable = false"
    named = {name for reading in readings for name in reading.get("breaks", ())}
    named |= {table["constant"]} if "constant" in table else set()
    if strangers := sorted(named.difference(table["requirements"])):
        return f"requirements: lacks {', '.join(strangers)}, which the entry names further down; add it"
    return _contradiction_of_readings(readings)


def _contradiction_of_readings(readings: list[dict[str, Any]]) -> str:
    ids = [reading["id"] for reading in readings]
    literal = [reading for reading in readings if reading.get("literal", False)]
    if len(set(ids)) < len(ids):
        return "reading: two readings have one id; give each its own"
    if len(literal) > 1:
        return "reading: more than one is literal; leave literal = true on one of them"
    if any(set(reading["verdict"].values()) != {"pass"} for reading in literal):
        return f"reading {literal[0]['id']}: is literal and does not pass in each profile; change one of the two"
    for reading in readings:
        passes = set(reading["verdict"].values()) == {"pass"}
        fails = any(verdict == "fail" for profile, verdict in reading["verdict"].items() if profile != Profile.STRICT)
        if not passes and "because" not in reading:
            return f"reading {reading['id']}: because: is missing; give the reason why it does not pass everywhere"
        if fails != ("breaks" in reading):
            wrong = "is missing; name the requirements" if fails else "is for a reading that fails; remove it"
            return f"reading {reading['id']}: breaks: {wrong}"
    return ""


def _ambiguity(table: dict[str, Any]) -> Ambiguity:
    return Ambiguity(
        id=table["id"],
        spec=table["spec"],
        sections=(table["section"], *table.get("also", ())),
        problem=table["problem"],
        requirements=tuple(table["requirements"]),
        testable=table["testable"],
        varies=table.get("varies", False),
        readings=tuple(_reading(reading, table.get("unseen", "")) for reading in table.get("reading", ())),
        constant=table.get("constant", ""),
    )


def _reading(table: dict[str, Any], unseen: str) -> Reading:
    verdicts = {profile: Verdict.of(table["verdict"][profile.value]) for profile in Profile}
    return Reading(
        id=table["id"],
        literal=table.get("literal", False),
        situation=table.get("situation", ""),
        summary=table["summary"],
        verdicts=MappingProxyType(verdicts),
        because=table.get("because", ""),
        breaks=tuple(table.get("breaks", ())),
        unseen=table.get("unseen", unseen),
    )
