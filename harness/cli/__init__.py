"""The command line: one file for each command, loaded when it is asked for."""

import sys
import traceback
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from mqconform.harness.iut.interface import ConfigurationError, IutFault, Unreachable
from mqconform.harness.records.exit_codes import ExitCode

COMMANDS = {
    "run": "Judge an implementation, requirement by requirement.",
    "merge": "Make one result of the shards of a run.",
    "replay": "Run failed cases again from the bundles that they left.",
    "diff": "Say what changed between two runs, and the cause of each change.",
    "report": "Make a static HTML site, or other formats, of result files.",
    "list": "List requirements and the scenarios that judge them.",
    "explain": "Show a requirement with its scenarios, mutants and register entries.",
    "lint": "Check feature files for what makes them judge less than they seem to.",
    "mutants": "Try the suite on implementations that are wrong on purpose.",
    "doctor": "Check that this machine has what a run needs.",
    "smoke": "Check the connection to an implementation before a run.",
    "dissect": "Take a packet or a capture apart and say what is wrong with it.",
    "serve": "Serve the reference as a peer for tests of implementations.",
    "directory": "Check, convert or draw an enterprise file.",
    "matrix": "Let implementations meet each other, and say whose fault it is where that fails.",
    "simulate": "Deliver messages exactly once through faults, and show the smallest schedule that breaks it.",
    "triangulate": "Put generated inputs to implementations and say who parts from whom.",
    "next-hops": "Tell which next hops are allowed, why, and where they lead.",
    "audit": "Judge recorded decisions and captures in bulk, on Spark.",
    "history": "Keep results of runs and show what they tell over time, on Spark.",
    "vectors": "Generate test vectors for testing offline in any language, on Spark.",
    "spec": "Prove the catalogue against a copy of a specification.",
}
"""Every command, in the order of the help, with its line there."""


class LazyGroup(click.Group):
    """Loads the module of a command when the command is used: ``--help`` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        del ctx
        return [*COMMANDS]  # the module of the command `list` hides the builtin here once it is loaded

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, its module loaded now."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mqconform.harness.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without loading the commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("mqconform"), prog_name="mqconform")
def cli() -> None:
    """Tell whether an MSMQ implementation conforms, requirement by requirement, with evidence."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with the code that the command gives."""
    sys.exit(run_command(arguments))


def run_command(arguments: list[str] | None = None) -> int:  # noqa: PLR0911 - each kind of failure, its exit code
    """Run the command line and return its exit code; no input of a user ends in a traceback."""
    try:
        code: Any = cli.main(arguments, standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return ExitCode.USAGE
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE if error.exit_code == click.ClickException.exit_code else error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return ExitCode.STOPPED
    except ConfigurationError as error:
        click.echo(f"mqconform: {error}", err=True)
        return ExitCode.USAGE
    except IutFault as fault:
        click.echo(f"mqconform: the implementation is at fault: {fault.kind}: {fault}", err=True)
        return ExitCode.FAIL
    except Unreachable as problem:
        click.echo(f"mqconform: the implementation could not be reached: {problem}", err=True)
        return ExitCode.INCONCLUSIVE
    except BrokenPipeError:
        return ExitCode.ERROR
    except Exception:  # noqa: BLE001 - the last line of defence: whatever is left is a defect of ours, and says so
        click.echo(f"mqconform: an error of the harness itself, please report it:\n{traceback.format_exc()}", err=True)
        return ExitCode.ERROR
    return code if isinstance(code, int) else ExitCode.OK
