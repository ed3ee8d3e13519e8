"""One queue manager for several cases at the same time: names of their own, turns, and recordings of what was said."""
