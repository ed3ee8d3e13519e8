"""Runs many wrong implementations through the suite, to see that it convicts each of what it does wrong."""
