"""A small MS-MQSD discovery server, to be judged over stdin and stdout. It has two faults; README.md finds them."""

import json
import sys
import uuid

REQUEST, REPLY = 1, 2


def guid(text):
    """Octets of a GUID as they travel: the first three groups low octet first."""
    return uuid.UUID(text).bytes_le


def number(value):
    """Octets of a 32-bit number as it travels."""
    return value.to_bytes(4, "big")


class Server:
    """What a discovery server knows and does (MS-MQSD 3.2)."""

    def __init__(self):
        self.site = b""
        self.networks = []
        self.servers = []

    def configure(self, site, connected_networks, directory_servers, **_):
        """Take over a configuration."""
        self.site = guid(site)
        self.networks = [guid(one) for one in connected_networks]
        self.servers = [f"{one['ip']:d}{one['ipx']:d}{one['name']}" for one in directory_servers]
        return {}

    def receive(self, network, datagram):
        """Return the replies to a datagram; whatever is no request gets none."""
        octets = bytes.fromhex(datagram)
        if len(octets) < 52 or octets[1] != REQUEST or not 1 <= len(self.networks) <= 32:
            return {"replies": []}
        return {"replies": [self.reply(network, octets).hex()]}

    def reply(self, network, request):
        """Return the reply to a request (2.2.3)."""
        count = len(self.networks)
        mask = (1 << count) - 1 if network == "ipx" else 0
        servers = b"" if request[36:52] == self.site else self.server_list()
        fixed = bytes([0, REPLY, 0, 0]) + request[20:36] + number(count) + number(mask) + number(len(servers))
        return fixed + b"".join(self.networks) + (self.site + servers if servers else b"")

    def server_list(self):
        """Return the directory servers, each with the flags for IP and IPX, as 2.2.3 writes them."""
        if not self.servers:
            return b""
        names = ",".join(self.servers)
        return names.encode("utf-16-le", "surrogatepass")  # a name may be any characters


def answer(server, method, params):
    """Perform one operation of the IUT protocol; None for one that is not offered."""
    match method:
        case "initialize":
            who = {"protocol": 1, "name": "sample server", "version": "1"}
            return who | {"roles": ["discovery_server"], "capabilities": ["ipx"]}
        case "reset":
            server.__init__()
            return {}
        case "shutdown":
            return {}
        case "discovery_server.configure":
            return server.configure(**params)
        case "discovery_server.receive":
            return server.receive(**params)
    return None


def main():
    """Answer line by line until told to stop."""
    server = Server()
    for line in sys.stdin:
        request = json.loads(line)
        result = answer(server, request["method"], request["params"])
        outcome = {"error": {"code": -32601, "message": "not offered"}} if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}), flush=True)
        if request["method"] == "shutdown":
            return


main()
