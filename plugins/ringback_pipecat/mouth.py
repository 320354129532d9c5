"""What the bot said, by the sound that left: tracked at the output of the transport.

Pipecat writes a sentence to the conversation when all of its sound was sent, or word by
word where the speech service times its words; an interruption drops whatever is on its way.
So of a sentence that is cut, either nothing or too much is left. Here the sound itself is
counted: what was sent of a sentence says how many of its words were heard.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from pipecat.frames.frames import (
    AggregatedTextFrame,
    CancelFrame,
    EndFrame,
    Frame,
    InterruptionFrame,
    StopFrame,
    TTSAudioRawFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.utils.string import TextPartForConcatenation, concatenate_aggregated_text
from pipecat.utils.text.base_text_aggregator import TextType

from ringback.clock import Clock
from ringback.core.echo import Playout
from ringback.core.heard_part import as_written, heard_part, seconds_of

KEPT = 8  # utterances that an echo may be of, and that late words may belong to
SAMPLE_BYTES = 2
QUICK = 1.6  # times faster than usual: so many words may there be to a sound at most
NS = 1_000_000_000  # Pipecat's clock counts nanoseconds


@dataclass(frozen=True, slots=True)
class Said:
    """One utterance of the bot, as far as it was heard."""

    text: str
    started_at: datetime
    ended_at: datetime
    is_interrupted: bool


@dataclass(slots=True, eq=False)
class _Sentence:
    """A piece of an utterance that the speech service announced, and its sound so far."""

    text: str
    given_s: float = 0.0
    sent_s: float = 0.0
    is_given: bool = False
    """All of its sound was given to the output."""
    is_sent: bool = False

    @property
    def heard(self) -> str:
        """Its words of which at least half was heard."""
        if self.is_sent:
            return self.text
        whole_s = self.given_s if self.is_given else max(self.given_s, seconds_of(self.text))
        return heard_part(self.text, self.sent_s / whole_s if whole_s else 0.0)


@dataclass(slots=True, eq=False)
class _Utterance:
    """What the speech service speaks in one go: a reply, or a sentence of the application's."""

    context_id: str | None
    is_given: bool = False
    """All of it was given to the output; what comes under its context now is another."""
    is_interruptible: bool = True
    is_backchannel: bool = False
    is_in_context: bool = True
    sentences: dict[int, _Sentence] = field(default_factory=dict)
    words: list[TextPartForConcatenation] = field(default_factory=list)
    due_ns: list[int] = field(default_factory=list)
    """When each word is due on the pipeline's clock, if the service times its words."""
    loose: list[TextPartForConcatenation] = field(default_factory=list)
    """Words that nothing announced, as speech-to-speech models send them."""
    sent_s: float = 0.0
    started_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def text(self) -> str:
        loose = concatenate_aggregated_text(self.loose)
        return _joined((*(one.text for one in self.sentences.values()), loose))

    @property
    def heard(self) -> str:
        if self.words:
            words = concatenate_aggregated_text(self.words[: self._words_heard()])
            return as_written(words, self.text)
        loose = concatenate_aggregated_text(self.loose)
        return _joined((*(one.heard for one in self.sentences.values()), loose))

    def _words_heard(self) -> int:
        """How many timed words were sent at least by half; their times count, not the clock's.

        Pipecat passes a timed word on when it is due, also when the line holds the sound up.
        """
        due = sorted(self.due_ns)
        ends = [*due[1:], due[-1] + (due[-1] - due[-2] if len(due) > 1 else 0)]
        sent_ns = due[0] + self.sent_s * NS
        return sum((begin + end) / 2 <= sent_ns for begin, end in zip(due, ends, strict=True))


