"""``mqconform audit``: what was decided and sent in the field, judged in bulk on Spark."""

from importlib import import_module

import click

COMMANDS = {
    "routes": "Judge decisions of routers against an enterprise document.",
    "deliveries": "Judge delivery logs: each message once, in order, none lost.",
    "captures": "Judge captured packets of discovery, and the conversations in them.",
}
"""Every command of the group with its line in the help."""


class AuditGroup(click.Group):
    """Loads the module of a command when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        del ctx
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, its module loaded now."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mqconform.harness.cli.audit_{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without loading the commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group("audit", cls=AuditGroup)
def command() -> None:
    """Judge millions of recorded decisions or packets, on this machine or on a cluster (extra ``spark``)."""
