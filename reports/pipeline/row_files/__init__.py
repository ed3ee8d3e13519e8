"""Files of rows, Parquet, CSV and JSON Lines: divided among tasks, and read with what cannot be read put aside."""
