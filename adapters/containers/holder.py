"""A computer for containers to run on: a network namespace with our interfaces before the first program starts in it.

An engine gives a container its namespace only while it starts, too late for a program that looks at its interfaces at
once. So a container that does nothing comes first, and the container under test joins its network. What that container
runs is the machine's own ``sleep``, packed with the libraries that it is linked to: no registry is needed.
"""

import io
import shutil
import subprocess
import tarfile
import weakref
from hashlib import sha256
from pathlib import Path
from typing import Any

from mqconform.adapters.containers.engine import Engine, EngineRefused, asking
from mqconform.adapters.containers.labels import labels, new_name, removed_if_possible
from mqconform.adapters.networks.namespaces import Namespace, NamespacesUnavailable

PROGRAM = "sleep"
REPOSITORY = "mqconform-sleep"
MEMORY, PROCESSES = 64 << 20, 64
"""Far more than the program needs: what starts it runs within the same bounds."""


def image_of_sleep(engine: Engine) -> str:
    """Return the name of the image, made now where the engine does not have it.

    Raises:
        NamespacesUnavailable: this machine has no such program.
    """
    program = shutil.which(PROGRAM)
    if program is None or shutil.which("ldd") is None:
        raise NamespacesUnavailable(f"what holds a container's network is {PROGRAM}, packed by ldd: one is missing")
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout  # noqa: S603, S607 - a fixed command
    octets = io.BytesIO()
    with tarfile.open(fileobj=octets, mode="w", dereference=True) as archive:
        for path in dict.fromkeys((program, *(word for word in linked.split() if word.startswith("/")))):
            archive.add(path)
    name = f"{REPOSITORY}:{sha256(octets.getvalue()).hexdigest()[:12]}"
    try:
        with asking("looking for the image that holds networks"):
            engine.api.inspect_image(name)
    except EngineRefused:
        start = [f'ENTRYPOINT ["{program}", "infinity"]']
        with asking("making the image that holds networks"):
            engine.api.import_image_from_data(octets.getvalue(), *name.split(":"), changes=start)
    return name


def network_of(container: Any) -> str:
    """Return the file that stands for the network namespace of a running container.

    Args:
        container: as the engine inspects it; the pid of another machine is not taken for one of ours.

    Raises:
        NamespacesUnavailable: it is none of this machine.
    """
    pid = int(container["State"].get("Pid") or 0)
    try:
        if str(container["Id"]) in Path(f"/proc/{pid}/cgroup").read_text("utf-8", "replace"):
            return f"/proc/{pid}/ns/net"
    except OSError as error:
        raise NamespacesUnavailable(f"a container's network cannot be entered: {error}; run as root") from error
    raise NamespacesUnavailable("the engine's processes are not those of this machine")


class Holder(Namespace):
    """A network namespace with nothing but loopback that containers can join; see ``Namespace``.

    Attributes:
        network: what ``network_mode`` a container has that joins it.

    Raises, when made:
        NamespacesUnavailable: it cannot be had or entered from here.
        EngineFailed: the engine does not start the container.
    """

    def __init__(self, engine: Engine) -> None:
        self._descriptor = -1
        name = new_name()
        image = image_of_sleep(engine)
        self._last_resort = weakref.finalize(self, removed_if_possible, engine, name)
        try:
            with asking("starting the container that holds a network"):
                self._container = engine.client.containers.create(
                    image,
                    name=name,
                    labels=labels("holder of a network"),
                    network_mode="none",
                    mem_limit=MEMORY,
                    memswap_limit=MEMORY,
                    pids_limit=PROCESSES,
                    read_only=True,
                    cap_drop=["ALL"],
                    security_opt=["no-new-privileges:true"],
                    log_config={"type": "none"},
                )
                self._container.start()
                self._container.reload()
            self.network = f"container:{self._container.id}"
            super().__init__(network_of(self._container.attrs))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the namespace and remove the container."""
        super().close()
        self._last_resort()
