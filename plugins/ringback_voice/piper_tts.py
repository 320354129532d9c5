"""Text to speech with Piper, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ringback import UsageError

if TYPE_CHECKING:
    from pipecat.services.piper.tts import PiperTTSService


def piper_tts(voice: Path) -> PiperTTSService:
    """Make Pipecat's in-process Piper service speak with a voice that is already here.

    Args:
        voice: The voice's `.onnx` file; its `.onnx.json` lies beside it.

    Raises:
        UsageError: The engine is not installed (GPL-3, so an extra of its own), or the
            voice is not there.
    """
    try:
        from pipecat.services.piper.tts import PiperTTSService
    except ImportError as error:
        raise UsageError("no speech synthesis here: pip install 'ringback[piper]'") from error
    for part in (voice, voice.with_suffix(".onnx.json")):
        if not part.is_file():
            raise UsageError(f"no Piper voice at {part}")
    return PiperTTSService(
        download_dir=voice.parent, settings=PiperTTSService.Settings(voice=voice.stem)
    )
