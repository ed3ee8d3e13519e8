"""The queue manager of MS-MQSO: `step(world, event)` gives every world that may follow, each with its answer.

Values, without rules: `elements` (messages, queues, handles), `events` (what happens, what is answered), `world` (one
queue manager), `system` (several, with the network between them), `directory_contact`, `routes`.

Rules of one queue manager, by subject: `sending`, `queues`, `receiving` (with cursors), `acknowledgments`, `timers`,
`transactions`, `lifecycle`, `domains`. Rules between several: `transfers`, `publishing`. A rule is a function whose
first argument is the set of all rules. It calls other rules through that set and never directly, so that a changed
rule is met everywhere; what begins with an underscore cannot be changed. No rule keeps a state.

The sets: `queue_manager` says which rule answers which call, `networked_queue_manager` what differs for one among
others, `network` joins several. `readings` has the choices that the register leaves, `faults` sets with a rule changed.

On the model: `explanation` judges histories, `exploration` goes through every state of a small system.
"""
