"""Directories: how Active Directory is read, from an LDAP server or from a file that was exported."""
