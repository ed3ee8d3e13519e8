"""What a failed case leaves behind, to look at it and to run it again."""
