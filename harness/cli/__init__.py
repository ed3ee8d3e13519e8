"""The command line: one file for each command, loaded when it is asked for."""

import errno
import os
import sys
import traceback
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from mqconform.harness.cli.echo import echo, forget_output
from mqconform.harness.cli.parameters import FILE, option
from mqconform.harness.cli.settings import defaults_for, named_in
from mqconform.harness.iut.interface import ConfigurationError, IutFault, Unreachable
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.records.problem import OutputLost, PackageFault
from mqconform.harness.records.settings_file import read_settings

JOBS = {
    "Judge": {
        "run": "Judge an implementation, requirement by requirement.",
        "smoke": "Check the connection to an implementation, and its facts, before a run.",
        "doctor": "Check that this machine has everything a run needs.",
        "replay": "Run failed cases again from the bundles that they left.",
        "merge": "Make one result of the shards of a run.",
    },
    "Look at results": {
        "report": "Make a static HTML site, or other formats, of result files.",
        "explain": "Show a requirement with its scenarios, mutants and register entries.",
        "list": "List requirements and the scenarios that judge them.",
    },
    "Compare": {
        "diff": "List the changes between two runs with their causes.",
        "migrate": "List the guarantees an application keeps with another queue manager.",
        "matrix": "Run implementations pairwise and report which side is at fault.",
        "triangulate": "Put generated inputs to implementations and report which of them disagree.",
    },
    "Tools": {
        "directory": "Import, check, compare, convert or draw an enterprise.",
        "next-hops": "List the allowed next hops, with reasons, and where a message stops.",
        "dissect": "Decode a packet or a capture, and report its faults.",
        "serve": "Serve the reference as a peer for tests of implementations.",
        "simulate": "Deliver messages exactly once through faults, and show the smallest schedule that breaks it.",
    },
    "Audits on Spark": {
        "audit": "Judge recorded decisions and captures in bulk, on Spark.",
        "history": "Keep results of runs and show trends.",
        "vectors": "Generate test vectors for testing offline in any language, on Spark.",
    },
    "For maintainers of the suite": {
        "mutants": "Try the suite on implementations with deliberate faults.",
        "lint": "Check feature files for faults that weaken them.",
        "spec": "Prove the catalogue against a copy of a specification.",
    },
}
"""Every command with its line in the help, by what it is for."""
COMMANDS = {name: line for commands in JOBS.values() for name, line in commands.items()}
BAD_NAMES = frozenset({errno.ENAMETOOLONG, errno.ELOOP})
"""What the system says of names that no file can have."""
REFUSALS = frozenset({errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR})
"""What the system says of a file or folder that is of another kind, or not the user's to read or write."""
MACHINE_FAULTS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""What the system says where the machine is at its limits or broken."""


class LazyGroup(click.Group):
    """Commands by what they are for, each in a module that is loaded when it is used: ``--help`` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        del ctx
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, its module loaded now."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"{__package__}.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, and name those that a mistyped one comes near to."""
        near = get_close_matches(args[0], COMMANDS)
        if args[0] not in COMMANDS and near:
            ctx.fail(f"No such command {args[0]!r}. (Did you mean one of: {', '.join(map(repr, near))}?)")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by job, without loading them."""
        del ctx
        for job, commands in JOBS.items():
            with formatter.section(job):
                formatter.write_dl([*commands.items()], col_max=11)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(version("mqconform"), prog_name="mqconform")
@option("--config", "Options, in TOML.  [default: mqconform.toml or pyproject.toml, here]", FILE, metavar="FILE")
@click.pass_context
def cli(ctx: click.Context, config: Path | None) -> None:
    """Test whether an MSMQ implementation conforms, requirement by requirement, with evidence."""
    settings, name = read_settings(config), ctx.invoked_subcommand
    command = cli.get_command(ctx, name) if settings and name else None
    if settings is None or name is None or command is None:
        return
    ctx.default_map = {name: defaults_for(settings, name, command, COMMANDS)}
    if named := [*named_in(settings, name, command)]:
        echo(f"options from {visible(str(settings.path))}: {visible(', '.join(named))}", err=True)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with the code that the command gives."""
    code = run_command(arguments)
    try:
        sys.stdout.flush()
    except OSError as error:
        code = code or (ExitCode.OK if isinstance(error, BrokenPipeError) else _failed(error))
        forget_output()
    sys.exit(code)


def run_command(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; no input of a user ends in a traceback."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - which never raises
    # Hypothesis keeps a table of characters: without a folder it takes the one where the user stands.
    folder = f"{caches}/mqconform/hypothesis" if caches.startswith("/") else os.devnull
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", folder)
    try:
        code: Any = cli.main(arguments, standalone_mode=False)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        _show(error)
        usual = (click.ClickException.exit_code, click.UsageError.exit_code)
        return ExitCode.USAGE if error.exit_code in usual else error.exit_code
    except (click.Abort, KeyboardInterrupt):
        echo("stopped", err=True)
        return ExitCode.STOPPED
    except SystemExit:  # click and rich exit with 1 on a closed pipe; that is no failure of the IUT
        return ExitCode.ERROR
    except Exception as error:  # noqa: BLE001 - the last line of defence
        return _failed(error)
    return code if isinstance(code, int) else ExitCode.OK


def _show(error: click.ClickException) -> None:
    """Say what is wrong with a command line as every other error is said, and where its help is."""
    echo(f"mqconform: {error.format_message()}", err=True)
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None and context.help_option_names:
        echo(f"Try '{context.command_path} {context.help_option_names[0]}' for help.", err=True)


def _failed(error: Exception) -> ExitCode:
    """Say what went wrong and return its exit code; whatever is not known is a defect of ours, and says so."""
    match error:
        case ConfigurationError():
            message, code = str(error), ExitCode.USAGE
        case IutFault():
            message, code = f"the implementation is at fault: {error.kind}: {error}", ExitCode.FAIL
        case Unreachable():
            message, code = f"the implementation could not be reached: {error}", ExitCode.INCONCLUSIVE
        case BrokenPipeError():
            return ExitCode.ERROR
        case OutputLost() | PackageFault():
            message, code = str(error), ExitCode.ERROR
        case OSError() if error.errno in BAD_NAMES or (error.errno in REFUSALS and error.filename is not None):
            message, code = f"{error}; name another file", ExitCode.USAGE
        case OSError() if error.errno in MACHINE_FAULTS:
            message, code = f"{error}; everything written until then stays", ExitCode.ERROR
        case _:
            message = f"an error of the harness itself, please report it:\n{traceback.format_exc()}"
            code = ExitCode.ERROR
    echo(f"mqconform: {message}", err=True)
    return code
