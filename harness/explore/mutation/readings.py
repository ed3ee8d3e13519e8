"""The ambiguity register executed: which implementation follows which reading, and what verdict that got it.

Most readings are named by the judgement itself. The others are in ``FOLLOWED``: readings that the register fails and a
plain assertion convicts, and readings of the reference that a requirement rests on. Their verdict is that of the trial.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from mqconform.harness.explore.mutation.trial import REFERENCE, Trial
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.ambiguity import Reading, load_register

FOLLOWED: Final = {
    REFERENCE: (
        "BR-01/any-shortest-path-method",
        "BR-16/nothing-counts-as-empty",
        "BR-20/all-objects",
        "BR-29/nothing",
        "BR-48/initial-table",
        "BR-71/one-next-site",
        "EOD-05/numbers-kept",
        "EOD-14/zero",
        "EOD-30/numbers-go-on",
        "QM-09/discarded",
        "SD-12/client-ignores-requests",
        "SD-48/start-is-restart",
        "SD-49/from-the-datagram",
        "SD-64/site-as-configured",
        "SD-75/unchanged-between-events",
        "SD-76/mask-little-endian",
    ),
    "several-gates-none": ("BR-34/no-hop",),
    "client-with-equal-sites": ("BR-35/through-gates-when-sites-differ",),
    "out-list-last": ("BR-55/out-list-skipped",),
    "router-in-server-test-last": ("BR-59/site-test-first",),
    "destination-beside-its-in-list": ("BR-60/destination-as-fall-back",),
    "gate-for-routing-server": ("BR-63/gate-that-routes",),
    "routing-server-that-is-no-gate": ("BR-63/routing-server",),
    "zero-site-is-own": ("SD-15/treated-as-own-site",),
    "longer-than-52-dropped": ("SD-17/silent",),
    "short-tail-used": ("SD-17/answered-differently",),
    "dumb-after-short": ("SD-18/no-further-service",),
    "mask-in-high-bits": ("SD-22/popcount-only",),
    "mask-big-endian": ("SD-76/mask-big-endian",),
    "socket-not-reopened": ("SD-35/no-later-answer",),
    "client-site-zero": ("SD-64/site-unset",),
    "client-without-network-succeeds": ("SD-52/success",),
    "client-sends-0-3-s-later": ("SD-49/from-the-first-step",),
    "terminator-counted-not-sent": ("SD-32/too-short",),
    "client-knows-no-remote-access": ("SD-54/remote-access-unknown",),
    "client-heeds-requests": ("SD-12/client-acts-on-requests",),
    "client-last-foreign-kept": ("SD-46/last-foreign-reply",),
    "client-lists-cleared-after-failure": ("SD-58/lists-cleared",),
    "client-heeds-cut-replies": ("SD-59/gross-error-accepted",),
    "client-ipx-servers-left-out": ("SD-62/unreachable-names-left-out",),
    "receiver-moves-on-arrival": ("EOD-01/moves-on-arrival",),
    "sender-numbers-anew-at-restart": ("EOD-05/numbered-anew",),
    "sender-first-keeps-link": ("EOD-27/never-zero",),
    "queue-keeps-express": ("QM-09/kept",),
    "queue-deaf-to-throttling": ("QM-20/send-accepted",),
    "queue-altered-accepted": ("QM-37/broken-authenticated",),
    "queue-unsigned-authenticated": ("QM-38/authenticated",),
}
"""Names of implementations -> ``AMBIGUITY/reading`` that they follow by their making and that no judgement names."""
Verdicts = Mapping[str, frozenset[str]]
"""By ``AMBIGUITY/reading`` that was followed: the words of the verdicts that it got."""


def verdicts_of(trial: Trial, mutant: Mutant | None = None) -> Verdicts:
    """Return the readings that were followed in a trial; ``mutant`` is None for the reference.

    A reading of ``FOLLOWED`` counts for the reference if a requirement of its entry was verified.
    """
    verdicts: dict[str, frozenset[str]] = dict.fromkeys(trial.followed, frozenset({Verdict.NONE.word}))
    for statement in trial.statements:
        if statement.reading:
            verdicts[statement.reading] = verdicts.get(statement.reading, frozenset()) | {statement.verdict}
    for reading in FOLLOWED.get(trial.name, ()):
        rests_on = load_register()[reading.partition("/")[0]].requirements
        if mutant or not {*rests_on}.isdisjoint(trial.verified):
            verdicts.setdefault(reading, frozenset({_whole_verdict(trial, mutant).word}))
    return verdicts


def _whole_verdict(trial: Trial, mutant: Mutant | None) -> Verdict:
    if mutant and set(mutant.breaks) & set(trial.violated):
        return Verdict.FAIL
    return Verdict.INCONCLUSIVE if trial.undecided else Verdict.PASS


def executed(reference: Trial, specimens: Sequence[Mutant], trials: Mapping[str, Trial]) -> dict[str, str]:
    """Return an implementation for each reading that got the register's verdict: the one that follows fewest others.

    It conforms where the reading passes, and breaks what the register names where it fails.
    """
    usual = verdicts_of(reference)
    name_by_reading = {reading: reference.name for reading, words in usual.items() if is_as_registered(reading, words)}
    others = ((specimen, verdicts_of(trials[specimen.name], specimen)) for specimen in specimens)
    for specimen, verdicts in sorted(others, key=lambda pair: (len(pair[1].keys() - usual.keys()), pair[0].name)):
        for reading, words in verdicts.items():
            if is_as_registered(reading, words) and _shows(specimen, trials[specimen.name], reading):
                name_by_reading.setdefault(reading, specimen.name)
    return name_by_reading


def _shows(specimen: Mutant, trial: Trial, reading: str) -> bool:
    wanted_breaks = _entry(reading).breaks
    if wanted(reading) != Verdict.FAIL.word:
        return specimen.kind is Kind.CONFORMING
    return not {*specimen.breaks}.isdisjoint(wanted_breaks) and not {*trial.violated}.isdisjoint(wanted_breaks)


def is_as_registered(reading: str, words: frozenset[str], profile: Profile = Profile.DEFAULT) -> bool:
    """Return whether verdicts are the register's in a profile.

    A reading that was noted and on which nothing depended is not convicted; that is enough unless it has to be.
    """
    word = wanted(reading, profile)
    return words == {word} or (words == {Verdict.NONE.word} and word != Verdict.FAIL.word)


def wanted(reading: str, profile: Profile = Profile.DEFAULT) -> str:
    """Return the word of the register's verdict on ``AMBIGUITY/reading`` in a profile."""
    return _entry(reading).verdicts[profile].word


