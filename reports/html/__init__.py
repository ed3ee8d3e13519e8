"""The HTML report: a static site made of result files and of what lies beside them."""
