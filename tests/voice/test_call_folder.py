"""Call folders: what loads, what each mistake says, and that saving loses nothing."""

from __future__ import annotations

import dataclasses
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from ringback import RecordingError
from ringback_voice.audio_file import Audio, AudioInfo, write_wav
from ringback_voice.call_folder import (
    CallFolder,
    RecordedSpeaker,
    RecordedTurn,
    load_call,
    save_call,
    turn_audio,
)

pytestmark = pytest.mark.unit

RATE_HZ = 8_000
CALL_TOML = """\
title = "A call"
language = "en"
licence = "CC0-1.0"

[audio]
file = "audio.wav"
caller_channel = 0

[[speaker]]
id = "dana"
role = "caller"
name = "Dana Whitfield"

[[speaker]]
id = "desk"
role = "agent"

[[speaker]]
id = "tom"
role = "other"
"""


def turn(position: int, role: str, speaker: str, started_ms: int, ended_ms: int, **more) -> dict:
    times = {"started_ms": started_ms, "ended_ms": ended_ms}
    return {"position": position, "role": role, "speaker": speaker, "text": "hi", **times, **more}


TURNS = [
    turn(0, "caller", "dana", 500, 1_500),
    turn(1, "agent", "desk", 1_400, 2_950),
    turn(2, "caller", "dana", 3_000, 4_000, barge_in_ms=900, note="in a hurry"),
]


