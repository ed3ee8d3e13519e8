"""The rows of the faults of MS-MQSD."""

from functools import partial

from mqconform.reference.fault import row

fault = partial(row, "MQSD")
"""A row: name, ids without the specification, what it does, and the changed rule."""