class Mouth:
    """Follows what a transport's output is given and what it sends.

    Lives as long as its pipeline; every call comes from that pipeline's tasks, in between
    two frames. Keeps what is being said and the last few utterances.

    Args:
        clock: Stamps what is said.
        on_said: Told of each utterance when it is over or cut, in the order of their ends.
    """

    def __init__(self, clock: Clock, on_said: Callable[[Said], None]) -> None:
        self._clock = clock
        self._on_said = on_said
        self._open: list[_Utterance] = []
        self._closed: deque[str] = deque(maxlen=KEPT)  # contexts; what is late for them is void
        self._given: _Sentence | None = None
        self._sent: _Sentence | None = None
        self._speaking: _Utterance | None = None
        self._over: deque[Playout] = deque(maxlen=KEPT)
        self._owed: _Utterance | None = None
        self._untold: list[_Utterance] = []  # of since somebody asked `has_spoken`

    def attach(self, output: BaseOutputTransport) -> None:
        """Listen to a transport's output, and take part in none of its work."""
        output.add_event_handler("on_before_process_frame", self._gets)
        output.add_event_handler("on_before_push_frame", self._sends)

    def playouts(self) -> tuple[Playout, ...]:
        """What was audible lately, in whole utterances, the newest last."""
        now = [Playout(one.text, one.started_at) for one in self._open if one.started_at]
        return (*self._over, *now)

    def has_spoken(self, reply: str) -> bool:
        """A reply that Pipecat wrote down was spoken, whole, in part or not in time.

        So it was when words of the conversation were spoken, or cut, since this was last
        asked, or when its words had come too late for the reply before.
        """
        if any(reply.strip() == one.text for one in self.playouts()):
            return True
        begun = [one for one in self._untold if one.started_at or one not in self._open]
        self._untold = [one for one in self._untold if one not in begun]
        return any(one.is_in_context and one.text for one in begun)

    def close(self) -> None:
        """End what is still open: the line is gone."""
        for utterance in list(self._open):
            self._end(utterance, is_cut=True)
        self.settle()

    def settle(self) -> None:
        """Tell of sound that was cut before its words came; they come no more."""
        owed, self._owed = self._owed, None
        if owed is not None and owed.started_at is not None and owed.ended_at is not None:
            self._over.append(Playout(owed.text, owed.started_at, owed.ended_at))
            fastest_s = seconds_of(owed.text) / QUICK
            if text := heard_part(owed.text, owed.sent_s / fastest_s if fastest_s else 0.0):
                self._on_said(Said(text, owed.started_at, owed.ended_at, is_interrupted=True))

    def _gets(self, _output: FrameProcessor, frame: Frame) -> None:
        """A frame arrives at the output, where sound may wait for a long time."""
        if isinstance(frame, InterruptionFrame):
            for utterance in [one for one in self._open if one.is_interruptible]:
                self._end(utterance, is_cut=True)
        elif isinstance(frame, CancelFrame):
            self.close()
        elif isinstance(frame, TTSTextFrame):
            self._text_given(frame)
        elif isinstance(frame, AggregatedTextFrame):
            self._announced(frame)
        elif isinstance(frame, TTSAudioRawFrame) and self._given is not None:
            self._given.given_s += _seconds(frame)
        elif isinstance(frame, TTSStoppedFrame):
            for utterance in self._of(frame.context_id):
                utterance.is_given = True

    def _sends(self, _output: FrameProcessor, frame: Frame) -> None:
        """A frame leaves the output: what sound came before it was taken by the line."""
        if isinstance(frame, TTSAudioRawFrame):
            self._sound_sent(frame)
        elif isinstance(frame, TTSTextFrame):
            self._text_sent(frame)
        elif isinstance(frame, AggregatedTextFrame) and frame.will_be_spoken:
            self._sent = self._sentence(frame.id)
        elif isinstance(frame, TTSStartedFrame):
            self.settle()
            waiting = [one for one in self._of(frame.context_id) if one.started_at is None]
            self._speaking = waiting[0] if waiting else self._opened(frame.context_id)
            self._speaking.is_in_context = frame.append_to_context
        elif isinstance(frame, TTSStoppedFrame):
            for utterance in self._of(frame.context_id)[:1]:
                self._end(utterance, is_cut=False)
        elif isinstance(frame, EndFrame | StopFrame):
            self.close()

    def _announced(self, frame: AggregatedTextFrame) -> None:
        if not frame.will_be_spoken:
            return
        newest = self._of(frame.context_id)[-1:]
        is_new = not newest or newest[0].is_given
        utterance = self._opened(frame.context_id) if is_new else newest[0]
        utterance.is_interruptible = frame.interruptible
        utterance.is_backchannel = frame.text_type == TextType.BACKCHANNEL
        utterance.sentences[frame.id] = self._given = _Sentence(frame.text)

    def _text_given(self, frame: TTSTextFrame) -> None:
        for utterance in self._open:
            sentence = utterance.sentences.get(frame.segment_id or -1)
            if sentence is not None and frame.pts:
                utterance.words.append(_part(frame))
                utterance.due_ns.append(frame.pts)
            elif sentence is not None:
                sentence.is_given = True

    def _sound_sent(self, frame: TTSAudioRawFrame) -> None:
        if self._sent is not None:
            self._sent.sent_s += _seconds(frame)
        if self._speaking is not None:
            self._speaking.sent_s += _seconds(frame)
            self._speaking.started_at = self._speaking.started_at or self._clock.now_at()

    def _text_sent(self, frame: TTSTextFrame) -> None:
        sentence = self._sentence(frame.segment_id)
        if sentence is not None:
            sentence.is_sent = not frame.pts  # behind its sound; a timed word says nothing of it
        elif frame.segment_id is None:
            self._loose_sent(_part(frame), frame.context_id)

    def _loose_sent(self, part: TextPartForConcatenation, context_id: str | None) -> None:
        if self._owed is not None and self._owed.context_id == context_id:
            self._owed.loose.append(part)
        elif context_id is None or context_id not in self._closed:
            utterance = (self._of(context_id)[:1] or [self._opened(context_id)])[0]
            utterance.loose.append(part)
            utterance.started_at = utterance.started_at or self._clock.now_at()

    def _of(self, context_id: str | None) -> list[_Utterance]:
        return [one for one in self._open if one.context_id == context_id]

    def _opened(self, context_id: str | None) -> _Utterance:
        utterance = _Utterance(context_id)
        self._open.append(utterance)
        self._untold = [*self._untold[-KEPT:], utterance]
        return utterance

    def _sentence(self, segment_id: int | None) -> _Sentence | None:
        if segment_id is None:
            return None
        found = (one.sentences.get(segment_id) for one in self._open)
        return next((one for one in found if one is not None), None)

    def _end(self, utterance: _Utterance, *, is_cut: bool) -> None:
        self._open.remove(utterance)
        if utterance.context_id is not None:
            self._closed.append(utterance.context_id)
        if self._speaking is utterance:
            self._speaking = self._sent = None
        if utterance.started_at is None:
            return  # nothing of it was heard
        utterance.ended_at = now = self._clock.now_at()
        if not utterance.text:
            self._owed = utterance if is_cut else None
            return
        self._over.append(Playout(utterance.text, utterance.started_at, now))
        text = utterance.heard if is_cut else utterance.text
        if text and not utterance.is_backchannel:
            self._on_said(Said(text, utterance.started_at, now, is_interrupted=is_cut))


def find_output(assistant: FrameProcessor) -> BaseOutputTransport | None:
    """Find the transport's output of the pipeline that an assistant aggregator stands in."""
    for step in (lambda one: one.previous, lambda one: one.next):
        place: FrameProcessor | None = assistant
        while place is not None:
            if found := _output_in(place):
                return found
            place = step(place)
    return None


def _output_in(processor: FrameProcessor) -> BaseOutputTransport | None:
    if isinstance(processor, BaseOutputTransport):
        return processor
    return next(filter(None, map(_output_in, processor.processors)), None)


def _seconds(frame: TTSAudioRawFrame) -> float:
    return len(frame.audio) / (frame.sample_rate * frame.num_channels * SAMPLE_BYTES)


def _part(frame: TTSTextFrame) -> TextPartForConcatenation:
    return TextPartForConcatenation(
        frame.text, includes_inter_part_spaces=frame.includes_inter_frame_spaces
    )


def _joined(texts: Iterable[str]) -> str:
    return " ".join(stripped for text in texts if (stripped := text.strip()))
