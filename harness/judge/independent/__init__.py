"""Oracles written from the specification alone and not from the reference: routing, and the messages of MS-MQSD."""
