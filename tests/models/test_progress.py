from __future__ import annotations

import io

import pytest

from ringback_models import SilentReporter, TqdmReporter

pytestmark = pytest.mark.unit


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_there_is_at_most_one_line_for_each_ten_percent() -> None:
    stream = io.StringIO()
    reporter = TqdmReporter(stream)

    reporter.start("model", 1_000_000, 0)
    for _ in range(1_000):
        reporter.advance(1_000)
    reporter.finish()

    lines = stream.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0] == "model: 10 % of 1.0 MB"
    assert lines[-1] == "model: 100 % of 1.0 MB"


def test_one_large_step_is_one_line() -> None:
    stream = io.StringIO()
    reporter = TqdmReporter(stream)

    reporter.start("model", 1_000_000, 0)
    reporter.advance(950_000)
    reporter.advance(40_000)

    assert stream.getvalue() == "model: 95 % of 1.0 MB\n"


def test_what_was_done_before_is_not_said_again() -> None:
    stream = io.StringIO()
    reporter = TqdmReporter(stream)

    reporter.start("model", 1_000_000, 850_000)
    reporter.advance(100_000)

    assert stream.getvalue() == "model: 95 % of 1.0 MB\n"


def test_bytes_that_come_once_more_are_not_said_twice() -> None:
    stream = io.StringIO()
    reporter = TqdmReporter(stream)

    reporter.start("model", 1_000_000, 0)
    reporter.advance(500_000)
    reporter.advance(-500_000)
    reporter.advance(500_000)

    assert stream.getvalue() == "model: 50 % of 1.0 MB\n"


def test_a_terminal_gets_a_bar_that_goes_away() -> None:
    stream = Terminal()
    reporter = TqdmReporter(stream)

    reporter.start("model", 1_000_000, 400_000)
    reporter.advance(100_000)
    reporter.note("a line in between")
    reporter.finish()
    reporter.finish()

    drawn = stream.getvalue()
    assert "model:  40%" in drawn
    assert "a line in between\n" in drawn
    assert drawn.rsplit("\r", 1)[-1].strip() == ""


def test_a_second_start_closes_the_first_bar() -> None:
    stream = Terminal()
    reporter = TqdmReporter(stream)

    reporter.start("first", 10, 0)
    reporter.start("second", 10, 0)
    reporter.finish()

    assert "second:   0%" in stream.getvalue()


def test_the_silent_reporter_takes_everything(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = SilentReporter()

    reporter.start("model", 10, 0)
    reporter.advance(10)
    reporter.note("a line")
    reporter.finish()

    assert capsys.readouterr() == ("", "")
