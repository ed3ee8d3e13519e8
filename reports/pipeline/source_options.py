"""Options of the data sources that Spark reads captures and logs through."""

from collections.abc import Mapping

from mqconform.reports.pipeline.problems import UnusableInput


def path_in(options: Mapping[str, str], source: str, what: str) -> str:
    """Return the path that was given to ``load``.

    Args:
        options: of the data source.
        source: the name of its format.
        what: what the path has to name.

    Raises:
        UnusableInput: there is none.
    """
    if "path" not in options:
        raise UnusableInput(f"{source}: no path; name {what}, in load()")
    return options["path"]


def number_in(options: Mapping[str, str], source: str, name: str, default: int) -> int:
    """Return the whole number above 0 that an option gives.

    Raises:
        UnusableInput: it is none.
    """
    text = options.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text)):
        raise UnusableInput(f"{source}: option {name}: {text!r}; give a whole number above 0")
    return int(text)
