"""Two runs beside each other: what changed, and the one cause of each change."""
