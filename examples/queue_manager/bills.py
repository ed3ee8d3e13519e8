"""Three bills go to a queue with room for two. Does the program that sends them notice that one is missing?

    python3 bills.py [--careful] [options of `mqconform serve queue-manager`]

The careless program believes that a send which succeeds has delivered. The careful one asks for an acknowledgment.
"""

import sys

from queues import QueueManager, address

BILLS = ("bill 1", "bill 2", "bill 3")


def send_carelessly(queues: QueueManager) -> int:
    """Send the bills; return how many are known to be missing."""
    handle = queues.open("bills", "send")
    answers = [queues.call("send", handle=handle, message=bill, assurance="recoverable") for bill in BILLS]
    return sum("failed" in answer for answer in answers)


def send_carefully(queues: QueueManager) -> int:
    """Send the bills and wait for news of each; return how many are known to be missing."""
    queues.create("news")
    handle = queues.open("bills", "send")
    wishes = {"acknowledgments": ["reach", "negative"], "administration_queue": address("news")}
    answers = [queues.call("send", handle=handle, message=bill, assurance="recoverable", **wishes) for bill in BILLS]
    sent = {answer["id"] for answer in answers if "id" in answer}
    arrived = {news["acknowledgment"]["of"] for news in queues.all_of("news") if news["acknowledgment"]["positive"]}
    return len(BILLS) - len(sent & arrived)


def main() -> int:
    """Try one of the two programs; the exit status is 1 where a bill is missing and it does not know."""
    arguments = sys.argv[1:]
    careful = "--careful" in arguments
    with QueueManager(*(each for each in arguments if each != "--careful")) as queues:
        queues.create("bills", room=2)
        missing = send_carefully(queues) if careful else send_carelessly(queues)
        arrived = len(queues.all_of("bills"))
    print(f"{arrived} bills arrived, {missing} known to be missing")
    return 0 if arrived + missing == len(BILLS) else 1


if __name__ == "__main__":
    sys.exit(main())
