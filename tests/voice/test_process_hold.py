"""A process that is held takes no CPU, and goes on when the last has let go."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ringback_voice.process_hold import CAN_HOLD, ProcessHold

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not CAN_HOLD, reason="processes are held on Linux only"),
]


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        yield process
        process.kill()


def state(process: subprocess.Popen[bytes]) -> str:
    return Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def comes_to_be(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 10
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.01)
    return is_so()


def test_a_process_stands_still_until_the_last_holder_lets_go(busy):
    hold = ProcessHold(busy.send_signal)
    hold.hold("a")
    hold.hold("b")
    assert comes_to_be(lambda: state(busy) == "T")

    hold.go_on("a")
    hold.go_on("nobody")

    assert hold.is_held
    assert state(busy) == "T"
    hold.go_on("b")
    assert comes_to_be(lambda: state(busy) != "T")


def test_a_process_that_was_released_goes_on_and_is_held_no_more(busy):
    hold = ProcessHold(busy.send_signal)
    hold.hold("a")
    assert comes_to_be(lambda: state(busy) == "T")

    hold.release()
    hold.hold("b")

    assert not hold.is_held
    assert comes_to_be(lambda: state(busy) != "T")


def test_a_process_that_has_ended_is_left_alone(busy):
    hold = ProcessHold(busy.send_signal)
    busy.kill()
    busy.wait()

    hold.hold("a")
    hold.go_on("a")
    hold.release()

    assert not hold.is_held


def test_letting_go_of_what_nobody_holds_sends_nothing():
    sent: list[int] = []
    hold = ProcessHold(sent.append)

    hold.go_on("a")

    assert sent == []
