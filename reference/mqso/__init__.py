"""The queue manager of MS-MQSO as values: worlds, what may happen in them, and what may be answered."""
