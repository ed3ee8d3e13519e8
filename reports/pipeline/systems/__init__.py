"""``audit deliveries --system``: histories of whole systems of queue managers, held to what these promise together."""
