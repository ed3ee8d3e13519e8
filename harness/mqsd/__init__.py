"""What the harness knows of MS-MQSD: how to ask a server, with which requests and configurations."""
