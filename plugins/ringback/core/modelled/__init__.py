"""What a language model is asked about a call, and what is made of its answer.

`asking` puts turns into requests: a whole-picture pass and a detail pass. `answers` takes
whatever the model writes, broken as it may be, apart into items. `grounding` turns items
into candidates; what is not in the turn that it cites becomes none.
"""

from __future__ import annotations

from ringback.core.modelled.answers import Answer, read_answer
from ringback.core.modelled.asking import Pass, Request, halves, requests
from ringback.core.modelled.grounding import candidates

__all__ = ["Answer", "Pass", "Request", "candidates", "halves", "read_answer", "requests"]
