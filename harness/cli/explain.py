"""``mqconform explain``: a requirement, a register entry or a mutant, and all that hangs on it."""

import json

import click

from mqconform.harness.cli.echo import echo, say
from mqconform.harness.cli.parameters import json_option
from mqconform.harness.tools.explain import explain, explanation_lines


@click.command("explain")
@click.argument("name", metavar="ID")
@json_option()
def command(name: str, *, as_json: bool) -> None:
    """Show ID with its scenarios, the mutants that prove them, and register entries.

    ID is a requirement (MQSD-3.2.5.1-07), a section or specification of requirements (MQSD-3.2.5.1, MQSD), an
    entry of the ambiguity register (SD-13, or SD-13/any-enterprise as a run prints it) or a mutant.
    """
    for number, explanation in enumerate(explain(name)):
        if as_json:
            echo(json.dumps(explanation.record()))
        else:
            say([*([""] if number else []), *explanation_lines(explanation)])
