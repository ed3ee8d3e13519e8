"""``mqconform audit captures``: captured packets of discovery, and the conversations in them."""

import json
from typing import Any

import click

from mqconform.harness.cli.enterprise_options import say
from mqconform.harness.cli.options import profile_option
from mqconform.harness.cli.pipelines import on_spark, spark_options
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.reference.mqsd.specification import FACTS
from mqconform.reports.pipeline.summary_text import captures_lines, code_of


@click.command("captures")
@click.option(
    "--captures",
    metavar="PATH",
    required=True,
    help="pcap or pcapng, gzipped or not: a file, or a folder of any number of them.",
)
@click.option("--out", metavar="DIR", required=True, help="New folder for verdicts, summary.json and index.html.")
@click.option(
    "--facts",
    metavar="[ADDRESS=]FILE",
    multiple=True,
    help="Facts file of a server (docs/facts-file.md): of the one with that address, or of all; repeatable.",
)
@click.option(
    "--port",
    "ports",
    type=click.IntRange(1, 65535),
    multiple=True,
    default=(FACTS.udp_port,),
    show_default=True,
    help="UDP port on which servers listen; repeatable.",
)
@profile_option
@click.option("--json", "as_json", is_flag=True, help="Print the summary (audit_captures.schema.json) instead of text.")
@spark_options
def command(  # noqa: PLR0913, PLR0917 - one parameter for each option
    captures: str,
    out: str,
    facts: tuple[str, ...],
    ports: tuple[int, ...],
    profile: str,
    master: str | None,
    conf: tuple[str, ...],
    *,
    as_json: bool,
) -> ExitCode:
    """Judge each packet by MS-MQSD 2.2 and each conversation by 3.1 and 3.2, and sum up by requirement and host.

    Exit code 0: nothing failed; 1: something did; 2: nothing failed, and something was inconclusive or could not be
    read; 4: the input cannot be used.
    """
    with on_spark():
        from mqconform.reports.pipeline.captures.audit import run  # noqa: PLC0415 - loads the libraries of the extra

        summary: dict[str, Any] = run(
            captures, out, facts=facts, ports=ports, profile=profile, master=master, conf=conf
        )
    say([json.dumps(summary)] if as_json else captures_lines(summary, out))
    verdicts = (summary[unit]["verdicts"] for unit in ("packets", "conversations"))
    return code_of(verdicts, summary["quarantine"]["entries"])
