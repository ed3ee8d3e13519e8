"""One way of reaching an implementation in each folder."""
