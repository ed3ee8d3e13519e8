"""``mqconform list``: what there is to judge, and the cases that judge it."""

import click

from mqconform.harness.cli.echo import echo, say
from mqconform.harness.cli.options import requirements_option
from mqconform.harness.cli.parameters import flag, json_option, option
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.suite.listing import case_lines, requirement_lines
from mqconform.harness.suite.selection import Selection, checked_selection


@click.command("list")
@requirements_option
@option("--role", "Only requirements that bind this role.", [role.value for role in RoleName])
@flag("--cases", "List the cases of the suite instead, by their ids in results.")
@json_option()
def command(requirements: tuple[str, ...], role: str | None, *, cases: bool, as_json: bool) -> None:
    """List requirements: id, level, section, how they are judged, number of scenarios, summary.

    How: `wire`, seen in datagrams; `api`, seen through the IUT protocol only; or `no`.
    """
    selection = checked_selection(Selection(requirements))
    if output := [*(case_lines if cases else requirement_lines)(selection, role, as_json=as_json)]:
        say(output)
    else:
        echo(f"no {'case' if cases else 'requirement'} fits these options", err=True)
