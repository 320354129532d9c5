from __future__ import annotations

import asyncio

import numpy as np
import pytest

from ringback_voice.playout import Playout

pytestmark = [pytest.mark.framework, pytest.mark.virtual_time]

RATE_HZ = 8_000
FRAME = 160  # 20 ms; a playout holds two


def sound(value: int, frames: int = FRAME) -> np.ndarray:
    return np.full(frames, value, dtype=np.int16)


async def test_nothing_written_is_silence():
    assert Playout(RATE_HZ).take(FRAME) is None


async def test_what_is_taken_is_what_was_written_in_order():
    playout = Playout(RATE_HZ)
    await playout.write(sound(1, 200))
    await playout.write(sound(2, 200))

    taken = [playout.take(FRAME) for _ in range(3)]

    joined = np.concatenate([part for part in taken if part is not None])
    assert joined.tolist() == [1] * 200 + [2] * 200 + [0] * 80
    assert playout.take(FRAME) is None


async def test_a_full_line_makes_its_writer_wait_until_something_is_heard():
    playout = Playout(RATE_HZ)
    await playout.write(sound(1))
    await playout.write(sound(2))

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(60):
            await playout.write(sound(3))
    playout.take(FRAME)
    async with asyncio.timeout(60):
        await playout.write(sound(3))

    assert playout.take(FRAME) is not None


async def test_an_interruption_empties_the_line_and_lets_the_writer_go_on():
    playout = Playout(RATE_HZ)
    await playout.write(sound(1))
    await playout.write(sound(2))

    playout.clear()

    assert playout.take(FRAME) is None
    async with asyncio.timeout(60):
        await playout.write(sound(3))
