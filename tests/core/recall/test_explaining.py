"""Why something that was found is no part of the answer."""

from __future__ import annotations

import pytest

from ringback.core.recall.explaining import why_left_out
from ringback.core.recall.fusion import fused
from ringback.core.recall.narrowing import About
from ringback.core.recall.relevance import answering
from ringback.core.recall.sought import Sought
from ringback.recollection import Channel
from tests.core.recall.made_hits import asked, said

pytestmark = pytest.mark.unit


def test_where_nothing_of_a_conversation_answers_nothing_is_nearer():
    question = asked("What did Rosa say about the toll?")
    sought = Sought(question, question.text, About(), speakers=("Rosa",))
    found = fused({Channel.TURNS: [said("The lamp is green.", score=0.2)]}, question)

    kept = answering(found, sought, limit=5)

    assert why_left_out(found[0], kept, sought) == "too unlike the question"
