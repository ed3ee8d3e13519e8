"""Discovery clients with the real clock: played all at once, judged afterwards."""
