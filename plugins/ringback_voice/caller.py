"""A recorded caller who behaves as in a call: waits for answers, barges in, hangs up.

Plain decisions, 20 ms at a time, on the call's own clock: no loop, no I/O, no wall clock.
The transport that carries the sound is in `replay_transport`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringback import UsageError

Samples: TypeAlias = NDArray[np.int16]

FRAME_MS = 20  # what telephone and WebRTC stacks deliver at a time


@dataclass(frozen=True, slots=True)
class Utterance:
    """What the caller says in one go."""

    position: int
    """The turn's position in the recorded call."""
    samples: Samples
    """int16 [frames], mono, at the line's rate."""
    barge_in_ms: int | None = None
    """Start this long after the bot began to speak, instead of waiting until it is done."""
    speech_ms: int | None = None
    """Where speech ends within `samples`; None: at their end."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How patient a caller is, in milliseconds of the call."""

    lead_in_ms: int = 700
    """Silence after the line opens, before the first words."""
    pause_ms: int = 400
    """Silence after the bot's last word, before the next words."""
    settle_ms: int = 3_000
    """Silence after which a reply counts as finished even if nothing says so."""
    patience_ms: int = 15_000
    """Silence after which a reply that never began is given up."""
    waits_for_greeting: bool = False
    """Let the bot speak first."""


class Event(Enum):
    """What a step of the call was, beside its sound."""

    SPEECH_STARTED = "speech started"
    SPEECH_ENDED = "speech ended"
    UNANSWERED = "unanswered"
    HUNG_UP = "hung up"


@dataclass(frozen=True, slots=True)
class Step:
    """Twenty milliseconds of the caller's side."""

    samples: Samples
    """int16 [frames], exactly one frame; zeros while the caller listens."""
    events: tuple[Event, ...] = ()
    position: int | None = None
    """The turn that is spoken, or was just spoken or given up."""


