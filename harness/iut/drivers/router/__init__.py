"""Role ``router``, as scenarios and tables ask it."""
