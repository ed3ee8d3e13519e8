"""A second codec for MS-MQSD, on scapy, written from the specification alone and not from the reference.

Nothing here is imported at package level: scapy takes half a second to load.
"""
