"""Enterprise files: reading and writing them, checking them, walking routes through them, drawing them."""
