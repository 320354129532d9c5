"""What happens when nobody waits: the call is over, or a person tidies up."""

from __future__ import annotations
