"""All roles together, and the methods that every implementation has."""

from collections.abc import Mapping

from mqsample import VERSION
from mqsample.protocol.delivery_operations import OrderedReceiverOperations, OrderedSenderOperations
from mqsample.protocol.discovery_operations import DiscoveryClientOperations, DiscoveryServerOperations
from mqsample.protocol.jsonrpc import Method
from mqsample.protocol.parameters import JsonObject, Parameters
from mqsample.protocol.queue_manager_operations import QueueManagerOperations
from mqsample.protocol.router_operations import RouterOperations
from mqsample.protocol.transaction_operations import TransactionOperations

ROLES = [
    "router",
    "discovery_server",
    "discovery_client",
    "ordered_receiver",
    "ordered_sender",
    "transaction",
    "queue_manager",
]
CAPABILITIES = [
    "virtual-clock",
    "procedures",
    "directory-faults",
    "udp",
    "send-faults",
    "restart",
    "sequences",
    "transactions",
    "external-transactions",
    "cursors",
    "management",
    "store-faults",
    "coordinator-faults",
    "throttling",
    "concurrent",
]


class Iut:
    """The implementation under test. To judge your own, replace what the operations stand on, one role at a time."""

    def __init__(self) -> None:
        self.methods: dict[str, Method] = {}
        self._server = DiscoveryServerOperations()
        self._start_afresh()

    def initialize(self, _params: Parameters) -> JsonObject:
        """Say what can be judged here."""
        return {
            "protocol": 1,
            "name": "mqsample-python",
            "version": VERSION,
            "roles": ROLES,
            "capabilities": CAPABILITIES,
            "specs": {"MQBR": "18.0", "MQSD": "13.0", "MQSO": "18.0"},
        }

    def reset(self, _params: Parameters) -> JsonObject:
        """Everything is as freshly started."""
        self._start_afresh()
        return {}

    def shutdown(self, _params: Parameters) -> JsonObject:
        """Close what is open; the loop ends after the answer."""
        self._server.close()
        return {}

    def _start_afresh(self) -> None:
        self._server.close()
        self._server = DiscoveryServerOperations()
        roles: list[Mapping[str, Method]] = [
            RouterOperations().methods,
            self._server.methods,
            DiscoveryClientOperations().methods,
            OrderedReceiverOperations().methods,
            OrderedSenderOperations().methods,
            TransactionOperations().methods,
            QueueManagerOperations().methods,
        ]
        # The same mapping, since the loop holds it.
        self.methods.clear()
        self.methods.update(initialize=self.initialize, reset=self.reset, shutdown=self.shutdown)
        for methods in roles:
            self.methods.update(methods)
