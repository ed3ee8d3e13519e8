"""``history``: results of many runs, kept as Parquet, and what they show over time."""
