"""What a person waits for: reads memory that is already here, hands over what was said.

Nothing in this package may reach a store, a file, a thread, a socket or a model.
"""

from __future__ import annotations
