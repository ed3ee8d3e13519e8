"""An enterprise as a picture: what is shown of it, where it stands, and how it looks."""
