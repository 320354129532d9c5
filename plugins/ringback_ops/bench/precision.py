"""Labelled questions to memory: how much of what comes back answers, how much of the answer comes."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ringback.inference import OnnxEmbedder
from ringback_models import TqdmReporter, resolve
from ringback_ops.bench.precision_filling import Answer, play
from ringback_ops.bench.precision_set import CJK, DATA, Asked, Scenario, read_set

MODEL = "minilm-l6-v2-int8"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--errors",
        action="store_true",
        help="list each question of the tune part that failed; those of the frozen part stay unseen",
    )
    parser.add_argument("--data", type=Path, default=DATA, help="a folder of your own scenarios")
    parser.add_argument(
        "--no-embedder", action="store_true", help="leave recall at full text, without vectors"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Play each scenario in a store of its own, compare, return the figures."""
    scenarios = read_set(arguments.data)
    embedder = None
    if not arguments.no_embedder:
        embedder = OnnxEmbedder(resolve(MODEL, reporter=TqdmReporter()))
    played = tqdm(scenarios, unit="scenario", mininterval=1, disable=None)
    judged = [
        (scenario, judge(answer))
        for scenario in played
        for answer in asyncio.run(play(scenario, embedder))
    ]
    if embedder is not None:
        embedder.close()
    results = [result for _, result in judged]
    _print_table(results)
    if arguments.errors:
        _print_errors(judged)
    return {
        "embedder": None if embedder is None else MODEL,
        **figures(results),
        "tune": figures(_those(results, lambda asked: asked.split == "tune")),
        "frozen": figures(_those(results, lambda asked: asked.split == "frozen")),
        "cjk": figures(_those(results, lambda asked: asked.language in CJK)),
        "by_kind": _by(results, lambda asked: asked.kind),
        "by_language": _by(results, lambda asked: asked.language),
    }


@dataclass(frozen=True, slots=True)
class Result:
    """One answer, against what is true."""

    answer: Answer
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def asked(self) -> Asked:
        """The question."""
        return self.answer.asked

    @property
    def has_passed(self) -> bool:
        """All that was needed came, and nothing that was not at least allowed."""
        return not self.wrong and not self.missed

    @property
    def is_clean(self) -> bool:
        """Nothing came back of the stretch off topic before it."""
        return not set(self.answer.returned) & set(self.asked.stretch)


def judge(answer: Answer) -> Result:
    """Hold what was returned against the labels; what is only allowed counts for nothing."""
    asked, returned = answer.asked, answer.returned
    return Result(
        answer,
        right=tuple(label for label in returned if label in asked.needed),
        wrong=tuple(label for label in returned if label not in (*asked.needed, *asked.allowed)),
        missed=tuple(label for label in asked.needed if label not in returned),
    )


def figures(results: Sequence[Result]) -> dict[str, Any]:
    """Count over some questions.

    Returns:
        `precision` is the right share of what was returned, None when nothing was; `recall`
        the returned share of what was needed; `passed` how many of `cases` had exactly that;
        `drift` the share of answers after a stretch off topic that hold nothing of it, None
        without any. `forbidden` of the `wrong` ones were the trap of their question;
        `doubled` memories came back as a turn and as its fact, which is neither right nor
        wrong; `could_not_look` counts answers that a channel was missing from.
    """
    right = sum(len(result.right) for result in results)
    wrong = sum(len(result.wrong) for result in results)
    missed = sum(len(result.missed) for result in results)
    after = [result for result in results if result.asked.stretch]
    return {
        "precision": _share(right, right + wrong),
        "recall": _share(right, right + missed),
        "passed": sum(result.has_passed for result in results),
        "cases": len(results),
        "drift": _share(sum(result.is_clean for result in after), len(after)),
        "right": right,
        "wrong": wrong,
        "missed": missed,
        "forbidden": sum(len(set(r.wrong) & set(r.asked.forbidden)) for r in results),
        "doubled": sum(result.answer.doubled for result in results),
        "could_not_look": sum(result.answer.could_not_look for result in results),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _those(results: Iterable[Result], are: Callable[[Asked], bool]) -> list[Result]:
    return [result for result in results if are(result.asked)]


def _by(results: Sequence[Result], name: Callable[[Asked], str]) -> dict[str, Any]:
    names = sorted({name(result.asked) for result in results})
    return {
        each: figures([result for result in results if name(result.asked) == each])
        for each in names
    }


def _print_table(results: Sequence[Result]) -> None:
    columns = ("cases", "passed", "right", "wrong", "missed", "precision", "recall", "drift")
    print(f"{'':<14}" + "".join(f"{column:>10}" for column in columns))
    for name in (
        lambda asked: asked.kind,
        lambda asked: asked.language,
        lambda asked: asked.split,
        lambda _: "all",
    ):
        for row, counts in _by(results, name).items():
            print(f"{row:<14}" + "".join(f"{_shown(counts[column]):>10}" for column in columns))
        print()


def _shown(figure: object) -> str:
    if figure is None:
        return "-"
    return f"{figure:.3f}" if isinstance(figure, float) else str(figure)


def _print_errors(judged: Sequence[tuple[Scenario, Result]]) -> None:
    """List what went wrong in the tune part, with the words; never in the frozen part."""
    for scenario, result in judged:
        asked = result.asked
        if asked.split != "tune" or result.has_passed:
            continue
        print(f"{asked.id}: {asked.question}" + (f"  ({asked.note})" if asked.note else ""))
        for label in result.missed:
            print(f"  missed {label}: {scenario.words_of(label)}")
        for label in result.wrong:
            trap = " (the trap)" if label in asked.forbidden else ""
            print(f"  wrong  {label}: {result.answer.texts[label]}{trap}")
    print()
