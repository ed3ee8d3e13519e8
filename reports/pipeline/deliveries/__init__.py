"""``audit deliveries``: recorded delivery logs, held to exactly-once in-order delivery in bulk."""
