"""What a container may have and do: as little as an implementation needs."""

from typing import Any

from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.image import Image
from mqconform.adapters.containers.target import ImageTarget

SCRATCH = "size=64m,mode=1777,nosuid,nodev"
"""What can be written to, in memory: /tmp, and whatever the image has as a volume, which would else be on the disk."""
LOG = {"type": "json-file", "config": {"max-size": "1m", "max-file": "1"}}
OPEN_FILES = 1_024


def host_config(engine: Engine, target: ImageTarget, image: Image, network: str, *, published: bool = False) -> Any:
    """Return the engine's settings for a container.

    The user of the image stays, all privileges go. ``init`` makes the program answer signals as it does elsewhere: one
    that is process 1 ignores those that it has not asked for.

    Args:
        engine: that runs the container.
        target: what the user allows.
        image: what the container is of.
        network: ``none``, ``container:ID``, or the name of a network.
        published: whether the target's port is published on 127.0.0.1.
    """
    return engine.api.create_host_config(
        network_mode=network,
        port_bindings={f"{target.port}/udp": ("127.0.0.1",)} if published else None,
        mem_limit=target.memory,
        memswap_limit=target.memory,
        pids_limit=target.pids,
        ulimits=[{"Name": "nofile", "Soft": OPEN_FILES, "Hard": OPEN_FILES}, {"Name": "core", "Soft": 0, "Hard": 0}],
        read_only=True,
        tmpfs=dict.fromkeys(("/tmp", *image.volumes), SCRATCH),  # noqa: S108 - in the container
        cap_drop=["ALL"],
        security_opt=["no-new-privileges:true"],
        init=True,
        log_config=LOG,
        restart_policy={"Name": "no"},
    )


def limits_text(target: ImageTarget) -> str:
    """Return the limits in words, for the evidence."""
    return f"{size(target.memory)} of memory, {target.pids} processes"


def size(octets: int) -> str:
    """Return an amount of memory in words."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if octets % unit == 0:
            return f"{octets // unit} {name}"
    return f"{octets} octets"
