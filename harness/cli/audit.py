"""``mqconform audit``: what was decided and sent in the field, judged in bulk on Spark."""

import click

from mqconform.harness.cli.lazy_group import LazyGroup

COMMANDS = {
    "routes": "Judge decisions of routers against an enterprise document.",
    "deliveries": "Judge delivery logs: each message once, in order, none lost.",
    "captures": "Judge captured packets of discovery, and the conversations in them.",
}


@click.group("audit", cls=LazyGroup, jobs={"Commands": COMMANDS}, prefix="audit_")
def command() -> None:
    """Judge millions of recorded decisions or packets, on this machine or on a cluster (extra ``spark``)."""