def _entry(reading: str) -> Reading:
    ambiguity, _, name = reading.partition("/")
    return load_register().reading(ambiguity, name)


def followers_in(profile: Profile, specimens: Sequence[Mutant], named: Mapping[str, str]) -> tuple[Mutant, ...]:
    """Return the mutants that show what the readings are worth in a profile: those that conform, and those named.

    Args:
        profile: one in which latitude passes.
        specimens: whom to choose from.
        named: ``AMBIGUITY/reading`` -> the name of a mutant that follows it.

    Raises:
        ConfigurationError: nothing is left.
    """
    breaks_by_name: dict[str, tuple[str, ...]] = {}
    for reading, name in named.items():
        fails = wanted(reading, profile) == Verdict.FAIL.word
        if fails or wanted(reading) == Verdict.FAIL.word:
            breaks_by_name[name] = (*breaks_by_name.get(name, ()), *(_entry(reading).breaks if fails else ()))
    followers = tuple(
        replace(specimen, breaks=breaks_by_name.get(specimen.name, ()))
        for specimen in specimens
        if specimen.kind is Kind.CONFORMING or specimen.name in breaks_by_name
    )
    if not followers:
        raise ConfigurationError(
            f"--profile {profile.value}: none of the mutants chosen shows a reading; choose others"
        )
    return followers
