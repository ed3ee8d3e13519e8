"""Drives discovery clients and observes them: they are called in one way, by four clocks.

The virtual clock goes by the model, call by call (``called``). With the real one a client takes orders
(``CalledClient`` in ``calls``), is a program of an adapter, or is carried over networks (``ClientOnNetworks``);
``recordings`` plays whole scripts to many of them at once. What is seen becomes ``observations``, which
``harness/judge/mqsd_client`` judges.
"""
