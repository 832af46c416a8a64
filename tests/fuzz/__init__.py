"""The command against random lines, damaged files, faulty streams, signals and little memory.

``lines`` and ``files`` make cases, ``trial`` runs one in this process and says what is wrong.
``processes`` tries what only a process of its own can meet. ``workers`` runs as many as fit into
the time. What was wrong once stays as a file of ``cases``.
"""
