"""What of a language model the bots are wired by."""

from __future__ import annotations

import pytest

from ringback_pipecat import WindowSettings
from ringback_pipelines.wiring import window_of
from ringback_voice.llm_endpoint import LlmEndpoint

pytestmark = pytest.mark.unit

ADDRESS = "http://127.0.0.1:9/v1"


def test_a_bot_reads_as_much_of_a_call_as_its_language_model_can():
    assert window_of(LlmEndpoint(ADDRESS, "m", context_tokens=4096)).context_tokens == 4096


def test_what_a_language_model_can_read_is_guessed_where_it_is_not_known():
    assert window_of(LlmEndpoint(ADDRESS, "m")) == WindowSettings()
