from __future__ import annotations

import inspect
import pickle

import pytest

import ringback_models
from ringback_models import ModelError, ModelNetworkError

pytestmark = pytest.mark.unit

ERRORS = [
    member
    for _, member in inspect.getmembers(ringback_models, inspect.isclass)
    if issubclass(member, ModelError)
]


def test_there_are_six_kinds_and_their_root() -> None:
    assert len(ERRORS) == 7


def test_an_error_reads_as_one_line_that_ends_with_what_to_do() -> None:
    error = ModelNetworkError("the hub\n  broke off", "try again\nlater")

    assert str(error) == "the hub broke off. Try again later."


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_survives_a_process_boundary(kind: type[ModelError]) -> None:
    error = pickle.loads(pickle.dumps(kind("what", "do")))  # noqa: S301 - our own bytes

    assert (type(error), error.reason, error.advice) == (kind, "what", "do")


@pytest.mark.parametrize("kind", ERRORS)
def test_an_errors_docstring_says_the_cause_and_what_the_caller_can_do(
    kind: type[ModelError],
) -> None:
    paragraphs = (inspect.getdoc(kind) or "").split("\n\n")

    assert len(paragraphs) >= 2
    assert paragraphs[0].endswith(".")
    assert paragraphs[1].endswith(".")


def test_the_public_names_are_sorted_and_there() -> None:
    names = ringback_models.__all__

    assert names == sorted(names)
    assert all(hasattr(ringback_models, name) for name in names)
