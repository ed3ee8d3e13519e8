"""``mqconform next-hops``: the oracle as a tool."""

import json

import click

from mqconform.harness.cli.echo import echo, say
from mqconform.harness.cli.parameters import flag, json_option, option
from mqconform.harness.cli.source_options import SOURCE_HELP, SourceCommand, machine_option, source_options
from mqconform.harness.judge.independent.routing_graph import checked_second_opinion
from mqconform.harness.judge.independent.routing_opinion import hold_against_second_opinion
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.tools.enterprise.answer import Answer, answer_lines, cause_of
from mqconform.harness.tools.enterprise.machine_names import find_machine
from mqconform.harness.tools.enterprise.routes import find_routes
from mqconform.harness.tools.enterprise.source import SourceOptions, open_enterprise
from mqconform.reference.allowed import Standing
from mqconform.reference.directory import document_from_directory


@click.command("next-hops", cls=SourceCommand, rare="second_opinion")
@option("--directory file", f"Enterprise: {SOURCE_HELP}.", metavar="SOURCE", required=True)
@machine_option("--from", "source", "Queue manager that has the message: name or GUID.", required=True)
@machine_option("--to", "destination", "Destination queue manager: name or GUID.", required=True)
@flag("--explain", "Print every step with its requirements, and the meaning of each reading.")
@json_option("One JSON object (next_hops.schema.json) instead of text.")
@flag("--second-opinion", "Fail with exit code 3 unless an independent oracle agrees.")
@source_options
def command(  # noqa: PLR0913 - one parameter for each option
    file: str,
    source: str,
    destination: str,
    options: SourceOptions,
    *,
    explain: bool,
    as_json: bool,
    second_opinion: bool,
) -> None:
    """List the next hops that MS-MQBR allows for a message, its paths, and why it does not arrive.

    Exit code 0 also where there is no route: that is an answer; 4: the file cannot be read, or a name is unknown.
    """
    enterprise = open_enterprise(file, options)
    directory = enterprise.directory
    local, target = find_machine(directory, source), find_machine(directory, destination)
    routes = find_routes(directory, local, target)
    if checked_second_opinion(asked=second_opinion):
        document = document_from_directory(directory)
        allowed = routes.decision.allowed
        hold_against_second_opinion(document, local, target, allowed.outcomes(Standing.TEXT), allowed.outcomes())
    answer = Answer(directory, routes)
    cause = cause_of(answer, enterprise)
    if as_json:
        echo(json.dumps(answer.record() | ({"cause": cause.record()} if cause else {})))
    else:
        say((*(cause.lines() if cause else ()), *answer_lines(answer, load_register() if explain else None)))
