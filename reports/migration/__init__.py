"""Which guarantees an application keeps on the way from one implementation to another (``mqconform migrate``)."""
