"""One run: session, pytest plugin, gate, shards, resume, bundles."""
