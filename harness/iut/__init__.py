"""Implementations under test: interface, protocol, drivers, the roles, the reference as one, mutants.

Adapters of others import from here what ``interface`` has, the one module that ours may import.
"""

from mqconform.harness.iut.interface import *  # noqa: F403 - all that it exports
from mqconform.harness.iut.interface import __all__ as __all__
