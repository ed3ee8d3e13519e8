"""Files and folders that options and arguments name."""

from pathlib import Path
from typing import Any

import click


class FilePath(click.Path):
    """A ``pathlib.Path``; an empty one, as an unset variable gives, is refused: it would be the working directory."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; fail as click does where it is empty or of another kind."""
        if value == "":
            self.fail("The name is empty; name a file or folder, or leave it out.", param, ctx)
        return super().convert(value, param, ctx)
