"""The reference as a peer on real networks with the real clock."""
