"""A bot's connection to its language model ends with its call."""

from __future__ import annotations

import pytest
from pipecat.processors.aggregators.llm_context import LLMContext

from ringback_voice.closing_llm import ClosingLLMService
from tests.made import llm_server

pytestmark = pytest.mark.framework


async def test_a_service_closes_its_client_with_its_pipeline():
    with llm_server(answer="Yes.") as address:
        service = ClosingLLMService(base_url=address, api_key="none")
        context = LLMContext([{"role": "user", "content": "Are you there?"}])
        assert await service.run_inference(context) is not None

        assert not service._client.is_closed()
        await service.cleanup()

    assert service._client.is_closed()
