"""The reference as a peer: a discovery client, a discovery server, every role over stdio."""
