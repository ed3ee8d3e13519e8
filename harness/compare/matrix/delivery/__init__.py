"""Ordered senders against ordered receivers, through the network that fails (exactly-once delivery)."""
