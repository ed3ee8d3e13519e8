"""What an implementation declares of itself, reviewed, probed, and counted by what is not judged for want of it."""
