"""A recorded call on disk: its sound, who spoke when, and what was really said.

The format is for people to write by hand; `docs/call-folders.md` describes it. Whatever
is wrong with a folder is one `RecordingError` that names the file, and the line or key.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar, get_args
from zoneinfo import ZoneInfo

from ringback.errors import RecordingError
from ringback_voice.audio_file import Audio, AudioInfo, Int16Array, probe_audio, read_audio

Role: TypeAlias = Literal["caller", "agent", "other"]
HangUp: TypeAlias = Literal["after-reply", "mid-sentence"]
JsonObject: TypeAlias = dict[str, Any]
Choice = TypeVar("Choice", bound=str)

CALL_FILE = "call.toml"
TURNS_FILE = "turns.jsonl"
FACTS_FILE = "facts.jsonl"
RECALLS_FILE = "recalls.jsonl"
ROLES: tuple[Role, ...] = get_args(Role)
HANG_UPS: tuple[HangUp, ...] = get_args(HangUp)
LEAD_MS = 120  # sound kept before a turn, so that a soft onset is not clipped
PAST_END_MS = 50  # how far a turn may end past the sound: a labeller's rounding


@dataclass(frozen=True, slots=True)
class RecordedSpeaker:
    """Somebody who is heard in a call."""

    id: str
    role: Role
    name: str = ""
    voice: str = ""
    """How the voice came about: a person, or which synthesizer."""
    consent: str = ""
    """What the speaker agreed to, or under which licence the voice was published."""
    phone: str = ""
    """The number that a replay rings with; empty: withheld."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """What one speaker said in one go, as it was really said."""

    position: int
    role: Role
    speaker: str
    """A `RecordedSpeaker.id`."""
    text: str
    started_ms: int
    """Where the first sound of the turn is, from the start of the file."""
    ended_ms: int
    """Where its last sound ends: what latency is measured from."""
    barge_in_ms: int | None = None
    """A replay starts this turn that long after the bot began to speak; None: after it."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class CallFolder:
    """A whole recorded call, without its samples; those are read when asked for."""

    name: str
    path: Path
    title: str
    language: str
    licence: str
    attribution: str
    audio: AudioInfo
    caller_channel: int
    speakers: tuple[RecordedSpeaker, ...]
    turns: tuple[RecordedTurn, ...]
    source: str = ""
    made: str = ""
    """How the recording came about, and who labelled it."""
    at: datetime | None = None
    """When the call was taken to begin, aware; None where it does not matter."""
    zone: str = "UTC"
    """The caller's time zone, an IANA name."""
    hang_up: HangUp = "after-reply"
    facts: tuple[JsonObject, ...] = ()
    recalls: tuple[JsonObject, ...] = ()

    @property
    def caller_turns(self) -> tuple[RecordedTurn, ...]:
        """The caller's turns, in order."""
        return tuple(turn for turn in self.turns if turn.role == "caller")

    def caller_audio(self, sample_rate_hz: int) -> Audio:
        """Decode the caller's channel alone.

        Returns:
            int16 [frames] at the rate asked for.

        Raises:
            RecordingError: The file cannot be read any more.
        """
        return read_audio(
            self.audio.path, channel=self.caller_channel, sample_rate_hz=sample_rate_hz
        )

    def turn_audio(self, audio: Audio, turn: RecordedTurn, *, lead_ms: int = LEAD_MS) -> Int16Array:
        """Cut one turn out of the caller's channel, as `turn_audio` of this module.

        The lead-in does not reach into the turn before, where that is heard on the same
        channel.
        """
        is_mixed = self.audio.channels == 1
        before = (
            other.ended_ms
            for other in self.turns
            if other.position < turn.position and (is_mixed or other.role != "agent")
        )
        return turn_audio(audio, turn, lead_ms=lead_ms, not_before_ms=max(before, default=0))


