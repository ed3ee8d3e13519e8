"""One run in several parts: shards, worker processes, and the merge that makes one result of them."""
