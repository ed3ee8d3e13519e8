"""The option ``--enterprise`` of simulations and audits of systems: one that comes with the project, or a file."""

from pathlib import Path

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.reference.mqso.topology import TOPOLOGIES, Topology


def enterprise_named(enterprise: str) -> Topology:
    """Return an enterprise whose machines have names of their own, as logs and schedules name them.

    Raises:
        ConfigurationError: there is none of that name, the file cannot be read, or two machines share a name.
    """
    if enterprise in TOPOLOGIES:
        return TOPOLOGIES[enterprise]
    if "." not in enterprise and not Path(enterprise).exists():
        raise ConfigurationError(
            f"--enterprise {enterprise}: is neither a file nor one of {', '.join(TOPOLOGIES)}; name one of them"
        )
    return uniquely_named(Topology(read_enterprise(enterprise).directory), f"--enterprise {enterprise}")


def uniquely_named(topology: Topology, where: str) -> Topology:
    """Return a topology whose machines have names of their own.

    Raises:
        ConfigurationError: two share one.
    """
    names = [machine.name for machine in topology.directory.queue_managers]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ConfigurationError(f"{where}: queue_managers: two are called {repeated!r:.80}; give each its own name")
    return topology
