"""`mqsample`: takes orders, serves, or searches."""

import argparse
import contextlib
import ipaddress
import json
import os
import signal
import sys
from typing import NoReturn

from mqsample import guid
from mqsample.discovery_client import DiscoveryClient, Network
from mqsample.discovery_server import DiscoveryServer
from mqsample.protocol import jsonrpc
from mqsample.protocol.discovery_operations import client_state, show_effect
from mqsample.protocol.iut import Iut
from mqsample.server_list import DirectoryServer
from mqsample.udp_client import UdpNetwork, search
from mqsample.udp_server import UdpServer

MSMQ_PORT = 1801
USAGE = 4


def main() -> int:
    """Run the command; the exit status is 0, 1 for a search that failed, or 4 for wrong usage."""
    arguments = _parser().parse_args()
    try:
        return int(arguments.run(arguments))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Whoever listened has gone; what is left in the buffer must not fail again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def take_orders(_arguments: argparse.Namespace) -> int:
    """The IUT protocol on standard input and output."""
    jsonrpc.serve(Iut().methods, sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(arguments: argparse.Namespace) -> int:
    """A discovery server until SIGTERM."""
    servers = [DirectoryServer(name) for name in arguments.directory_server]
    server = DiscoveryServer(arguments.site, arguments.connected_network, servers)
    try:
        port = UdpServer(server, arguments.host, arguments.port)
    except OSError as error:
        return _refuse(f"cannot listen on {arguments.host}:{arguments.port}: {error}")
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, lambda _number, _frame: port.close())
    print("listening on {}:{}".format(*port.address), flush=True)
    port.serve()
    return 0 if server.listening else 1


def find(arguments: argparse.Namespace) -> int:
    """One search for directory servers."""
    interfaces: list[ipaddress.IPv4Interface] = arguments.network
    directed = arguments.broadcast == "directed"
    if directed and any(interface.network.prefixlen == interface.max_prefixlen for interface in interfaces):
        return _refuse("a directed broadcast needs the prefix of the network, as in 192.0.2.7/24")
    try:
        networks = [UdpNetwork(interface, arguments.port, directed=directed) for interface in interfaces]
    except OSError as error:
        return _refuse(f"this computer has no such network: {error}")
    client = DiscoveryClient(arguments.enterprise, arguments.site, [Network(each.address) for each in networks])
    found = search(client, networks, lambda effect: print(json.dumps(show_effect(effect)), flush=True))
    print(json.dumps({"result": "success" if found else "failure", **client_state(client)}), flush=True)
    return 0 if found else 1


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Refuse with the exit status that `mqconform` has for it too."""
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"mqsample: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("mqsample", description="A small queue manager that can be judged.")
    parser.set_defaults(run=take_orders)
    commands = parser.add_subparsers(metavar="COMMAND")

    stdio = commands.add_parser("stdio", help="take orders on standard input (what happens without a command)")
    stdio.set_defaults(run=take_orders)

    server = commands.add_parser("discovery-server", help="answer topology requests until SIGTERM")
    server.add_argument("--host", default="127.0.0.1", help="address to listen on; broadcasts reach 0.0.0.0 alone")
    server.add_argument("--port", type=_port, default=MSMQ_PORT, help="UDP port, 0 for any")
    _identity(server)
    server.add_argument("--connected-network", type=_guid, action="append", default=[], metavar="GUID")
    server.add_argument("--directory-server", action="append", default=[], metavar="NAME")
    server.set_defaults(run=serve)

    client = commands.add_parser("discovery-client", help="search for directory servers once")
    _identity(client)
    client.add_argument(
        "--network",
        type=_interface,
        action="append",
        required=True,
        metavar="ADDRESS[/PREFIX]",
        help="this computer's own address on a network; repeat it in the order of the search",
    )
    client.add_argument("--port", type=_port, default=MSMQ_PORT, help="UDP port of the servers")
    client.add_argument("--broadcast", choices=["limited", "directed"], default="limited")
    client.set_defaults(run=find)
    return parser


def _identity(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--enterprise", type=_guid, required=True, metavar="GUID")
    parser.add_argument("--site", type=_guid, required=True, metavar="GUID")


def _guid(text: str) -> str:
    try:
        return guid.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _port(text: str) -> int:
    with contextlib.suppress(ValueError):
        if 0 <= int(text) <= 65_535:
            return int(text)
    raise argparse.ArgumentTypeError(f"not a UDP port: {text!r}")


def _interface(text: str) -> ipaddress.IPv4Interface:
    try:
        return ipaddress.IPv4Interface(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _refuse(message: str) -> int:
    print(f"mqsample: {message}", file=sys.stderr)
    return USAGE
