"""Discovery clients against discovery servers: real UDP on networks of their own, judged from the capture."""
