"""Exactly-once in-order delivery: both ends of a stream, transactional sends, and the check of a delivery log."""