class Caller:
    """Decides what the caller's side of the line carries, one frame after the other.

    Lives as long as its call; one task steps it. It never runs out: after the last
    utterance is answered (or given up) each step says `HUNG_UP`.

    Args:
        utterances: In the order they are said; may be empty.
        sample_rate_hz: The line's rate, 8000 or 16000.
        manners: How long the caller waits for what.
        hangs_up_mid_sentence: Hang up with the last sample, instead of after its answer.
    """

    def __init__(
        self,
        utterances: tuple[Utterance, ...],
        *,
        sample_rate_hz: int,
        manners: Manners | None = None,
        hangs_up_mid_sentence: bool = False,
    ) -> None:
        if sample_rate_hz not in (8_000, 16_000):
            raise UsageError(f"a line runs at 8000 or 16000 Hz, not {sample_rate_hz}")
        self._utterances = utterances
        self._manners = manners or Manners()
        self._hangs_up_mid_sentence = hangs_up_mid_sentence
        self._frame = sample_rate_hz * FRAME_MS // 1000
        self._silence: Samples = np.zeros(self._frame, dtype=np.int16)
        self._now_ms = 0
        self._next = 0
        self._offset: int | None = None  # sample of the utterance being said; None: listening
        self._speech_over = False
        self._floor = _Floor(expects_reply=self._manners.waits_for_greeting)

    @property
    def now_ms(self) -> int:
        """The call's clock: how much of the line has passed."""
        return self._now_ms

    @property
    def frame_samples(self) -> int:
        """Samples in one step."""
        return self._frame

    @property
    def is_waiting_for_bot(self) -> bool:
        """Nothing will happen until the bot speaks, finishes, or is given up."""
        return self._offset is None and self._floor.is_waiting

    def reply_completed(self) -> None:
        """Note that the bot's reply has no more sound to come."""
        self._floor.is_complete = True

    def give_up_waiting(self) -> Step:
        """Stop waiting for a reply that does not come, as patience running out does."""
        self._floor.expects_reply = False
        return Step(self._silence, (Event.UNANSWERED,), self._last_position)

    def step(self, *, bot_is_audible: bool) -> Step:
        """Pass 20 ms.

        Args:
            bot_is_audible: The bot's side of the line carries sound in these 20 ms.
        """
        self._floor.listen(self._now_ms, bot_is_audible=bot_is_audible)
        step = self._speak() if self._offset is not None else self._listen()
        self._now_ms += FRAME_MS
        return step

    @property
    def _last_position(self) -> int | None:
        return self._utterances[self._next - 1].position if self._next else None

    def _listen(self) -> Step:
        if self._next == len(self._utterances):
            return self._maybe_hang_up()
        utterance = self._utterances[self._next]
        verdict = self._floor.verdict(self._now_ms, self._manners, utterance.barge_in_ms)
        if verdict is Verdict.GIVEN_UP:
            return self.give_up_waiting()
        if verdict is Verdict.WAIT or self._now_ms < self._manners.lead_in_ms:
            return Step(self._silence)
        self._next += 1
        self._offset = 0
        self._speech_over = False
        self._floor = _Floor(expects_reply=True)
        step = self._speak()
        return Step(step.samples, (Event.SPEECH_STARTED, *step.events), step.position)

    def _maybe_hang_up(self) -> Step:
        verdict = self._floor.verdict(self._now_ms, self._manners, None)
        if verdict is Verdict.WAIT:
            return Step(self._silence)
        if verdict is Verdict.GIVEN_UP:
            return self.give_up_waiting()
        return Step(self._silence, (Event.HUNG_UP,), self._last_position)

    def _speak(self) -> Step:
        utterance = self._utterances[self._next - 1]
        offset = self._offset or 0
        chunk = utterance.samples[offset : offset + self._frame]
        samples = np.zeros(self._frame, dtype=np.int16)
        samples[: len(chunk)] = chunk
        offset += self._frame
        events = self._speech_events(utterance, offset)
        if offset >= len(utterance.samples):
            self._offset = None
            self._floor = _Floor(expects_reply=True, since_ms=self._now_ms + FRAME_MS)
            if self._hangs_up_mid_sentence and self._next == len(self._utterances):
                events = (*events, Event.HUNG_UP)
        else:
            self._offset = offset
        return Step(samples, events, utterance.position)

    def _speech_events(self, utterance: Utterance, offset: int) -> tuple[Event, ...]:
        total = len(utterance.samples)
        end = total
        if utterance.speech_ms is not None:
            end = min(total, utterance.speech_ms * self._frame // FRAME_MS)
        if self._speech_over or offset < end:
            return ()
        self._speech_over = True
        return (Event.SPEECH_ENDED,)


class Verdict(Enum):
    """Whether the caller may speak."""

    WAIT = "wait"
    SPEAK = "speak"
    GIVEN_UP = "given up"


@dataclass(slots=True)
class _Floor:
    """What has been heard of the bot since the caller last spoke."""

    expects_reply: bool
    since_ms: int = 0
    began_ms: int | None = None
    silent_since_ms: int = 0
    is_complete: bool = False

    @property
    def is_waiting(self) -> bool:
        return self.expects_reply and not self.is_complete

    def listen(self, now_ms: int, *, bot_is_audible: bool) -> None:
        if not bot_is_audible:
            return
        if self.began_ms is None:
            self.began_ms = now_ms
        self.silent_since_ms = now_ms + FRAME_MS

    def verdict(self, now_ms: int, manners: Manners, barge_in_ms: int | None) -> Verdict:
        if not self.expects_reply:
            return Verdict.SPEAK
        if self.began_ms is None:
            return self._before_first_sound(now_ms, manners)
        if barge_in_ms is not None and now_ms - self.began_ms >= barge_in_ms:
            return Verdict.SPEAK
        silent_ms = now_ms - self.silent_since_ms
        enough_ms = manners.pause_ms if self.is_complete else manners.settle_ms
        return Verdict.SPEAK if silent_ms >= enough_ms else Verdict.WAIT

    def _before_first_sound(self, now_ms: int, manners: Manners) -> Verdict:
        waited_ms = now_ms - self.since_ms
        if self.is_complete:  # a reply without sound: wait a little, then go on
            return Verdict.WAIT if waited_ms < manners.settle_ms else Verdict.GIVEN_UP
        return Verdict.WAIT if waited_ms < manners.patience_ms else Verdict.GIVEN_UP
