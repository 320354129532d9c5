"""Which models a bot speaks with, by name; nothing here loads anything."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_STT = "whisper-tiny.en"
DEFAULT_TTS = "piper-en-us-joe-medium"
DEFAULT_LLM = "qwen2.5-coder-0.5b"
DEFAULT_EMBEDDER = "minilm-l6-v2-int8"
DEFAULT_MODELS = (DEFAULT_STT, DEFAULT_TTS, DEFAULT_LLM, DEFAULT_EMBEDDER)


@dataclass(frozen=True, slots=True)
class PartNames:
    """Which models a bot speaks with: names from the manifest, paths, or an address."""

    stt: str = DEFAULT_STT
    tts: str = DEFAULT_TTS
    llm: str = DEFAULT_LLM
    """A manifest name, a GGUF file, or the http(s) address of an OpenAI-compatible server."""
    llm_model: str | None = None
    """The model's name at that address; None takes the first it lists."""
    llm_api_key: str | None = None
    llm_primes: bool = False
    """Prompts are sent to that address before they are needed, which somebody may bill."""
    language: str = "en"

    @property
    def llm_is_address(self) -> bool:
        """The user has a language model of their own."""
        return self.llm.startswith(("http://", "https://"))

    def to_fetch(self) -> tuple[str, ...]:
        """Names that have to be on this machine before the bot can speak."""
        local_llm = () if self.llm_is_address else (self.llm,)
        return (self.stt, self.tts, *local_llm, DEFAULT_EMBEDDER)

    def __repr__(self) -> str:
        return f"PartNames(stt={self.stt!r}, tts={self.tts!r}, llm={self.llm!r})"  # never the key
