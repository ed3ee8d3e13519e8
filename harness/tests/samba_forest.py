"""A real Active Directory of Samba on an address of loopback, filled with a routing topology."""

import os
import shutil
import signal
import socket
import subprocess
import time
import uuid
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REALM, ROOT = "CONTOSO.TEST", "DC=contoso,DC=test"
CONFIGURATION = f"CN=Configuration,{ROOT}"
SERVICES = f"CN=MsmqServices,CN=Services,{CONFIGURATION}"
ADMINISTRATOR, PASSWORD = "Administrator@contoso.test", "P4ss-word.1"
CERTIFICATE_NAME = "DC1.contoso.test"
PORTS = (389, 636, 3268, 3269)


def why_not(address: str) -> str:
    """Return why no Samba can be started here, empty if one can."""
    missing = [name for name in ("samba", "samba-tool", "ldbsearch") if not shutil.which(name)]
    if missing:
        return f"{', '.join(missing)} not installed; apt-get install samba-ad-dc samba-ad-provision ldb-tools and more"
    if os.geteuid() != 0:
        return "Samba needs root: it knows the ports of LDAP alone"
    for port in PORTS:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError as error:
                return f"{address}:{port}: {error.strerror}"
    return ""


@dataclass(frozen=True)
class Forest:
    """A domain controller that runs."""

    address: str
    folder: Path

    @property
    def ca(self) -> Path:
        """The authority that signed its certificate."""
        return self.folder / "private" / "tls" / "ca.pem"

    @property
    def database(self) -> Path:
        """The file that ldbsearch reads beside the server."""
        return self.folder / "private" / "sam.ldb"

    def ldbsearch(self, base: str, *filters: str) -> str:
        """Return what ldbsearch finds in the file of the directory, as LDIF."""
        command = ["ldbsearch", "-H", str(self.database), "--cross-ncs", "-b", base, *filters]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout

    def connection(self) -> Any:
        """Return a connection of the administrator that may write."""
        import ldap3

        server = ldap3.Server(self.address, get_info=ldap3.SCHEMA)
        return ldap3.Connection(
            server, ADMINISTRATOR, PASSWORD, auto_bind=True, auto_referrals=False, raise_exceptions=True
        )


@contextmanager
def samba(folder: Path, address: str) -> Iterator[Forest]:
    """Provision a forest below a folder, serve it on an address of loopback, and end it."""
    target = folder / "ad"
    provision = [
        *("samba-tool", "domain", "provision", f"--realm={REALM}", "--domain=CONTOSO", "--server-role=dc"),
        *("--dns-backend=NONE", f"--adminpass={PASSWORD}", f"--targetdir={target}", "--host-name=dc1"),
        *(f"--host-ip={address}", f"--option=interfaces={address}/8", "--option=bind interfaces only=yes"),
    ]
    subprocess.run(provision, check=True, capture_output=True, timeout=180)
    options = {"server services": "ldap", "ldap server require strong auth": "no", "dns forwarder": ""}
    for name, place in (("pid directory", "pid"), ("ncalrpc dir", "ncalrpc"), ("log file", "logs")):
        (target / place).mkdir()
        options[name] = str(target / place / "%m") if place == "logs" else str(target / place)
    serve = ["samba", "-i", "-M", "single", "-s", str(target / "etc" / "smb.conf")]
    serve += [f"--option={name}={value}" for name, value in options.items()]
    with (folder / "samba.out").open("wb") as out:
        server = subprocess.Popen(serve, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
    try:
        for port in PORTS:
            _answering(address, port)
        yield Forest(address, target)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)


def _answering(address: str, port: int) -> None:
    limit = time.monotonic() + 30
    while True:
        try:
            socket.create_connection((address, port), timeout=1).close()
        except OSError:
            if time.monotonic() > limit:
                raise
            time.sleep(0.1)  # nothing tells that it has begun to listen
        else:
            return


