"""The model beside the calls: a local one can be held, one at an address cannot."""

from __future__ import annotations

import pytest

from ringback.model_ports import hold_of
from ringback_pipelines.language_model import open_reader
from ringback_pipelines.part_names import PartNames
from ringback_voice.process_hold import CAN_HOLD
from tests.made import llm_server

pytestmark = pytest.mark.server

ANY_SHAPE = {"type": "object"}


async def test_a_model_at_an_address_cannot_be_held():
    with llm_server(answer="yes") as address:
        async with open_reader(PartNames(llm=address)) as reader:
            assert hold_of(reader) is None


@pytest.mark.skipif(not CAN_HOLD, reason="servers are held on Linux only")
async def test_a_local_model_has_a_server_that_can_be_held(models):
    async with open_reader(PartNames()) as reader:
        said = await reader.fill("Say yes.", "Yes?", shape=ANY_SHAPE, max_tokens=8)

        assert said.completion_tokens
        assert hold_of(reader) is not None
