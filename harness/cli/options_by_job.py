"""Help of ``mqconform run``: its options by what they are for, and those that few need by name alone."""

from textwrap import fill

import click

JOBS = {
    "What is judged": ("requirements", "expression", "last_failed", "stop_first", "profile", "features"),
    "How it is reached": ("iut", "facts", "allow_commands", "clock", "processes", "shard", "timeout"),
    "What is written": ("out", "reports", "build", "resume", "quiet"),
    "Gate": ("expected_failures", "update", "coverage_of"),
}
"""Parameters of the command by heading; all others are rare."""


class RunCommand(click.Command):
    """A command with its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what most users need; a file of options is the place for the rest."""
        records = {option.name: option.get_help_record(ctx) for option in self.get_params(ctx) if not option.is_eager}
        for job, names in JOBS.items():
            with formatter.section(job):
                formatter.write_dl([record for name in names if (record := records.pop(name))])
        with formatter.section("Rare, at home in mqconform.toml (docs/configuration.md)"):
            rare = [record[0].split(" ")[0].removesuffix(",") for record in records.values() if record]
            formatter.write(
                fill(", ".join(rare), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False) + "\n"
            )
