from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ringback_models import lock
from tests.models.made import NotingReporter

pytestmark = pytest.mark.unit


class WaitingReporter(NotingReporter):
    def __init__(self) -> None:
        super().__init__()
        self.noted = threading.Event()

    def note(self, line: str) -> None:
        super().note(line)
        self.noted.set()


def test_a_free_lock_is_taken_in_silence(tmp_path: Path, reporter: NotingReporter) -> None:
    with lock.held(tmp_path / "a.lock", "a", reporter):
        pass

    assert reporter.notes == []


def test_a_second_fetcher_waits_and_says_so(tmp_path: Path) -> None:
    order: list[str] = []
    second = WaitingReporter()

    def wait_and_enter() -> None:
        with lock.held(tmp_path / "a.lock", "a", second):
            order.append("second")

    with lock.held(tmp_path / "a.lock", "a", NotingReporter()):
        thread = threading.Thread(target=wait_and_enter)
        thread.start()
        assert second.noted.wait(10)
        order.append("first")
    thread.join()

    assert order == ["first", "second"]
    assert second.notes == ["another process is fetching a; waiting for it"]


def test_an_error_inside_lets_go_of_the_lock(tmp_path: Path, reporter: NotingReporter) -> None:
    with pytest.raises(KeyError), lock.held(tmp_path / "a.lock", "a", reporter):
        raise KeyError

    with lock.held(tmp_path / "a.lock", "a", reporter):
        assert reporter.notes == []
