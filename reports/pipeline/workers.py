"""What Python workers of Spark do beside their task."""

import gc

_settled: set[bool] = set()


def settle() -> None:
    """Spare the collector what this worker has loaded; call it at the end of a task.

    PySpark's workers collect garbage after every task and begin the next one only then. Modules, compiled loops and
    an enterprise are a hundred thousand objects that never become garbage: looking at them took up to 30 ms each time.
    """
    if not _settled:
        gc.collect()
        gc.freeze()
        _settled.add(True)
