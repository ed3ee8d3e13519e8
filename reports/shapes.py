"""Schemas of Arrow from few words."""

import pyarrow as pa


def columns(names: str, **kinds: pa.DataType) -> pa.Schema:
    """Return a schema of names with blanks between; ``name:int64`` says a kind, as ``kinds`` do; the rest is text."""
    parts = (name.partition(":") for name in names.split())
    return pa.schema([(name, kinds.get(name) or pa.type_for_alias(kind or "string")) for name, _, kind in parts])