def jsonl(objects: list[dict]) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def write_call(folder: Path, *, channels: int = 1) -> Path:
    """A whole call of five seconds, each sample the number of its millisecond."""
    ramp = np.repeat(np.arange(5_000, dtype=np.int16), RATE_HZ // 1_000)
    folder.mkdir(parents=True)
    sides = [ramp, -ramp][:channels]
    write_wav(folder / "audio.wav", np.stack(sides, axis=1), RATE_HZ)
    (folder / "call.toml").write_text(CALL_TOML)
    (folder / "turns.jsonl").write_text(jsonl(TURNS))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_call(tmp_path / "a-call")


def refusal(path: Path) -> str:
    with pytest.raises(RecordingError) as error:
        load_call(path)
    message = str(error.value)
    assert "\n" not in message
    return message


def test_a_call_is_loaded_with_all_that_its_files_say(folder):
    call = load_call(folder)

    assert call == CallFolder(
        name="a-call",
        path=folder,
        title="A call",
        language="en",
        licence="CC0-1.0",
        attribution="",
        audio=AudioInfo(folder / "audio.wav", RATE_HZ, 1, 5_000),
        caller_channel=0,
        speakers=(
            RecordedSpeaker("dana", "caller", "Dana Whitfield"),
            RecordedSpeaker("desk", "agent"),
            RecordedSpeaker("tom", "other"),
        ),
        turns=(
            RecordedTurn(0, "caller", "dana", "hi", 500, 1_500),
            RecordedTurn(1, "agent", "desk", "hi", 1_400, 2_950),
            RecordedTurn(2, "caller", "dana", "hi", 3_000, 4_000, 900, "in a hurry"),
        ),
    )


def test_a_call_is_found_by_its_toml_too(folder):
    assert load_call(folder / "call.toml") == load_call(str(folder))


def test_the_callers_turns_are_those_of_the_caller(folder):
    assert [each.position for each in load_call(folder).caller_turns] == [0, 2]


def test_the_callers_audio_is_the_callers_channel_alone(tmp_path):
    folder = write_call(tmp_path / "stereo", channels=2)
    (folder / "call.toml").write_text(CALL_TOML.replace("channel = 0", "channel = 1"))

    audio = load_call(folder).caller_audio(16_000)

    assert audio.sample_rate_hz == 16_000
    assert audio.samples.shape == (80_000,)
    assert audio.samples[40_000] == pytest.approx(-2_500, abs=2)


def test_a_turn_is_cut_with_its_lead_in_and_ends_where_it_ends(folder):
    call = load_call(folder)

    samples = call.turn_audio(call.caller_audio(RATE_HZ), call.turns[0])

    assert (samples[0], samples[-1]) == (380, 1_499)


def test_the_lead_in_does_not_reach_into_the_turn_before_on_the_same_channel(folder):
    call = load_call(folder)

    samples = call.turn_audio(call.caller_audio(RATE_HZ), call.turns[2])

    assert samples[0] == 2_950


def test_an_agent_on_another_channel_does_not_shorten_the_lead_in(tmp_path):
    call = load_call(write_call(tmp_path / "stereo", channels=2))

    samples = call.turn_audio(call.caller_audio(RATE_HZ), call.turns[2])

    assert samples[0] == 2_880


def test_a_turn_that_begins_over_the_one_before_loses_only_its_lead_in():
    audio = Audio(np.arange(2_000, dtype=np.int16), 1_000)
    over = RecordedTurn(1, "caller", "dana", "", 1_000, 1_500)

    samples = turn_audio(audio, over, not_before_ms=1_300)

    assert (samples[0], samples[-1]) == (1_000, 1_499)


@pytest.mark.parametrize(("started_ms", "ended_ms"), [(50, 200), (1_900, 2_040)])
def test_a_turn_at_the_edge_of_the_file_is_clamped_to_it(started_ms, ended_ms):
    audio = Audio(np.arange(2_000, dtype=np.int16), 1_000)
    edge = RecordedTurn(0, "caller", "dana", "", started_ms, ended_ms)

    samples = turn_audio(audio, edge)

    assert (samples[0], samples[-1]) == (max(started_ms - 120, 0), min(ended_ms, 2_000) - 1)


def test_what_a_later_release_expects_of_memory_is_kept(folder):
    (folder / "facts.jsonl").write_text('{"attribute": "account"}\n\n{"attribute": "name"}\n')
    (folder / "recalls.jsonl").write_text('{"position": 2}\n')

    call = load_call(folder)

    assert call.facts == ({"attribute": "account"}, {"attribute": "name"})
    assert call.recalls == ({"position": 2},)


def test_a_mark_that_some_editors_write_first_is_no_mistake(folder):
    for name in ("call.toml", "turns.jsonl"):
        text = (folder / name).read_text()
        (folder / name).write_text("\ufeff" + text.replace("\n", "\r\n"), newline="")

    assert load_call(folder).title == "A call"


def test_saving_and_loading_gives_the_same_call(folder):
    call = dataclasses.replace(
        load_call(folder),
        title='Quotes " and \\ and \x7f and umlauts: Grüße',
        attribution="Somebody",
        made="by\thand",
        at=datetime(2026, 3, 5, 20, 15, tzinfo=UTC),
        hang_up="mid-sentence",
        facts=({"attribute": "account", "value": "4821"},),
        recalls=({"position": 2},),
    )

    save_call(call)

    assert load_call(folder) == call


def test_words_with_odd_line_ends_survive(folder):
    call = load_call(folder)
    odd = dataclasses.replace(call.turns[0], text="one\u2028two\x85three\nfour")
    call = dataclasses.replace(call, turns=(odd, *call.turns[1:]))

    save_call(call)

    assert load_call(folder).turns[0].text == "one\u2028two\x85three\nfour"


def test_a_folder_that_cannot_be_written_is_named(folder):
    call = dataclasses.replace(load_call(folder), path=folder / "audio.wav")

    with pytest.raises(RecordingError, match=r"audio\.wav: cannot be written"):
        save_call(call)


@pytest.mark.parametrize("name", ["call.toml", "turns.jsonl", "audio.wav"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()

    assert f"{folder / name}: no such file" in refusal(folder)


def test_a_missing_folder_and_a_file_in_its_place_are_named(tmp_path):
    (tmp_path / "file").touch()

    assert "call.toml: no such file" in refusal(tmp_path / "missing")
    assert "call.toml: no such file" in refusal(tmp_path / "file")


def test_a_folder_in_place_of_a_file_is_named(folder):
    (folder / "turns.jsonl").unlink()
    (folder / "turns.jsonl").mkdir()

    assert "turns.jsonl: cannot be read" in refusal(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "A call"', "title = A call", "call.toml: not TOML: Invalid value (at line 1"),
        ('title = "A call"', "title = 1", "call.toml: title is not text"),
        ('title = "A call"', 'title = " "', "call.toml: title is missing"),
        ('language = "en"', "", "call.toml: language is missing"),
        ('licence = "CC0-1.0"', "", "call.toml: licence is missing"),
        ('file = "audio.wav"', "", "call.toml: [audio]: file is missing"),
        ("caller_channel = 0", 'caller_channel = "0"', "caller_channel is not a whole number"),
        ("caller_channel = 0", "caller_channel = true", "caller_channel is not a whole number"),
        ("caller_channel = 0", "caller_channel = 1", "[audio]: caller_channel is 1; audio.wav has"),
        ('role = "caller"', 'role = "boss"', "[[speaker]] 1: role must be one of caller, agent"),
        ('role = "caller"', "role = 1", "[[speaker]] 1: role must be one of"),
        ('id = "desk"', "", "call.toml: [[speaker]] 2: id is missing"),
        ('id = "desk"', 'id = "dana"', "[[speaker]] 2: id 'dana' is there twice"),
        ("[[speaker]]", "[[voices]]", "turns.jsonl:1: no [[speaker]] 'dana' in call.toml"),
        ('language = "en"', 'language = "en"\nat = 2026-03-05T20:15:00', "at is not a date and"),
        ('language = "en"', 'language = "en"\nat = "today"', "at is not a date and time"),
        ('language = "en"', 'language = "en"\nreplay = 3', "call.toml: [replay] is not a table"),
        ("[audio]", '[replay]\nhang_up = "late"\n[audio]', "[replay]: hang_up must be one of"),
    ],
)
def test_a_mistake_in_the_toml_names_its_key(folder, old, new, message):
    (folder / "call.toml").write_text(CALL_TOML.replace(old, new))

    assert message in refusal(folder)


def test_speakers_that_are_no_list_of_tables_are_refused(folder):
    without = CALL_TOML[: CALL_TOML.index("[[speaker]]")]
    (folder / "call.toml").write_text('speaker = ["dana"]\n' + without)

    assert "[[speaker]] is not a list of tables" in refusal(folder)


def test_a_call_with_two_channels_must_say_which_is_the_callers(tmp_path):
    folder = write_call(tmp_path / "stereo", channels=2)
    (folder / "call.toml").write_text(CALL_TOML.replace("caller_channel = 0", ""))

    assert "caller_channel is missing; audio.wav has 2 channels" in refusal(folder)


def test_a_call_with_one_channel_need_not_say_which_is_the_callers(folder):
    (folder / "call.toml").write_text(CALL_TOML.replace("caller_channel = 0", ""))

    assert load_call(folder).caller_channel == 0


@pytest.mark.parametrize(
    ("line", "changes", "message"),
    [
        (1, {"position": 5}, "turns.jsonl:2: position must be 1"),
        (1, {"position": None}, "turns.jsonl:2: position must be 1"),
        (0, {"role": "boss"}, "turns.jsonl:1: role must be one of caller, agent, other"),
        (0, {"role": "agent"}, "turns.jsonl:1: role is agent, but 'dana' is caller"),
        (0, {"speaker": "bob"}, "turns.jsonl:1: no [[speaker]] 'bob' in call.toml"),
        (0, {"speaker": None}, "turns.jsonl:1: speaker is not text"),
        (0, {"text": 3}, "turns.jsonl:1: text is not text"),
        (0, {"started_ms": -1}, "turns.jsonl:1: started_ms is -1, before the start"),
        (0, {"started_ms": 1.5}, "turns.jsonl:1: started_ms is not a whole number"),
        (0, {"started_ms": None}, "turns.jsonl:1: started_ms is missing"),
        (0, {"ended_ms": 500}, "turns.jsonl:1: ended_ms is 500, not after started_ms 500"),
        (1, {"started_ms": 400}, "turns.jsonl:2: starts before the turn above it"),
        (2, {"ended_ms": 5_051}, "turns.jsonl:3: ended_ms is 5051; audio.wav ends at 5000"),
        (0, {"ended_ms": 3_001}, "turns.jsonl:3: overlaps the caller's turn before it"),
        (1, {"barge_in_ms": 5}, "turns.jsonl:2: barge_in_ms is for the caller's turns"),
        (2, {"barge_in_ms": -5}, "turns.jsonl:3: barge_in_ms is -5, before the start"),
        (2, {"note": 5}, "turns.jsonl:3: note is not text"),
    ],
)
def test_a_mistake_in_a_turn_names_its_line(folder, line, changes, message):
    turns = [dict(each) for each in TURNS]
    turns[line].update(changes)
    (folder / "turns.jsonl").write_text(jsonl(turns))

    assert message in refusal(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"position": 0', "turns.jsonl:1: not JSON: Expecting"),
        (b"\n[1, 2]\n", "turns.jsonl:2: not a JSON object"),
        (b'{"position": ' + b"9" * 5_000 + b"}", "turns.jsonl:1: not JSON: a number too long"),
        (b'{"text": "\xff"}', "turns.jsonl: not UTF-8 text"),
        (b'{"position": 0, "role": "caller", "speaker": "dana"}', "turns.jsonl:1: text is missing"),
        (b"", "turns.jsonl: no turn of the caller"),
        (jsonl(TURNS[1:2]).replace(": 1,", ": 0,", 1).encode(), "no turn of the caller"),
    ],
)
def test_lines_that_are_no_turns_are_refused(folder, content, message):
    (folder / "turns.jsonl").write_bytes(content)

    assert message in refusal(folder)


def test_the_words_of_a_broken_line_are_not_in_the_message(folder):
    (folder / "turns.jsonl").write_text('{"text": "my card is 4111"')

    assert "4111" not in refusal(folder)


def test_facts_that_are_no_json_are_refused(folder):
    (folder / "facts.jsonl").write_text("account: 4821\n")

    assert "facts.jsonl:1: not JSON" in refusal(folder)


def test_sound_that_cannot_be_read_is_refused(folder):
    (folder / "audio.wav").write_text("hello, this is not audio\n" * 50)

    assert "audio.wav: not audio" in refusal(folder)


def test_the_example_in_the_documentation_loads(folder):
    page = Path("docs/call-folders.md").read_text()
    blocks = dict(re.findall(r"```(toml|json)\n(.*?)```", page, re.DOTALL))
    (folder / "call.toml").write_text(blocks["toml"])
    (folder / "turns.jsonl").write_text(blocks["json"])
    write_wav(folder / "audio.wav", np.zeros(10 * RATE_HZ, np.int16), RATE_HZ)

    call = load_call(folder)

    assert [each.barge_in_ms for each in call.turns] == [None, None, 900]
    assert call.at == datetime(2026, 3, 5, 20, 15, tzinfo=UTC)
    assert call.speakers[0].consent == "signed, for tests and publication"


def test_the_documentation_names_every_key():
    page = Path("docs/call-folders.md").read_text()
    records = (RecordedSpeaker, RecordedTurn)
    keys = {each.name for record in records for each in dataclasses.fields(record)}

    assert not {key for key in keys if not re.search(rf"\b{key}`", page)}
