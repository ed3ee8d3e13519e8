"""Which readings explain what a client was seen to do, and why none does."""
