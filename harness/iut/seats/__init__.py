"""The built-in system of queue managers, in which an implementation of another role may take a seat."""
