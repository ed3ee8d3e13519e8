"""The reference as a peer: a discovery client, a discovery server, a queue manager, every role over stdio."""
