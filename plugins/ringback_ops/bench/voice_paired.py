"""What memory adds to a turn, told from the same turns of the same recordings without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ringback_ops.bench.voice_arms import Arm, Played, of_arm, turns_of
from ringback_voice.waterfall import Stage, TurnLatency

DRAWS = 2_000  # of a bootstrap
SHARE = 95  # per cent of them lie in the interval
SEED = 29


def pairs(played: Sequence[Played], arm: Arm) -> list[tuple[TurnLatency, TurnLatency]]:
    """Turns that were answered in an arm and without memory, in the same round."""
    there, bare = turns_of(of_arm(played, arm)), turns_of(of_arm(played, Arm.BARE))
    return [(there[turn], bare[turn]) for turn in sorted(set(there) & set(bare))]


def paired_figures(played: Sequence[Played]) -> dict[str, Any]:
    """What memory costs the caller, also one whose parts sleep.

    Returns:
        `turn_end_to_llm_p99_diff_ms`: from the turn's end to the request that leaves, with a
        memory that is held up, p99 less p99 without memory over the same turns; None where
        none was answered in both. `added` has, of each arm, the median of what each turn took
        longer, to the request and in all, with the interval in which 95 of 100 such medians
        lie when turns are drawn again.
    """
    held = pairs(played, Arm.HELD)
    return {
        "turn_end_to_llm_p99_diff_ms": _p99_diff_ms(held),
        "turn_end_to_llm_turns": len(held),
        "added": {
            str(arm): {"turns": len(two), "to_llm_ms": _added(two, _to_llm), "ms": _added(two)}
            for arm in (Arm.MEMORY, Arm.HELD)
            if (two := pairs(played, arm))
        },
    }


def _to_llm(turn: TurnLatency) -> float:
    return turn.stages_ms[Stage.MEMORY]


def _total(turn: TurnLatency) -> float:
    return turn.total_ms


def _p99_diff_ms(two: Iterable[tuple[TurnLatency, TurnLatency]]) -> float | None:
    both = [(_to_llm(there), _to_llm(bare)) for there, bare in two]
    if not both:
        return None
    there_ms, bare_ms = np.percentile(np.array(both), 99, axis=0)
    return round(float(there_ms - bare_ms), 2)


def _added(
    two: Sequence[tuple[TurnLatency, TurnLatency]],
    of: Callable[[TurnLatency], float] = _total,
) -> Mapping[str, float]:
    """The median of what turns take longer, and its interval."""
    longer = np.array([of(there) - of(bare) for there, bare in two])
    random = np.random.default_rng(SEED)
    medians = np.median(random.choice(longer, size=(DRAWS, len(longer))), axis=1)
    low, high = np.percentile(medians, ((100 - SHARE) / 2, (100 + SHARE) / 2))
    figures = {"median": np.median(longer), "low": low, "high": high}
    return {name: round(float(figure), 2) for name, figure in figures.items()}
