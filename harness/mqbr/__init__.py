"""What the router features work with: enterprises described by name, their generation, and walks through them."""
