"""STOMP 1.2 with an answer to each frame, and subscriptions of one message each. ``stomp.py`` does the rest."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

import stomp
from stomp.exception import StompException

from brokers.broker import Failure

SECONDS = 10
logging.getLogger("stomp.py").setLevel(logging.CRITICAL)  # its errors are raised as well
ONE_AT_A_TIME = {"activemq.prefetchSize": "1", "activemq.dispatchAsync": "false"}


@dataclass(eq=False)
class Subscription:
    """What has come for one subscription, in order."""

    number: str
    destination: str
    deliveries: list[stomp.utils.Frame] = field(default_factory=list)


class StompConnection(stomp.ConnectionListener):  # type: ignore[misc] # the library has no types
    """One connection of one user."""

    def __init__(self, port: int, user: str) -> None:
        self.server = "unknown"
        self._changed = threading.Condition()
        self._numbers = count(1)
        self._answers: dict[str, str | None] = {}
        self._subscriptions: dict[str, Subscription] = {}
        self._lost = False
        self._connection = stomp.Connection12([("127.0.0.1", port)], reconnect_attempts_max=1)
        self._connection.set_listener("", self)
        try:
            self._connection.connect(user, user, wait=True)
        except (StompException, OSError) as error:
            raise Failure(f"no connection: {type(error).__name__}") from error

    def ask(self, command: str, body: str = "", **headers: str) -> None:
        """Send a frame, and return when the server has done what it asks for.

        Raises:
            Failure: the server refuses, or the connection is gone.
        """
        number = self._send(command, body, headers)
        self._wait(lambda: number in self._answers)
        self._refused(self._answers.pop(number))

    def subscribe(self, destination: str, selector: str | None) -> Subscription:
        """Ask for the next message, which no one else gets until it is settled."""
        return self._subscribe(destination, selector, {"ack": "client-individual", **ONE_AT_A_TIME})[0]

    def browse(self, destination: str, selector: str | None) -> list[stomp.utils.Frame]:
        """Return the messages of a queue that none of these subscriptions holds: the server shows all."""
        subscription, number = self._subscribe(destination, selector, {"ack": "auto", "browser": "true"})
        seen = subscription.deliveries
        # The receipt comes at once; what the server thinks of it comes later.
        self._wait(lambda: (seen and "browser" in seen[-1].headers) or self._answers.get(number) is not None)
        self._refused(self._answers.pop(number, None))
        self.end(subscription)
        held = self._held()
        return [frame for frame in seen[:-1] if frame.headers["message-id"] not in held]

    def arrives(self, subscription: Subscription, seconds: float) -> bool:
        """Wait for the first message of a subscription."""
        with self._changed:
            self._changed.wait_for(lambda: subscription.deliveries or self._lost, seconds)
        return bool(subscription.deliveries)

    def acknowledge(self, subscription: Subscription, transaction: str | None = None) -> None:
        """Take the first message of a subscription for good, or with a transaction."""
        within = {} if transaction is None else {"transaction": transaction}
        self.ask("ACK", id=subscription.deliveries[0].headers["ack"], **within)

    def give_back(self, subscriptions: list[Subscription]) -> None:
        """End subscriptions, so that what they hold goes back in its order.

        What comes back goes to the end of what came back before, and to the head where the last consumer has gone: that
        of the first message then ends last.
        """
        destinations = dict.fromkeys(subscription.destination for subscription in subscriptions)
        for destination in destinations:
            first, *others = [each for each in subscriptions if each.destination == destination]
            consumers = sum(each.destination == destination for each in self._subscriptions.values())
            alone = consumers == len(others) + 1
            for subscription in [*others, first] if alone else [first, *others]:
                self.end(subscription)

    def end(self, subscription: Subscription) -> None:
        """Unsubscribe; what was not acknowledged goes back to the front of its queue."""
        try:
            self.ask("UNSUBSCRIBE", id=subscription.number)
        finally:
            self._subscriptions.pop(subscription.number, None)

    def close(self) -> None:
        """Disconnect: transactions are undone."""
        with suppress(StompException, OSError):
            self._connection.disconnect()

    def on_connected(self, frame: stomp.utils.Frame) -> None:
        """Note which server it is."""
        self.server = frame.headers.get("server", "unknown")

    def on_receipt(self, frame: stomp.utils.Frame) -> None:
        """Note that the server has done something."""
        self._note(lambda: self._answers.setdefault(frame.headers["receipt-id"], None))

    def on_error(self, frame: stomp.utils.Frame) -> None:
        """Note a refusal, which may come after the receipt."""
        self._note(lambda: self._answers.update({frame.headers.get("receipt-id", ""): str(frame.headers["message"])}))

    def on_message(self, frame: stomp.utils.Frame) -> None:
        """Note a message."""
        subscription = self._subscriptions.get(frame.headers["subscription"])
        if subscription is not None:
            self._note(lambda: subscription.deliveries.append(frame))

    def on_disconnected(self) -> None:
        """Wake who waits for an answer."""
        self._lost = True
        self._note(lambda: None)

    def _subscribe(self, destination: str, selector: str | None, headers: dict[str, str]) -> tuple[Subscription, str]:
        subscription = Subscription(str(next(self._numbers)), destination)
        self._subscriptions[subscription.number] = subscription
        if selector is not None:
            headers = {**headers, "selector": selector}
        number = self._send("SUBSCRIBE", "", {"id": subscription.number, "destination": destination, **headers})
        return subscription, number

    def _held(self) -> set[str]:
        """Return the identifiers of what has come and was not given back."""
        with self._changed:
            subscriptions = list(self._subscriptions.values())
            return {frame.headers["message-id"] for each in subscriptions for frame in each.deliveries}

    def _send(self, command: str, body: str, headers: dict[str, str]) -> str:
        number = str(next(self._numbers))
        try:
            self._connection.send_frame(command, {**headers, "receipt": number}, body)
        except (StompException, OSError) as error:
            raise Failure(f"the connection is gone: {type(error).__name__}") from error
        return number

    def _wait(self, happens: Callable[[], object]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: happens() or self._lost, SECONDS)
            if not happens():
                raise Failure("the connection is gone" if self._lost else f"no answer within {SECONDS} s")

    def _note(self, change: Callable[[], object]) -> None:
        with self._changed:
            change()
            self._changed.notify_all()

    def _refused(self, why: str | None) -> None:
        if why is not None:
            raise Failure(f"the broker refuses: {why}")
