"""The options that choose a bot's models, the same for every command that runs one."""

from __future__ import annotations

import argparse
import os

from ringback_models import TqdmReporter, missing, plans_line, resolve
from ringback_pipelines.part_names import DEFAULT_LLM, DEFAULT_STT, DEFAULT_TTS, PartNames


def add_part_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --llm, --llm-model, --llm-prime, --stt, --tts and --language."""
    parts = parser.add_argument_group("models")
    parts.add_argument(
        "--llm",
        default=os.environ.get("RINGBACK_LLM", DEFAULT_LLM),
        metavar="NAME|FILE|URL",
        help="language model: a name from `ringback models`, a GGUF file, or the address of an "
        "OpenAI-compatible server such as Ollama's http://localhost:11434/v1",
    )
    parts.add_argument(
        "--llm-model",
        default=os.environ.get("RINGBACK_LLM_MODEL"),
        metavar="MODEL",
        help="the model to use at that address; without it, the first one listed there",
    )
    parts.add_argument(
        "--llm-prime",
        action="store_true",
        help="send prompts to that address before they are needed: its prompt cache then has "
        "them, and they are billed where prompts are; a local model is primed anyway",
    )
    parts.add_argument("--stt", default=DEFAULT_STT, metavar="NAME|FOLDER", help="Whisper model")
    parts.add_argument("--tts", default=DEFAULT_TTS, metavar="NAME|FILE", help="Piper voice")
    parts.add_argument("--language", default="en", help="what is spoken in the call")


def part_names(arguments: argparse.Namespace) -> PartNames:
    """Read the options back; the key for an address comes from the environment only."""
    return PartNames(
        stt=arguments.stt,
        tts=arguments.tts,
        llm=arguments.llm,
        llm_model=arguments.llm_model,
        llm_api_key=os.environ.get("RINGBACK_LLM_API_KEY"),
        llm_primes=arguments.llm_prime,
        language=arguments.language,
    )


def fetch_missing(names: PartNames) -> None:
    """Say what is missing and fetch it with progress; nothing is said when all is here.

    Raises:
        ModelError: Something cannot be had.
    """
    _fetch(names.to_fetch())


def fetch_llm(names: PartNames) -> None:
    """The same for the language model alone; an address needs nothing.

    Raises:
        ModelError: It cannot be had.
    """
    _fetch(() if names.llm_is_address else (names.llm,))


def _fetch(wanted: tuple[str, ...]) -> None:
    plans = missing(wanted)
    if plans:
        listed = ", ".join(plan.model.name for plan in plans)
        print(f"Fetching models: {listed}: {plans_line(plans)}", flush=True)
    for name in wanted:
        resolve(name, reporter=TqdmReporter())
