"""An external memory service, mem0, as the long-term back-end; what it is sent leaves the store.

`Mem0` names the service; `Memory.open(…, service=…)` puts `Mem0Store` over the local store.
"""

from __future__ import annotations

from ringback.stores.mem0.client import Mem0Client
from ringback.stores.mem0.service import Mem0
from ringback.stores.mem0.store import Mem0Store

__all__ = ["Mem0", "Mem0Client", "Mem0Store"]
