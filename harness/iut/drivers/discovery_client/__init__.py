"""Drives discovery clients, with a virtual clock call by call or with the real one."""