def turn_audio(
    audio: Audio, turn: RecordedTurn, *, lead_ms: int = LEAD_MS, not_before_ms: int = 0
) -> Int16Array:
    """Cut one turn out of a channel, with a short lead-in.

    Args:
        audio: One channel, int16 [frames].
        turn: What to cut; it ends at `ended_ms`, to the sample.
        lead_ms: Sound to keep before the turn.
        not_before_ms: Where the lead-in must stop, such as the end of the turn before.

    Returns:
        int16 [frames], a view on the samples given; clamped to the file.
    """
    start_ms = max(turn.started_ms - lead_ms, min(not_before_ms, turn.started_ms), 0)
    start, end = (ms * audio.sample_rate_hz // 1_000 for ms in (start_ms, turn.ended_ms))
    return audio.samples[start:end]


def load_call(path: str | Path) -> CallFolder:
    """Read a call folder and check that it can be replayed.

    Args:
        path: The folder, or the call.toml in it.

    Raises:
        RecordingError: Something is missing, malformed or contradicts itself. The message
            names the file, and the line or key.
    """
    path = Path(path)
    folder = path.parent if path.name == CALL_FILE else path
    table = _Table(folder / CALL_FILE, _toml(folder / CALL_FILE))
    sound, replay = table.table("audio"), table.table("replay")
    audio = probe_audio(folder / sound.text("file", is_required=True))
    speakers = tuple(_speakers(table))
    return CallFolder(
        name=folder.resolve().name,
        path=folder,
        title=table.text("title", is_required=True),
        language=table.text("language", is_required=True),
        licence=table.text("licence", is_required=True),
        attribution=table.text("attribution"),
        audio=audio,
        caller_channel=_caller_channel(sound, audio),
        speakers=speakers,
        turns=_turns(folder / TURNS_FILE, speakers, audio),
        source=table.text("source"),
        made=table.text("made"),
        at=_at(table),
        zone=_zone(table),
        hang_up=replay.choice("hang_up", HANG_UPS, "after-reply"),
        facts=tuple(line for _, line in _json_lines(folder / FACTS_FILE, is_optional=True)),
        recalls=tuple(line for _, line in _json_lines(folder / RECALLS_FILE, is_optional=True)),
    )


def save_call(call: CallFolder) -> None:
    """Write a call's call.toml and .jsonl files into its folder, which is made if need be.

    The audio file is not touched: put it there first. Files of the same names are
    replaced; an empty list of facts or recalls writes none.

    Raises:
        RecordingError: A file cannot be written.
    """
    lists: dict[str, tuple[JsonObject, ...]] = {
        TURNS_FILE: tuple(_turn_object(turn) for turn in call.turns),
        FACTS_FILE: call.facts,
        RECALLS_FILE: call.recalls,
    }
    try:
        call.path.mkdir(parents=True, exist_ok=True)
        (call.path / CALL_FILE).write_text(_call_toml(call), encoding="utf-8")
        for name, objects in lists.items():
            if objects:
                lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in objects)
                (call.path / name).write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{call.path}: cannot be written: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class _Table:
    """Keys of one TOML table or JSON object, each checked as it is read."""

    where: Path | str
    values: Mapping[str, Any]

    def text(self, key: str, *, is_required: bool = False) -> str:
        value = self.values.get(key, "")
        if not isinstance(value, str):
            raise RecordingError(f"{self.where}: {key} is not text")
        if is_required and not value.strip():
            raise RecordingError(f"{self.where}: {key} is missing")
        return value

    def whole(self, key: str) -> int | None:
        value = self.values.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise RecordingError(f"{self.where}: {key} is not a whole number")
        return value

    def milliseconds(self, key: str) -> int:
        value = self.whole(key)
        if value is None:
            raise RecordingError(f"{self.where}: {key} is missing")
        if value < 0:
            raise RecordingError(f"{self.where}: {key} is {value}, before the start")
        return value

    def choice(
        self, key: str, choices: tuple[Choice, ...], default: Choice | None = None
    ) -> Choice:
        value = self.values.get(key, default)
        for choice in choices:
            if value == choice:
                return choice
        raise RecordingError(f"{self.where}: {key} must be one of {', '.join(choices)}")

    def table(self, key: str) -> _Table:
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise RecordingError(f"{self.where}: [{key}] is not a table")
        return _Table(f"{self.where}: [{key}]", value)

    def tables(self, key: str) -> Iterator[_Table]:
        values = self.values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise RecordingError(f"{self.where}: [[{key}]] is not a list of tables")
        for number, value in enumerate(values, 1):
            yield _Table(f"{self.where}: [[{key}]] {number}", value)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors write a mark first
    except (FileNotFoundError, NotADirectoryError):
        raise RecordingError(f"{path}: no such file; a call folder has one") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise RecordingError(f"{path}: not UTF-8 text") from None


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise RecordingError(f"{path}: not TOML: {error}") from error


def _json_lines(path: Path, *, is_optional: bool = False) -> Iterator[tuple[str, JsonObject]]:
    """Yield (file:line, object) of each line that is not blank."""
    if is_optional and not path.exists():
        return
    lines = _text(path).split("\n")  # not splitlines: a string may hold other line ends
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "a number too long"
            raise RecordingError(f"{path}:{number}: not JSON: {reason}") from None
        if not isinstance(value, dict):
            raise RecordingError(f"{path}:{number}: not a JSON object")
        yield f"{path}:{number}", value


def _speakers(table: _Table) -> Iterator[RecordedSpeaker]:
    seen: set[str] = set()
    for entry in table.tables("speaker"):
        speaker_id = entry.text("id", is_required=True)
        if speaker_id in seen:
            raise RecordingError(f"{entry.where}: id {speaker_id!r} is there twice")
        seen.add(speaker_id)
        yield RecordedSpeaker(
            id=speaker_id,
            role=entry.choice("role", ROLES),
            name=entry.text("name"),
            voice=entry.text("voice"),
            consent=entry.text("consent"),
            phone=entry.text("phone"),
        )


def _caller_channel(sound: _Table, audio: AudioInfo) -> int:
    channel = sound.whole("caller_channel")
    if channel is None:
        if audio.channels > 1:
            raise RecordingError(
                f"{sound.where}: caller_channel is missing; {audio.path.name} has"
                f" {audio.channels} channels"
            )
        return 0
    if not 0 <= channel < audio.channels:
        raise RecordingError(
            f"{sound.where}: caller_channel is {channel}; {audio.path.name} has"
            f" {audio.channels}, counted from 0"
        )
    return channel


