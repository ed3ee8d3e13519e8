"""Which mutants a round is about."""

from collections.abc import Sequence

from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.problem import ConfigurationError


def chosen(names: Sequence[str] = (), roles: Sequence[str] = (), part: str = "") -> tuple[Mutant, ...]:
    """Return the mutants of these names and roles whose name holds ``part``; what is left empty admits all.

    Raises:
        ConfigurationError: a name that no mutant has, or nothing is left.
    """
    unknown = sorted(set(names) - set(all_mutants()))
    if unknown:
        raise ConfigurationError(f"--mutant {unknown[0]}: no mutant has that name; `--iut mutant:?` lists them all")
    left = tuple(
        mutant
        for mutant in all_mutants().values()
        if (not names or mutant.name in names) and (not roles or mutant.role in roles) and part in mutant.name
    )
    if not left:
        raise ConfigurationError("no mutant is left by --mutant, --role and -k together; leave one of them out")
    return left
