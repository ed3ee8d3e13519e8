"""Addresses as the socket module gives and takes them."""

from ipaddress import IPv4Address, IPv6Address, ip_address

Address = tuple[str, int] | tuple[str, int, int, int]
"""Host and port; with flow and scope for IPv6."""


def host_of(address: Address) -> IPv4Address | IPv6Address:
    """Return the address of a host, without port and scope."""
    return ip_address(address[0].partition("%")[0])


def text_of(address: Address) -> str:
    """Return ``host:port`` or ``[host]:port``."""
    host, port = address[0], address[1]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
