"""What this machine has, and whether an implementation can be judged at all."""
