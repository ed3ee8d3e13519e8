"""Options that say what a run leaves behind, and whether it goes on with an earlier one."""

from collections.abc import Callable

import click


def evidence_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add --resume, --bundles and --diagnosis."""
    for option in (
        click.option(
            "--resume",
            is_flag=True,
            help="Go on with a run into the same --out that was killed; finished cases are kept as they are.",
        ),
        click.option(
            "--bundles/--no-bundles",
            default=True,
            show_default=True,
            help="Leave a folder for each failed case, for `mqconform replay`.",
        ),
        click.option(
            "--diagnosis/--no-diagnosis",
            default=True,
            show_default=True,
            help="After a red run, name the known faults that fail the same cases.",
        ),
    ):
        function = option(function)
    return function
