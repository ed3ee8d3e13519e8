"""A sender and a receiver with a faulty network between them, under a virtual clock, and the search for trouble."""
