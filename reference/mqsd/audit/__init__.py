"""Audits of captured packets and conversations: rules that refer to the model of the messages and define none."""
