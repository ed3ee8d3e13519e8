"""Audit of captures: packets and conversations of discovery judged in bulk (MS-MQSD)."""
