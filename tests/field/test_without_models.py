"""No model here and no network: the call is answered, and memory looks by keys and words."""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import pytest
from pipecat.frames.frames import LLMFullResponseEndFrame

from ringback.schemas import GENERAL
from ringback_models import load_manifest
from ringback_models.cache import folder_of
from ringback_models.settings import ModelSettings
from ringback_pipecat import PipecatCall
from ringback_pipelines.part_names import DEFAULT_EMBEDDER
from ringback_pipelines.remembering import open_memory
from tests.adapters.voice_app import voice_app
from tests.field.made import HANDLES

pytestmark = pytest.mark.framework

TOLD = ("My account number is 4821.", "Behind the barn we planted seven cherry trees.")


def is_empty(folder: Path) -> None:
    """Nothing was ever fetched."""
    assert not folder.exists()


def is_damaged(folder: Path) -> None:
    """A download was cut short, or a disk has failed."""
    model = load_manifest().model(DEFAULT_EMBEDDER)
    target = folder_of(ModelSettings(folder), model)
    target.mkdir(parents=True)
    for file in model.files:
        (target / file.path).write_bytes(b"half a model")


@pytest.mark.parametrize("cache", [is_empty, is_damaged])
@pytest.mark.parametrize("sources", ["none", "hub", "registry"])
async def test_a_first_call_without_models_is_answered_at_once_and_remembered_by_words(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    cache,
    sources: str,
):
    def unreachable(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    cache(tmp_path / "models")
    monkeypatch.setenv("RINGBACK_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("RINGBACK_MODEL_SOURCES", sources)
    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    monkeypatch.setattr(socket.socket, "connect", unreachable)
    url = f"sqlite:///{tmp_path / 'm.db'}"
    with caplog.at_level(logging.WARNING):
        async with open_memory(url, schema=GENERAL) as memory:
            for lines in (TOLD, ("What is my account number?",)):
                call = PipecatCall(memory.ring(tenant="acme", handles=HANDLES))
                await call.call.briefed()
                async with voice_app(call, *["I see."] * len(lines)) as bot:
                    for count, line in enumerate(lines, start=1):
                        await bot.say(line)
                        await bot.passed(LLMFullResponseEndFrame, count)
                    await bot.worker.end()
                    await bot.over()
            (caller,) = await memory.keeping.callers("acme")
            recalled = await memory.profile("acme", caller.id).recall("cherry trees")

    (warning,) = [one for one in caplog.records if one.name.startswith("ringback")]
    assert "words alone" in warning.message
    assert "4821" in str(bot.llm.requests[0])
    assert TOLD[1] in recalled.found[0].text
    assert memory.health() == {}
