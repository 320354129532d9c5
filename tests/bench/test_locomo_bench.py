"""The LoCoMo benchmark counts right, on two conversations that are made up here."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from ringback.errors import UsageError
from ringback_ops.bench import locomo
from ringback_ops.bench.locomo import Answered
from ringback_ops.bench.locomo_set import Question, read_conversations

pytestmark = [pytest.mark.bench, pytest.mark.usefixtures("embedding_folder")]

KITE = "I went to fly my new red kite over the dunes near Harlow."
BOAT = "We repaired the old rowing boat with copper nails."
FIRST = {
    "speaker_a": "Audrey",
    "speaker_b": "Calvin",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Audrey", "dia_id": "D1:1", "text": KITE},
        {"speaker": "Calvin", "dia_id": "D1:2", "text": "Sounds windy and wonderful."},
    ],
    "session_2_date_time": "9:05 am on 3 June, 2023",
    "session_2": [
        {"speaker": "Calvin", "dia_id": "D2:1", "text": BOAT},
        {"speaker": "Audrey", "dia_id": "D2:2", "text": "Lovely, I adore sailing at dusk."},
    ],
    "qa": [
        {"question": "What did Audrey fly?", "evidence": ["D1:1"], "category": 4},
        {"question": "What did Calvin repair?", "evidence": ["D1:2"], "category": 1},
        {"question": "What was never said?", "evidence": ["D1:1"], "category": 5},
        {"question": "What cites nothing?", "evidence": ["D9:9"], "category": 4},
    ],
}
SECOND = {
    "speaker_a": "Deborah",
    "speaker_b": "Jolene",
    "session_1_date_time": "12:10 am on 2 July, 2023",
    "session_1": [
        {"speaker": "Deborah", "dia_id": "D1:1", "text": "I grow tomatoes in my garden."},
    ],
    "qa": [{"question": "What does Deborah grow?", "evidence": ["D1:1"], "category": 4}],
}
CORRECTION = [{"question": "What did Calvin repair?", "correct_evidence": ["D2:1"]}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "30.json").write_text(json.dumps(FIRST))
    (tmp_path / "50.json").write_text(json.dumps(SECOND))
    (tmp_path / "corrections").mkdir()
    (tmp_path / "corrections" / "errors_conv_0.json").write_text(json.dumps(CORRECTION))
    return tmp_path


def options(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    locomo.add_arguments(parser)
    return parser.parse_args(given)


def answered(ids: tuple[str, ...], tokens: tuple[int, ...] = (), category: int = 4) -> Answered:
    question = Question("?", frozenset({"D1:1", "D2:1"}), category)
    return Answered(question, ids, tokens)


def test_questions_that_nothing_answers_are_left_out(folder: Path):
    first, _ = read_conversations(folder, corrected=False)

    assert [one.text for one in first.questions] == [
        "What did Audrey fly?",
        "What did Calvin repair?",
    ]


def test_corrected_citations_take_the_place_of_wrong_ones(folder: Path):
    as_it_is, _ = read_conversations(folder, corrected=False)
    corrected, _ = read_conversations(folder, corrected=True)

    assert as_it_is.questions[1].evidence == {"D1:2"}
    assert corrected.questions[1].evidence == {"D2:1"}


def test_turns_have_their_speakers_times_and_the_sets_own_ids(folder: Path):
    (first, second) = read_conversations(folder, corrected=False)

    begins = first.turns[2]
    assert (begins.id, begins.speaker) == ("D2:1", "Calvin")
    assert f"{begins.at:%Y-%m-%d %H:%M}" == "2023-06-03 09:05"
    assert f"{second.turns[0].at:%H:%M}" == "00:10"


def test_a_folder_without_conversations_is_refused_with_what_to_do(tmp_path: Path):
    with pytest.raises(UsageError, match="--data"):
        read_conversations(tmp_path, corrected=False)


@pytest.mark.parametrize(
    ("ids", "any_5", "all_5"),
    [
        (("D1:1", "D2:1"), True, True),
        (("D9:1", "D2:1"), True, False),
        (("a", "b", "c", "d", "e", "D1:1"), False, False),
        ((), False, False),
    ],
)
def test_any_is_one_of_the_cited_turns_and_all_is_each_of_them(
    ids: tuple[str, ...], any_5: bool, all_5: bool
):
    one = answered(ids)

    assert (one.any_at(5), one.all_at(5)) == (any_5, all_5)


def test_what_does_not_fit_into_the_budget_does_not_count():
    one = answered(("x", "D1:1"), tokens=(300, 131))

    assert not one.any_within(430)
    assert one.any_within(431)


def test_each_figure_that_is_promised_is_there(folder: Path, capsys: pytest.CaptureFixture[str]):
    figures = locomo.run(options("--data", str(folder), "--corrected"))

    assert figures["n"] == 3
    assert figures["any_at"] == {5: 100.0, 10: 100.0, 20: 100.0}
    assert figures["all_at"] == {5: 100.0, 20: 100.0}
    assert figures["multi_hop_all_at_5"] == 100.0
    assert figures["empty_on_other_profile"] == 100.0
    assert set(figures["baselines"]) == {"bm25", "dense", "rrf", "recipe"}
    assert set(figures["ablations"]) == set(locomo.ABLATIONS)
    assert figures["ablations"]["facts"]["any_at"][5] is not None
    assert figures["part"] == "reporting"
    assert "plain: recipe" in capsys.readouterr().out
