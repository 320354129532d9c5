from __future__ import annotations

import base64
import io
import re
import wave
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import av
import numpy as np
import pytest

from ringback import Context, RecordingError
from ringback.core.staging import StagingCounts
from ringback.testing.made_records import fact
from ringback_ops.report import write_report
from ringback_pipelines.replay import PlayedTurn, Remembered, ReplayResult, Said
from ringback_voice.audio_file import write_wav
from ringback_voice.replay_transport import Pace
from tests.ops.made_result import QUICK, RATE_HZ, WAITED, made_result, made_turn

pytestmark = pytest.mark.unit

AT = datetime(2026, 10, 3, 14, 5, tzinfo=UTC)
VOID = {"meta", "br", "hr", "img", "input", "link"}
EVIL = "</title><script>alert('x')</script><img src=//evil.example/x> & \"quoted\""


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, tag: str, kind: str | None = None) -> list[Element]:
        inside = [found for child in self.children for found in child.all(tag, kind)]
        is_one = self.tag == tag and (kind is None or kind in self.classes)
        return [self, *inside] if is_one else inside

    @property
    def words(self) -> str:
        inside = self.text or " ".join(child.words for child in self.children)
        return " ".join(inside.split())


class Page(HTMLParser):
    """A page as a tree; text is an element without a tag."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(source)
        self.close()
        assert self._open == [self.root]  # every element is closed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(Element("", {}, text=data))


Render = Callable[[ReplayResult], Element]


@pytest.fixture
def render(tmp_path: Path) -> Render:
    def page(result: ReplayResult) -> Element:
        path = write_report(result, tmp_path / "report.html", machine="2 cores", at=AT)
        return Page(path.read_text(encoding="utf-8")).root

    return page


def rows(table: Element) -> list[list[str]]:
    return [[cell.words for cell in row.children if cell.tag] for row in table.all("tr")]


def share(element: Element, *names: str) -> tuple[float, ...]:
    """Attributes that are percentages."""
    return tuple(float(element.attributes[name].removesuffix("%")) for name in names)


def test_a_page_needs_nothing_outside_itself(tmp_path: Path, render: Render) -> None:
    page = render(made_result(tmp_path))

    tags = {"link", "img", "iframe", "object", "embed", "base", "image", "use"}
    assert not [tag for tag in tags if page.all(tag)]
    every = [e for tag in ("a", "audio", "script", "source") for e in page.all(tag)]
    addresses = [e.attributes.get("href") or e.attributes.get("src") for e in every]
    assert {a.split(",")[0] for a in addresses if a} == {
        "#turn-0",
        "#turn-2",
        "data:audio/webm;base64",
    }
    (style,) = page.all("style")
    assert "url(" not in style.words
    assert "@import" not in style.words
    policies = [m.attributes.get("content", "") for m in page.all("meta")]
    assert any(policy.startswith("default-src 'none';") for policy in policies)


def test_words_are_shown_and_never_run(tmp_path: Path, render: Render) -> None:
    result = made_result(
        tmp_path,
        played=[PlayedTurn(0, EVIL, 1_000, 3_000)],
        transcript=[Said("caller", EVIL, 3_400, 0), Said("agent", EVIL, 6_000, 0)],
        latencies=[QUICK],
    )
    result.errors = [EVIL]
    result.llm = EVIL

    page = render(result)

    assert len(page.all("script")) == 1  # the page's own
    assert not page.all("img")
    (talk,) = page.all("table", "talk")
    assert talk.words.count(" ".join(EVIL.split())) == 3


def test_the_head_says_what_was_played_where_and_by_whose_leave(
    tmp_path: Path, render: Render
) -> None:
    page = render(made_result(tmp_path))

    (html,) = page.all("html")
    assert html.attributes["lang"] == "en"
    assert [h1.words for h1 in page.all("h1")] == ["An invoice <paid> twice"]
    (about,) = page.all("dl", "about")
    names = [dt.words for dt in about.all("dt")]
    assert dict(zip(names, [dd.words for dd in about.all("dd")], strict=True)) == {
        "Played": "3 October 2026, 14:05 UTC",
        "Machine": "2 cores",
        "Pace": "in real time",
        "Line": "8,000 Hz, 0:20.0 long",
        "Language model": "small-model",
        "Recording": "CC BY 4.0; Voices: A. Speaker, https://example.org/voices",
    }


def test_headline_figures_are_those_of_the_call(tmp_path: Path, render: Render) -> None:
    result = made_result(tmp_path)
    result.played[1].unanswered = True
    result.apologies = 3
    result.errors = ["SomeSTT#0", "SomeTTS#0", "SomeSTT#0"]

    (cards,) = render(result).all("ul", "cards")

    assert [item.words for item in cards.all("li")] == [
        "1,500 ms median wait for the first sound, all turns",
        "1,950 ms 95th percentile, all turns",
        "1,000 ms median wait for the first sound, complete turns only",
        "1,000 ms 95th percentile, complete turns only",
        "1 of 2 turns answered",
        "1 unanswered",
        "3 apologies for a reply the language model did not give",
        "3 errors in SomeSTT#0, SomeTTS#0",
    ]


def test_each_turn_has_a_bar_of_its_stages_on_a_common_axis(tmp_path: Path, render: Render) -> None:
    (chart,) = render(made_result(tmp_path)).all("table", "bars")

    head, first, second = chart.all("tr")
    assert [tick.words for tick in head.all("text")] == ["0", "500", "1,000", "1,500", "2,000"]
    assert [share(tick, "x") for tick in head.all("text")] == [(0,), (25,), (50,), (75,), (100,)]
    assert [(r.classes[0], *share(r, "x", "width")) for r in first.all("rect")] == [
        ("vad", 0, 10),
        ("stt", 10, 5),
        ("turn", 15, 2.5),
        ("memory", 17.5, 0),
        ("llm", 17.5, 15),
        ("tts", 32.5, 12.5),
        ("transport", 45, 5),
    ]
    assert [share(r, "x", "width") for r in second.all("rect")] == [
        (0, 10),
        (10, 5),
        (15, 52.5),
        (67.5, 0),
        (67.5, 15),
        (82.5, 12.5),
        (95, 5),
    ]


def test_a_bar_tells_its_values_to_a_pointer_and_to_a_reader(
    tmp_path: Path, render: Render
) -> None:
    (chart,) = render(made_result(tmp_path)).all("table", "bars")

    bar = chart.all("tr")[2]
    assert [title.words for title in bar.all("title")] == [
        "VAD 200 ms",
        "STT 100 ms",
        "turn 1,050 ms",
        "memory 0 ms",
        "LLM 300 ms",
        "TTS 250 ms",
        "transport 100 ms",
    ]
    assert bar.all("svg")[0].attributes["aria-label"] == (
        "Turn 2, 2,000 ms: VAD 200, STT 100, turn 1,050, memory 0, LLM 300, TTS 250, transport 100"
    )
    assert [td.words for td in bar.all("td")][1:] == ["2,000", "+ waited"]


def test_a_call_without_waits_does_not_speak_of_them(tmp_path: Path, render: Render) -> None:
    page = render(made_result(tmp_path, latencies=[QUICK]))

    assert not page.all("td", "mark")
    assert "waited for more speech" not in page.words


def test_an_outlier_does_not_leave_the_axis(tmp_path: Path, render: Render) -> None:
    late = made_turn(2, 200, 100, 50, 0, 8_341, 250, 100)  # 9,041 ms

    (chart,) = render(made_result(tmp_path, latencies=[QUICK, late])).all("table", "bars")

    assert [t.words for t in chart.all("text")][-1] == "10,000"
    assert share(chart.all("tr")[2].all("rect")[-1], "x", "width") == (89.41, 1)


def test_tables_give_percentiles_by_stage_and_every_turn(tmp_path: Path, render: Render) -> None:
    by_stage, by_turn = render(made_result(tmp_path)).all("table", "figures")

    assert rows(by_stage) == [
        ["ms", "p50", "p95", "p99", "turns"],
        ["VAD", "200", "200", "200", "2"],
        ["STT", "100", "100", "100", "2"],
        ["turn", "550", "1,000", "1,040", "2"],
        ["memory", "0", "0", "0", "2"],
        ["LLM", "300", "300", "300", "2"],
        ["TTS", "250", "250", "250", "2"],
        ["transport", "100", "100", "100", "2"],
        ["total", "1,500", "1,950", "1,990", "2"],
        ["complete turns only", "1,000", "1,000", "1,000", "1"],
    ]
    assert rows(by_turn) == [
        ["turn, ms", "VAD", "STT", "turn", "memory", "LLM", "TTS", "transport", "total"],
        ["0", "200", "100", "50", "0", "300", "250", "100", "1,000"],
        ["2", "200", "100", "1,050", "0", "300", "250", "100", "2,000"],
    ]


def test_a_call_in_which_every_turn_waited_has_no_complete_ones(
    tmp_path: Path, render: Render
) -> None:
    page = render(made_result(tmp_path, latencies=[WAITED]))

    by_stage, _ = page.all("table", "figures")
    assert rows(by_stage)[-1] == ["complete turns only", "–", "–", "–", "0"]  # noqa: RUF001
    assert "complete turns only" not in page.all("ul", "cards")[0].words


@pytest.mark.parametrize(
    ("pace", "sentence"),
    [
        (Pace.FAST, "This call was played at the fast pace: turns were told to the pipeline"),
        (Pace.REAL_TIME, "No turn of this call was answered, so there is no latency to show."),
    ],
)
def test_a_call_without_latency_says_why_instead(
    tmp_path: Path, render: Render, pace: Pace, sentence: str
) -> None:
    page = render(made_result(tmp_path, latencies=[], pace=pace))

    assert sentence in page.words
    assert not page.all("table", "bars")
    assert not page.all("table", "figures")
    assert not page.all("rect", "wait")
    assert "percentile" not in page.words.lower()
    assert "the wait for each answer" not in page.words
    assert len(page.all("rect", "span")) == 2


def test_a_timeline_shows_turns_and_the_wait_for_each_answer(
    tmp_path: Path, render: Render
) -> None:
    result = made_result(tmp_path)  # 20 s
    result.played.append(PlayedTurn(4, "Hm?", 16_000, unanswered=True))

    page = render(result)

    turns = page.all("rect", "span")
    assert [share(turn, "x", "width") for turn in turns] == [(5, 10), (40, 10), (80, 20)]
    assert ["lost" in turn.classes for turn in turns] == [False, False, True]
    assert [share(wait, "x", "width") for wait in page.all("rect", "wait")] == [(15, 5), (50, 10)]
    (chart,) = [svg for svg in page.all("svg") if svg.attributes.get("id") == "timeline"]
    assert chart.attributes["data-ms"] == "20000"
    assert "3 turns of the caller, 1 of them unanswered" in chart.attributes["aria-label"]
    clock = [t.words for t in chart.all("text") if t.attributes["y"] == "206"]
    assert clock == ["0:00", "0:05", "0:10", "0:15", "0:20"]


def test_a_timeline_draws_each_side_as_loud_as_it_was(tmp_path: Path, render: Render) -> None:
    page = render(made_result(tmp_path))  # the bot sounds in the second half, the caller never

    caller, bot = heights(page, "caller-wave"), heights(page, "bot-wave")
    assert len(caller) == len(bot) == 1_500
    assert set(caller) == {0}
    assert (set(bot[:750]), set(bot[750:])) == ({0}, {100})


def test_a_long_call_is_drawn_wider_and_finer(tmp_path: Path, render: Render) -> None:
    page = render(made_result(tmp_path, duration_ms=300_000))

    (chart,) = [svg for svg in page.all("svg") if svg.attributes.get("id") == "timeline"]
    assert chart.attributes["style"] == "min-width: 2400px"
    assert len(heights(page, "bot-wave")) == 2_400


def heights(page: Element, kind: str) -> list[int]:
    (path,) = page.all("path", kind)
    points = [point.split() for point in re.split("[MLZ]", path.attributes["d"]) if point]
    above = points[: len(points) // 2]
    assert [int(x) for x, _ in above] == list(range(len(above)))
    return [-int(y) for _, y in above]


def test_the_recording_is_in_the_page_and_sounds_the_same(tmp_path: Path, render: Render) -> None:
    result = made_result(tmp_path)
    seconds = np.arange(20 * RATE_HZ) / RATE_HZ
    tone = (8_000 * np.sin(2 * np.pi * 440 * seconds)).astype(np.int16)
    write_wav(result.recording, np.stack([np.zeros_like(tone), tone], axis=1), RATE_HZ)

    (audio,) = render(result).all("audio")

    sound = base64.b64decode(audio.attributes["src"].partition(",")[2])
    with av.open(io.BytesIO(sound), "r") as container:
        blocks = [frame.to_ndarray() for frame in container.decode(audio=0)]
    left, right = np.concatenate(blocks, axis=1)  # at Opus's own 48 kHz
    assert len(sound) < 120_000
    assert abs(len(left) / 48_000 - 20) < 0.05
    assert np.abs(left).max() < 0.02
    assert 0.2 < np.abs(right).max() < 0.3


def test_a_long_recording_is_beside_the_page(tmp_path: Path) -> None:
    result = made_result(tmp_path)
    folder = tmp_path / "sound & all"
    folder.mkdir()
    result.recording = folder / "call 1.wav"
    with wave.open(str(result.recording), "wb") as recording:
        recording.setnchannels(2)
        recording.setsampwidth(2)
        recording.setframerate(RATE_HZ)
        recording.writeframes(bytes(12_000_000))

    path = write_report(result, tmp_path / "report.html", machine="2 cores", at=AT)

    (audio,) = Page(path.read_text()).root.all("audio")
    assert audio.attributes["src"] == "sound%20%26%20all/call%201.wav"
    assert path.stat().st_size < 500_000


def test_a_line_closed_before_any_sound_leaves_a_page(tmp_path: Path, render: Render) -> None:
    result = made_result(tmp_path, latencies=[], duration_ms=0)
    result.played, result.transcript = [], []

    page = render(result)

    assert "The line was closed before any sound passed." in page.words
    assert "Nothing was said." in page.words
    assert not page.all("audio")
    assert not page.all("script")


def test_a_transcript_shows_what_was_said_beside_what_was_heard(
    tmp_path: Path, render: Render
) -> None:
    result = made_result(
        tmp_path,
        played=[
            PlayedTurn(0, "It says forty two.", 1_000, 3_000),
            PlayedTurn(2, "", 5_500, 7_000, unanswered=True),
        ],
        transcript=[
            Said("agent", "Good morning.", 500, None),
            Said("caller", "It says 42.", 3_400, 0),
            Said("agent", "Thank", 5_900, 2, interrupted=True),
        ],
    )

    (talk,) = render(result).all("table", "talk")

    assert rows(talk)[1:] == [
        ["0:00.5", "agent", "Good morning."],
        ["0:01.0", "caller 0", "It says forty two.", "It says 42."],
        ["0:05.9", "agent", "Thank interrupted"],
        ["0:05.5", "caller 2", "no label", "nothing unanswered"],
    ]


def test_what_memory_told_and_kept_is_shown_with_the_words_it_rests_on(
    tmp_path: Path, render: Render
) -> None:
    result = made_result(tmp_path)
    made = fact("4821", position=2)
    kept = replace(made, evidence=replace(made.evidence, words="number is <4821>"))
    counts = StagingCounts(used_same_turn=3, stale=1)
    result.remembered = Remembered(Context("The caller's name is <Dana>.", ""), (kept,), counts)

    page = render(result)

    (told,) = page.all("blockquote")
    (table,) = page.all("table", "kept")
    assert told.words == "The caller's name is <Dana>."
    assert rows(table)[1:] == [["account_number", "4821", "active", "2", "“number is <4821>”"]]
    assert "3 used in the same turn, 0 in a later one, 1 discarded" in page.words


def test_a_call_without_memory_does_not_speak_of_it(tmp_path: Path, render: Render) -> None:
    page = render(made_result(tmp_path))

    assert page.all("table", "kept") == []
    assert not any(title.words == "Memory" for title in page.all("h2"))


def test_each_drawing_has_a_name_or_is_hidden_from_readers(tmp_path: Path, render: Render) -> None:
    page = render(made_result(tmp_path))

    drawings = page.all("svg")
    named = [svg for svg in drawings if svg.attributes.get("aria-label")]
    assert all(svg.attributes["role"] == "img" for svg in named)
    rest = [svg for svg in drawings if not svg.attributes.get("aria-label")]
    assert all(svg.attributes.get("aria-hidden") == "true" for svg in rest)
    assert len(named) == 3


def test_every_stage_and_the_percentiles_are_explained(tmp_path: Path, render: Render) -> None:
    (footer,) = render(made_result(tmp_path)).all("footer")

    names = [dt.words for dt in footer.all("dt")]
    assert names == ["VAD", "STT", "turn", "memory", "LLM", "TTS", "transport"]
    assert all(dd.words for dd in footer.all("dd"))
    assert "interpolated linearly between ranks" in footer.words


def test_the_same_call_gives_the_same_page(tmp_path: Path) -> None:
    result = made_result(tmp_path)

    once = write_report(result, tmp_path / "one.html", machine="2 cores", at=AT).read_bytes()
    again = write_report(result, tmp_path / "two.html", machine="2 cores", at=AT).read_bytes()

    assert once == again


def test_a_call_without_its_recording_is_one_error_and_no_page(tmp_path: Path) -> None:
    result = made_result(tmp_path)
    result.recording.unlink()

    with pytest.raises(RecordingError, match=r"call\.wav: the call's recording cannot be read"):
        write_report(result, tmp_path / "report.html", machine="2 cores", at=AT)

    assert list(tmp_path.iterdir()) == []
