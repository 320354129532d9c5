"""Memory in an existing Pipecat app, in at most six lines.

    from ringback_pipecat import open_call

    memory = await open_call("sqlite:///memory.db", tenant="acme", handles=[("phone", number)])
    context = memory.context()                      # instead of LLMContext()
    Pipeline([..., stt, memory.ears(), pair.user(), memory.processor(pair), llm, ...])

What callers said is kept when they hang up, by `End` or by `Cancel`; what is known about
them is laid over each request, and never written into the conversation's history.
"""

from __future__ import annotations

try:
    import pipecat  # noqa: F401 - told apart from our own errors
except ImportError as error:
    raise ImportError("ringback_pipecat needs Pipecat: pip install 'ringback[pipecat]'") from error

from ringback.core.fitting import WindowSettings
from ringback_pipecat.call import PipecatCall, open_call
from ringback_pipecat.context import MemoryContext
from ringback_pipecat.tools import memory_tools

__all__ = ["MemoryContext", "PipecatCall", "WindowSettings", "memory_tools", "open_call"]
