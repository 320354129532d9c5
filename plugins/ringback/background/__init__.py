"""What nobody waits for: preparing, writing, extracting, draining, while the call goes on."""

from __future__ import annotations
