"""A server that follows two readings of SD-13, ``api:mixed_readings:Iut``, and the feature in which both show."""

import os

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.role import RolePart
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqsd.server import Network

FOREIGN = """
@role:discovery_server
Feature: Foreign clients

  @req:MQSD-3.2.5-01
  Scenario Outline: A foreign client
    Given a discovery server
    When a client of another enterprise sends a topology request
    Then the server does one of the things that SD-13 allows

    Examples:
      | case   |
      | first  |
      | second |
"""


class Undecided(ReferenceDiscoveryServer):
    """Answers every second client of another enterprise, or all or none where FOREIGN says so."""

    asked = 0

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        foreign = self.server and len(datagram) >= 52 and datagram[4:20] != bytes(self.server.enterprise)
        Undecided.asked += bool(foreign)
        silent = os.environ.get("FOREIGN", "silent" if Undecided.asked % 2 else "answers") == "silent"
        return [] if foreign and silent else super().replies(network, datagram)


class Iut(ReferenceIut):
    def make(self, role: RoleName) -> RolePart:
        return Undecided() if role == "discovery_server" else super().make(role)
