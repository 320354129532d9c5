"""Pipecat's Mem0 service is asked for where mem0 is; elsewhere it is said where to get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringback import UsageError
from ringback.inference import OnnxEmbedder
from ringback_pipelines.mem0_service import mem0_service
from ringback_voice.llm_endpoint import LlmEndpoint

pytestmark = pytest.mark.framework

NOBODY = LlmEndpoint("http://127.0.0.1:9/v1", "none")


async def test_without_mem0_the_command_that_installs_it_is_named(
    tmp_path: Path, embedding_folder: Path
):
    embedder = OnnxEmbedder(embedding_folder)
    try:
        with pytest.raises(UsageError, match="scripts/install mem0"):
            mem0_service(tmp_path, embedder, NOBODY, user_id="dana")
    finally:
        embedder.close()
