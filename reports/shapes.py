"""Schemas of Arrow from few words."""

import pyarrow as pa


def columns(names: str, **kinds: pa.DataType) -> pa.Schema:
    """Return a schema of names with blanks between; ``name:int64`` says a kind, as ``kinds`` do; the rest is text.

    What ends in ``!`` is never null.
    """
    parts = ((*part.rstrip("!").partition(":"), part.endswith("!")) for part in names.split())
    return pa.schema(
        [
            pa.field(name, kinds.get(name) or pa.type_for_alias(kind or "string"), nullable=not required)
            for name, _, kind, required in parts
        ]
    )
