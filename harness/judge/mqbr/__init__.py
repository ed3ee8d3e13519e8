"""Judges of routers (MS-MQBR): the steps and the checks of one subject stand together.

===================== ================================================================================
next_hops             GetNextHops of clients, routers and site gates (3.1.5.1 to 3.1.5.3)
directory_lookups     the procedures that look things up (3.1.5.4 to 3.1.5.9)
routing_table         initialisation, and the rows of the table (3.1.1.2, 3.1.3.1)
refresh               the timer, and changes of the directory (3.1.2, 3.1.3, 3.1.6.1)
message_walks         messages that travel from queue manager to queue manager
generated_enterprises the search for enterprises in which an answer is wrong
===================== ================================================================================

The rest serves them: ``routing_scene`` drives the router together with the model, ``named_enterprise`` and
``enterprise_description`` hold what the directory does, and ``enterprise_shapes`` makes and shrinks what is generated.
"""

STEP_MODULES: tuple[str, ...] = (
    "mqconform.harness.judge.mqbr.enterprise_description",
    "mqconform.harness.judge.mqbr.next_hops",
    "mqconform.harness.judge.mqbr.routing_table",
    "mqconform.harness.judge.mqbr.refresh",
    "mqconform.harness.judge.mqbr.directory_lookups",
    "mqconform.harness.judge.mqbr.message_walks",
    "mqconform.harness.judge.mqbr.generated_enterprises",
)
"""The modules with step definitions, for pytest to load."""
