"""The `ringback` command: its words, its options, and how errors leave it."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from ringback import RingbackError, UsageError
from ringback_models import ModelError

FAILED = 1  # something could not be done; one line on standard error says what
INTERRUPTED = 130  # as a shell reports Ctrl-C

DESCRIPTION = """\
Memory for voice agents, and a local voice pipeline to measure it on.

Start here:
  ringback doctor                       what is missing, and the one command that mends it
  ringback chat                         the memory path on text
  ringback replay recordings/CALL       play a recorded call against the local bot
  ringback talk                         talk to it on your microphone
  ringback import FILE                  make a call folder from your own recording
"""

ENVIRONMENT = """\
environment:
  RINGBACK_LLM            as --llm; with RINGBACK_LLM_MODEL and RINGBACK_LLM_API_KEY
  RINGBACK_MEMORY         as --memory: the file that remembers
  RINGBACK_MODELS_DIR     where models are kept
  RINGBACK_MODEL_SOURCES  where they may come from: hub, registry, or both in order
"""

# command → module that has `add_arguments(parser)` and `run(arguments) -> int`; loaded only
# when asked for, so that `doctor` works where nothing else is installed yet.
COMMANDS = {
    "replay": ("ringback_ops.replay_command", "play a recorded call against the local bot"),
    "talk": ("ringback_ops.talk_command", "talk to the local bot on this machine's microphone"),
    "chat": ("ringback_ops.chat_command", "a call on text: what is remembered of it, and why"),
    "calls": ("ringback_ops.calls_command", "the calls on record, and what was said in one"),
    "memory": (
        "ringback_ops.memory_command",
        "what is kept about a caller; put it right, forget it",
    ),
    "import": ("ringback_ops.import_command", "make a call folder from a recording"),
    "models": ("ringback_ops.models_command", "list, fetch and verify model files"),
    "doctor": ("ringback_ops.doctor_command", "say what is missing and how to mend it"),
}


class DefaultsFormatter(argparse.ArgumentDefaultsHelpFormatter):
    """Help that names each default, where there is one to name."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return super()._get_help_string(action) if action.default else action.help


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its status.

    Args:
        arguments: The command line without the program's name; None takes `sys.argv`.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Pipecat logs every sentence to the terminal unless told not to before it is imported.
    os.environ.setdefault("LOGURU_AUTOINIT", "False")
    try:
        status = _run(words)
    except (RingbackError, ModelError) as error:
        print(f"ringback: {error}", file=sys.stderr)
        status = FAILED
    except KeyboardInterrupt:
        print("\nringback: interrupted; run it again to go on", file=sys.stderr)
        status = INTERRUPTED
    except BrokenPipeError:  # `ringback … | head`
        sys.stderr.close()
        status = FAILED
    sys.exit(status)


def _run(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="ringback",
        description=DESCRIPTION,
        epilog=ENVIRONMENT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ringback {version('ringback')}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (module, summary) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=DefaultsFormatter,
        )
        if name == next((w for w in words if not w.startswith("-")), None):
            loaded = _load(module)
            loaded.add_arguments(command)
            command.set_defaults(run=loaded.run)
            words = loaded.prepared(words) if hasattr(loaded, "prepared") else words
    parsed = parser.parse_args(words)
    if parsed.command is None:
        parser.print_help()
        return 0
    status: int = parsed.run(parsed)
    return status


def _load(module: str):  # type: ignore[no-untyped-def]  # a module, by its two functions
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ringback"):
            raise  # a broken installation, not a missing extra
        raise UsageError(
            f"this command needs {error.name}: pip install 'ringback[local,piper]'"
        ) from error


def existing_path(text: str) -> Path:
    """Take a path from a command line; `~` is the user's home."""
    return Path(text).expanduser()