class Filler:
    """Writes a topology through LDAP."""

    def __init__(self, forest: Forest) -> None:
        self.ldap = forest.connection()
        self.sites: dict[str, bytes] = {}
        self.machines: dict[str, bytes] = {}

    def site(self, name: str, **attributes: Any) -> None:
        self.ldap.add(f"CN={name},CN=Sites,{CONFIGURATION}", "site", attributes)
        self.ldap.add(f"CN=Servers,CN={name},CN=Sites,{CONFIGURATION}", "serversContainer")
        self.sites[name] = self._guid(f"CN={name},CN=Sites,{CONFIGURATION}")

    def machines_at_once(self, forest: Forest, count: int) -> None:
        """Write many queue managers on the file, a thousand a transaction: through LDAP each waits for the disk."""
        command = ["ldbadd", "-H", str(forest.database)]
        for start in range(0, count, 1000):
            text = "\n".join(self._lines(range(start, min(start + 1000, count))))
            subprocess.run(command, input=text, text=True, check=True, capture_output=True, timeout=600)

    def _lines(self, numbers: Iterable[int]) -> Iterator[str]:
        for number in numbers:
            name, site = f"qm-{number:05}", ("Oslo", "Rome", "Kyiv")[number % 3]
            above, host = f"CN={name},CN=Computers,{ROOT}", f"{name}.contoso.test"
            yield from (f"dn: {above}", "objectClass: computer", f"sAMAccountName: {name}$", f"dNSHostName: {host}")
            yield from (f"servicePrincipalName: HOST/{host}", "", f"dn: CN=msmq,{above}")
            yield from ("objectClass: mSMQConfiguration", f"mSMQSites:: {b64encode(self.sites[site]).decode()}", "")

    def machine(self, name: str, sites: Sequence[str], **attributes: Any) -> None:
        above = f"CN={name},CN=Computers,{ROOT}"
        host = f"{name}.contoso.test"
        spn = [f"HOST/{host}"]
        self.ldap.add(
            above, "computer", {"sAMAccountName": f"{name}$", "dNSHostName": host, "servicePrincipalName": spn}
        )
        self.ldap.add(
            f"CN=msmq,{above}", "mSMQConfiguration", {"mSMQSites": [self.sites[one] for one in sites]} | attributes
        )

    def router(self, name: str, site: str) -> None:
        self.machine(name, [site], mSMQRoutingServices="TRUE", mSMQServiceType=1)
        self.machines[name] = self._guid(f"CN=msmq,CN={name},CN=Computers,{ROOT}")
        place = f"CN={name},CN=Servers,CN={site},CN=Sites,{CONFIGURATION}"
        self.ldap.add(place, "server")
        settings = {"mSMQQMID": self.machines[name], "mSMQRoutingService": "TRUE", "mSMQServices": 1}
        self.ldap.add(f"CN=MSMQ Settings,{place}", "mSMQSettings", settings)

    def link(self, one: str, other: str, cost: int, *gates: str) -> None:
        name = "".join(uuid.UUID(bytes_le=self.sites[site]).hex for site in (one, other))
        ends = {f"mSMQSite{place}": f"CN={site},CN=Sites,{CONFIGURATION}" for place, site in ((1, one), (2, other))}
        named = [f"CN=msmq,CN={gate},CN=Computers,{ROOT}" for gate in gates]
        self.ldap.add(f"CN={name},{SERVICES}", "mSMQSiteLink", ends | {"mSMQCost": cost, "mSMQSiteGates": named})

    def rename(self, old: str, new: str) -> None:
        self.ldap.modify_dn(f"CN={old},CN=Computers,{ROOT}", f"CN={new}")

    def delete(self, name: str) -> None:
        self.ldap.delete(f"CN=msmq,CN={name},CN=Computers,{ROOT}")
        self.ldap.delete(f"CN={name},CN=Computers,{ROOT}")

    def _guid(self, name: str) -> bytes:
        self.ldap.search(name, "(objectClass=*)", "BASE", attributes=["objectGUID"])
        guid: bytes = self.ldap.response[0]["raw_attributes"]["objectGUID"][0]
        return guid


def fill(forest: Forest, machines: int) -> None:
    """Write four sites, one of them foreign, links, gates and queue managers; rename a gate and delete another."""
    filler = Filler(forest)
    for site in ("Oslo", "Rome", "Kyiv"):
        filler.site(site)
    filler.site("Lima", mSMQSiteForeign=["TRUE"])
    for name, site in (
        ("gate-o", "Oslo"),
        ("gate-r", "Rome"),
        ("gate-k", "Kyiv"),
        ("gate-k2", "Kyiv"),
        ("gate-l", "Lima"),
    ):
        filler.router(name, site)
    filler.link("Oslo", "Rome", 7, "gate-o", "gate-r")
    filler.link("Rome", "Lima", 3, "gate-r", "gate-l")
    filler.link("Rome", "Kyiv", 5, "gate-r", "gate-k", "gate-k2")
    filler.machine("client", ["Oslo"], mSMQOutRoutingServers=[f"CN=msmq,CN=gate-o,CN=Computers,{ROOT}"])
    filler.machine("both", ["Oslo", "Rome"])
    filler.machine("bit-only", ["Rome"], mSMQServiceType=1)
    filler.machines_at_once(forest, machines - 7)
    filler.rename("gate-r", "gate-rome")
    filler.delete("gate-k")
