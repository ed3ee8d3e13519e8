"""What a scenario does to the machine of a queue manager: its store, its coordinator, its memory; and its state."""

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqso.messages import MACHINE
from mqconform.harness.judge.mqso.queue_manager_scene import QueueManagerScene
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import State
from mqconform.reference.mqso.events import Done, Shown


def lose_coordinator(scene: QueueManagerScene, *, lost: bool) -> None:
    """Let the external coordinator go away, or come back."""
    scene.ask("fail_coordinator", {"failing": lost})
    scene.add(events.CoordinatorBecomes(lost), Done())


def throttle(scene: QueueManagerScene, *, on: bool) -> None:
    """Let memory or storage be scarce, or sufficient again."""
    scene.ask("throttle", {"machine": MACHINE, "on": on})
    scene.add(events.Throttle(on), Done())


def fill_store(scene: QueueManagerScene, *, full: bool) -> None:
    """Let the store be full, or have room again."""
    scene.ask("fail_store", {"machine": MACHINE, "how": "full" if full else None})
    scene.add(events.StoreBecomes(full), Done())


def break_store(scene: QueueManagerScene, *, beyond_repair: bool) -> None:
    """Make the store inconsistent."""
    scene.ask("fail_store", {"machine": MACHINE, "how": "beyond-repair" if beyond_repair else "inconsistent"})
    scene.add(events.StoreBreaks(beyond_repair), Done())


def mend_store(scene: QueueManagerScene) -> None:
    """Repair the store, as an administrator does."""
    scene.ask("fail_store", {"machine": MACHINE, "how": None})
    scene.add(events.StoreMended(), Done())


def show_state(scene: QueueManagerScene) -> None:
    """Ask for the state.

    Raises:
        Unsupported: it is not shown.
    """
    answer = scene.ask("state", {"machine": MACHINE})
    if "state" not in answer:
        raise Unsupported("queue_manager.state: does not show the state")
    scene.add(events.ShowState(), Shown(State(answer["state"]), answer.get("mode")))
