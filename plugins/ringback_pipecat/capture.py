"""What was said in a call, as turns: the caller's by the recogniser, the bot's by its sound."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

from pipecat.frames.frames import Frame, LLMFullResponseStartFrame
from pipecat.processors.aggregators.llm_response_universal import (
    AssistantTurnStoppedMessage,
    LLMAssistantAggregator,
    LLMContextAggregatorPair,
    LLMUserAggregator,
    UserTurnMessageAddedMessage,
)

from ringback import CallHandle, RingbackError, Role, Turn
from ringback.clock import Clock
from ringback.core.caller_speech import CallerSpeech, SpeechSpan
from ringback.core.echo import own_words
from ringback_pipecat.mouth import Mouth, Said, find_output


class Capture:
    """Hands each turn of one call to its memory, once and in the order in which they end.

    Lives as long as its pipeline. Nothing here waits: events of aggregators and transports
    call it in between two frames. An echo of the bot is no turn and is counted.

    Args:
        call: Whose turns they are.
        clock: Stamps what is said.
    """

    def __init__(self, call: CallHandle, clock: Clock) -> None:
        self.speech = CallerSpeech()
        self.counts = Counter[str]()
        """How many echoes, late transcripts and backchannels were told apart, and turns unkept."""
        self._call = call
        self._clock = clock
        self._mouth = Mouth(clock, self._bot_said)
        self._assistants: list[LLMAssistantAggregator] = []
        self._has_mouth = False
        self._turn_began_at: datetime | None = None
        self._last: tuple[LLMUserAggregator | None, str] = (None, "")
        self._reply_began_at: datetime | None = None
        self._written = ""  # of the reply that is open: what is on record already
        self._was_cut = False

    def follow(self, pair: LLMContextAggregatorPair) -> None:
        """Take the turns of a pair of aggregators; twice changes nothing."""
        user, assistant = pair.user(), pair.assistant()
        if assistant in self._assistants:
            return
        self._assistants.append(assistant)
        user.add_event_handler("on_user_turn_started", self._caller_begins)
        user.add_event_handler("on_user_turn_message_added", self._caller_said)
        assistant.add_event_handler("on_before_process_frame", self._reply_begins)
        assistant.add_event_handler("on_assistant_turn_stopped", self._reply_written)

    def find_mouth(self) -> None:
        """Listen where the bot's sound leaves, once the pipeline is linked."""
        found = (
            None
            if self._has_mouth
            else next(filter(None, map(find_output, self._assistants)), None)
        )
        if found is not None and found.capabilities.audio_out:
            self._has_mouth = True
            self._mouth.attach(found)

    def interim(self, text: str) -> None:
        """Words so far; a cue for retrieval, never on record while the line is open."""
        if not self.speech.is_muted:
            self.speech.interim(text)
            self._call.hear(text)

    def final(self, text: str) -> None:
        """Words are final; what was spoken before the bot's last words is a turn by itself."""
        if self.speech.is_muted:
            return
        piece = self.speech.final(text)
        if self.speech.is_late(piece):
            self.counts["late"] += 1
            self.speech.keep(piece)
            self._observe_caller(piece.text, piece.span)
        else:
            self._call.hear(text)

    def backchannel(self) -> None:
        """The caller said "mhm" while the bot spoke: it answers nothing, so it is no turn."""
        self.speech.take_unfinished()
        self.counts["backchannels"] += 1

    def line_ends(self, *, is_cut: bool) -> None:
        """A turn that comes from now on was cut; a cut line carries no sound any more."""
        self.speech.is_ending = True
        if is_cut:
            self._mouth.close()  # before the caller's last words, which end the call

    def close(self) -> None:
        """The line is gone: keep what the bot was saying and what was not final yet."""
        self._mouth.close()
        for assistant in self._assistants:
            self._left_over(assistant)
        is_partial = self.speech.is_unfinished
        words, span = self.speech.take_rest()
        self._observe_caller(words, span, is_partial=is_partial)

    def _caller_begins(self, *_: object) -> None:
        self._turn_began_at = self._clock.now_at()

    def _caller_said(self, user: LLMUserAggregator, message: UserTurnMessageAddedMessage) -> None:
        text, span = self.speech.take(message.content)
        by, words = self._last
        if span is None and words == message.content and by is not user:
            return  # the aggregator of another branch heard the same
        self._last = (user, message.content)
        is_partial = False
        if self.speech.is_ending:
            is_partial = self.speech.is_unfinished
            text = f"{text} {self.speech.take_unfinished()}".strip()
        if span is None and self._turn_began_at is not None:
            span = SpeechSpan(self._turn_began_at)
        self._observe_caller(text, span, is_partial=is_partial)

    def _observe_caller(
        self, text: str, span: SpeechSpan | None, *, is_partial: bool = False
    ) -> None:
        self._mouth.settle()  # what the bot said before comes before
        now = self._clock.now_at()
        span = span or SpeechSpan(now)
        own = own_words(text, span.began_at, self._mouth.playouts())
        if own != text:
            self.counts["echoes"] += 1
        turn = Turn(Role.CALLER, own, at=span.began_at, partial=is_partial)
        self._observe(turn, until=span.ended_at or now)

    def _bot_said(self, said: Said) -> None:
        turn = Turn(Role.AGENT, said.text, at=said.started_at, interrupted=said.is_interrupted)
        self._observe(turn, until=said.ended_at)

    def _reply_begins(self, assistant: LLMAssistantAggregator, frame: Frame) -> None:
        if isinstance(frame, LLMFullResponseStartFrame):
            self._left_over(assistant)
            self._reply_began_at = self._clock.now_at()

    def _left_over(self, assistant: LLMAssistantAggregator) -> None:
        """Take words that an aggregator holds of a reply before the one that begins now.

        Two replies that overlap are one text to it, and words that come after an
        interruption are the beginning of its next.
        """
        earlier = assistant.aggregation_string()
        if earlier and not self._has_mouth:
            self._observe_reply(earlier.removeprefix(self._written), is_cut=self._was_cut)
            self._written = earlier

    def _reply_written(
        self, _assistant: LLMAssistantAggregator, message: AssistantTurnStoppedMessage
    ) -> None:
        """Take a reply by its words, where no sound was heard of it: it was only written."""
        text, self._written = message.content.removeprefix(self._written), ""
        self._was_cut = message.interrupted
        if not self._mouth.has_spoken(text):
            self._observe_reply(text, is_cut=message.interrupted)

    def _observe_reply(self, text: str, *, is_cut: bool) -> None:
        now = self._clock.now_at()
        turn = Turn(Role.AGENT, text, at=self._reply_began_at or now, interrupted=is_cut)
        self._observe(turn, until=now)

    def _observe(self, turn: Turn, *, until: datetime) -> None:
        if text := turn.text.strip():
            began_at = self._call.call.started_at
            timed = replace(
                turn,
                text=text,
                started_ms=_ms(turn.at - began_at),
                ended_ms=_ms(until - began_at),
            )
            try:
                self._call.observe(timed)
            except RingbackError:  # e.g. the memory was closed under the call, which goes on
                self.counts["unkept"] += 1


def _ms(since: timedelta) -> int:
    """Milliseconds of the call; what came before it rang counts as its beginning."""
    return max(0, round(since.total_seconds() * 1000))
