"""The one check of histories, by what happened to messages alone: nothing here follows a model or imports its rules.

``queue_manager`` judges the calls of one queue manager, ``system`` the messages between several, ``streams`` the
numbers of exactly-once delivery. The rules of the last two judge logs of any length as well, those of ``streams``
compiled to arrays (``streams_compiled``).
"""
