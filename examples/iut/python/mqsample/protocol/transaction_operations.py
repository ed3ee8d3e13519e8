"""The role `transaction`."""

from mqsample.protocol.jsonrpc import Method
from mqsample.protocol.parameters import JsonObject, Parameters
from mqsample.transactions import QueueManager, TargetQueue


class TransactionOperations:
    """One sending queue manager that takes orders, with the computers of its targets."""

    def __init__(self) -> None:
        self.queue_manager = QueueManager()
        self.methods: dict[str, Method] = {
            "transaction.configure": self.configure,
            "transaction.begin": self.begin,
            "transaction.send": self.send,
            "transaction.commit": self.commit,
            "transaction.abort": self.abort,
            "transaction.fail_queue": self.fail_queue,
            "transaction.deliver": self.deliver,
            "transaction.state": self.state,
        }

    def configure(self, params: Parameters) -> JsonObject:
        """Other queues and lists, with nothing in them."""
        queues = [
            TargetQueue(each.text("name"), each.text("machine"), each.boolean("transactional"))
            for each in params.list_of("queues")
        ]
        lists = params.list_of("lists") if params.has("lists") else []
        self.queue_manager = QueueManager(queues, {each.text("name"): each.texts("elements") for each in lists})
        return {}

    def begin(self, _params: Parameters) -> JsonObject:
        """Begin a transaction."""
        return {"transaction": self.queue_manager.begin()}

    def send(self, params: Parameters) -> JsonObject:
        """Send a message within a transaction."""
        administration_queue = params.text("administration_queue") if params.has("administration_queue") else None
        self.queue_manager.send(
            params.integer("transaction"), params.key("message"), params.texts("destination"), administration_queue
        )
        return {}

    def commit(self, params: Parameters) -> JsonObject:
        """End a transaction."""
        return {"committed": self.queue_manager.commit(params.integer("transaction"))}

    def abort(self, params: Parameters) -> JsonObject:
        """Give a transaction up."""
        self.queue_manager.abort(params.integer("transaction"))
        return {}

    def fail_queue(self, params: Parameters) -> JsonObject:
        """Let an outgoing queue fail, or heal it."""
        self.queue_manager.fail_queue(params.text("queue"), failing=params.boolean("failing"))
        return {}

    def deliver(self, _params: Parameters) -> JsonObject:
        """Let what waits arrive."""
        self.queue_manager.deliver()
        return {}

    def state(self, _params: Parameters) -> JsonObject:
        """Where all messages are."""
        manager = self.queue_manager
        return {
            "outgoing": {queue: [sent.message for sent in copies] for queue, copies in manager.outgoing.items()},
            "queues": manager.received,
            "dead_letters": manager.dead_letters,
            "acknowledgments": {
                queue: [
                    {"message": each.message, "queue": each.queue, "class": "not_transactional_queue"}
                    for each in refusals
                ]
                for queue, refusals in manager.acknowledgments.items()
            },
        }
