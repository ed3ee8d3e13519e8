"""What a failed case leaves behind so that anybody can see it and run it again."""
