"""Wrappers around message brokers, which speak the IUT protocol as queue managers."""

VERSION = "0.1.0"
