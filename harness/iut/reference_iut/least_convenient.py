"""A queue manager that does the least convenient of what is allowed, for the tests of those who rely on one."""

import random

from mqconform.harness.iut.reference_iut.most_usual import Chooser, Result, most_usual, place_of, text_of
from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.events import Answer, Committed, Failed, Pending


def least_convenient(seed: int) -> Chooser:
    """Return a choice of results that applications are least prepared for, all of them permitted.

    At each place of the register another reading than the most usual one is followed. Where an outcome may differ each
    time, it is a failure rather than a success, and else another than the most usual one, drawn by the seed.
    """
    rng = random.Random(seed)

    def choose(results: list[Result]) -> Result:
        if len(results) == 1:
            return results[0]
        worst = max(Standing.PERMITTED, min(world.standing for world, _ in results))
        allowed = [result for result in results if result[0].standing <= worst]
        most = max(map(_inconvenience, allowed))
        candidates = sorted((result for result in allowed if _inconvenience(result) == most), key=text_of)
        usual = most_usual(candidates)
        return rng.choice([result for result in candidates if result is not usual] or candidates)

    return choose


def _inconvenience(result: Result) -> tuple[int, int]:
    world, answer = result
    return sum(map(place_of, world.followed)), _disappointment(answer)


def _disappointment(answer: Answer) -> int:
    match answer:
        case Failed() | Committed(committed=False):
            return 2
        case Pending():
            return 1
        case _:
            return 0