def _at(table: _Table) -> datetime | None:
    value = table.values.get("at")
    if value is None:
        return None
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise RecordingError(f"{table.where}: at is not a date and time with an offset")
    return value


def _zone(table: _Table) -> str:
    name = table.text("zone") or "UTC"
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise RecordingError(f"{table.where}: zone is no time zone: {name[:40]!r}") from None
    return name


def _turns(
    path: Path, speakers: tuple[RecordedSpeaker, ...], audio: AudioInfo
) -> tuple[RecordedTurn, ...]:
    turns: list[RecordedTurn] = []
    caller_ended_ms = 0
    for where, values in _json_lines(path):
        turn = _turn(_Table(where, values), speakers)
        _check_order(where, turn, turns)
        if turn.ended_ms > audio.duration_ms + PAST_END_MS:
            raise RecordingError(
                f"{where}: ended_ms is {turn.ended_ms}; {audio.path.name} ends at"
                f" {audio.duration_ms}"
            )
        if turn.role == "caller":
            if turn.started_ms < caller_ended_ms:
                raise RecordingError(f"{where}: overlaps the caller's turn before it")
            caller_ended_ms = turn.ended_ms
        turns.append(turn)
    if not any(turn.role == "caller" for turn in turns):
        raise RecordingError(f"{path}: no turn of the caller")
    return tuple(turns)


def _turn(entry: _Table, speakers: tuple[RecordedSpeaker, ...]) -> RecordedTurn:
    position = entry.whole("position")
    role: Role = entry.choice("role", ROLES)
    speaker = entry.text("speaker", is_required=True)
    roles = {known.id: known.role for known in speakers}
    if speaker not in roles:
        raise RecordingError(f"{entry.where}: no [[speaker]] {speaker!r} in {CALL_FILE}")
    if roles[speaker] != role:
        raise RecordingError(f"{entry.where}: role is {role}, but {speaker!r} is {roles[speaker]}")
    if "text" not in entry.values:
        raise RecordingError(f"{entry.where}: text is missing")
    return RecordedTurn(
        position=-1 if position is None else position,
        role=role,
        speaker=speaker,
        text=entry.text("text"),
        started_ms=entry.milliseconds("started_ms"),
        ended_ms=entry.milliseconds("ended_ms"),
        barge_in_ms=entry.milliseconds("barge_in_ms") if "barge_in_ms" in entry.values else None,
        note=entry.text("note"),
    )


def _check_order(where: str, turn: RecordedTurn, before: list[RecordedTurn]) -> None:
    if turn.position != len(before):
        raise RecordingError(f"{where}: position must be {len(before)}; turns count up from 0")
    if turn.ended_ms <= turn.started_ms:
        raise RecordingError(
            f"{where}: ended_ms is {turn.ended_ms}, not after started_ms {turn.started_ms}"
        )
    if before and turn.started_ms < before[-1].started_ms:
        raise RecordingError(f"{where}: starts before the turn above it")
    if turn.barge_in_ms is not None and turn.role != "caller":
        raise RecordingError(f"{where}: barge_in_ms is for the caller's turns")


def _turn_object(turn: RecordedTurn) -> JsonObject:
    optional: JsonObject = {"barge_in_ms": turn.barge_in_ms, "note": turn.note or None}
    return {
        "position": turn.position,
        "role": turn.role,
        "speaker": turn.speaker,
        "text": turn.text,
        "started_ms": turn.started_ms,
        "ended_ms": turn.ended_ms,
        **{key: value for key, value in optional.items() if value is not None},
    }


def _call_toml(call: CallFolder) -> str:
    keys = ("title", "language", "licence", "attribution", "source", "made")
    lines = _text_lines({key: getattr(call, key) for key in keys})
    if call.at is not None:
        lines.append(f"at = {call.at.isoformat()}")
    if call.zone != "UTC":
        lines += _text_lines({"zone": call.zone})
    file = call.audio.path
    name = file.relative_to(call.path) if file.is_relative_to(call.path) else file
    lines += ["", "[audio]", *_text_lines({"file": name.as_posix()})]
    lines.append(f"caller_channel = {call.caller_channel}")
    for speaker in call.speakers:
        fields = ("id", "role", "name", "voice", "consent", "phone")
        lines += ["", "[[speaker]]", *_text_lines({key: getattr(speaker, key) for key in fields})]
    lines += ["", "[replay]", *_text_lines({"hang_up": call.hang_up})]
    return "\n".join(lines) + "\n"


def _text_lines(values: Mapping[str, str]) -> list[str]:
    # A JSON string with no raw control character is a TOML basic string, but for DEL.
    quoted = {key: json.dumps(value, ensure_ascii=False) for key, value in values.items() if value}
    return [f"{key} = {value}".replace("\x7f", "\\u007f") for key, value in quoted.items()]
