"""When the caller spoke, and the words that were recognised since."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from datetime import datetime

SPANS = 8  # of speech that words may still come for
PIECES = 64  # of one turn; of more, the times are lost and not the words


@dataclass(frozen=True, slots=True)
class SpeechSpan:
    """One stretch of the caller's speech."""

    began_at: datetime
    ended_at: datetime | None = None
    """None: it goes on."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that were made final, and when they were spoken, as far as that is known."""

    text: str
    span: SpeechSpan | None
    is_kept: bool = False
    """They are on record already; when the turn comes that they are part of, leave them out."""


class CallerSpeech:
    """What was heard of one caller so far; times are the caller's of each method.

    Lives as long as its call. Every collection has a bound; what is over it loses its
    times, never its words.
    """

    def __init__(self) -> None:
        self._spans: deque[SpeechSpan] = deque(maxlen=SPANS)
        self._pieces: deque[Piece] = deque(maxlen=PIECES)
        self._unfinished = ""
        self._unfinished_in: datetime | None = None  # when the speech began that they are of
        self._bot_began_at: datetime | None = None
        self.is_muted = False
        self.is_ending = False
        """The line is being closed: a turn that comes now was cut."""

    @property
    def span(self) -> SpeechSpan | None:
        """The newest stretch of speech."""
        return self._spans[-1] if self._spans else None

    @property
    def is_speaking(self) -> bool:
        """The caller has begun and not stopped."""
        return self.span is not None and self.span.ended_at is None

    @property
    def is_unfinished(self) -> bool:
        """The caller has not stopped, or has said words that are not final."""
        return self.is_speaking or bool(self._unfinished.strip())

    def speech_began(self, at: datetime) -> None:
        """The caller begins to speak."""
        if not self.is_speaking:
            self._spans.append(SpeechSpan(at))

    def speech_ended(self, at: datetime) -> None:
        """The caller stops."""
        if self.span is not None and self.is_speaking:
            self._spans[-1] = replace(self.span, ended_at=max(at, self.span.began_at))

    def bot_began(self, at: datetime) -> None:
        """The bot becomes audible."""
        self._bot_began_at = at

    def interim(self, text: str) -> None:
        """Words so far, which may still change."""
        self._unfinished = text
        self._unfinished_in = self.span.began_at if self.span else None

    def final(self, text: str) -> Piece:
        """Words are final; find when they were spoken.

        They are of the newest speech, or of that in which they were heard as they came.
        """
        spans = {span.began_at: span for span in self._spans}
        began_at = self._unfinished_in if self._unfinished else None
        span = spans.get(began_at, self.span) if began_at else self.span
        self._unfinished = ""
        piece = Piece(text.strip(), span)
        self._pieces.append(piece)
        return piece

    def is_late(self, piece: Piece) -> bool:
        """The bot began to speak after these words were spoken, and before they came."""
        ended_at = piece.span.ended_at if piece.span else None
        if ended_at is None or self._bot_began_at is None:
            return False
        return self._bot_began_at > ended_at

    def keep(self, piece: Piece) -> None:
        """These words are on record; `take` leaves them out."""
        self._pieces = deque(
            (replace(one, is_kept=True) if one is piece else one for one in self._pieces), PIECES
        )

    def take(self, turn: str) -> tuple[str, SpeechSpan | None]:
        """Take the pieces that a turn is made of; give the words that are not on record yet.

        Pieces before them went into no turn, and never will.

        Returns:
            Its words, and from when to when they were spoken, if that is known.
        """
        rest = turn.strip()
        while self._pieces and not rest.startswith(self._pieces[0].text):
            self._pieces.popleft()
        taken: list[Piece] = []
        while self._pieces and rest.startswith(self._pieces[0].text):
            taken.append(self._pieces.popleft())
            rest = rest[len(taken[-1].text) :].strip()
        mine = [piece for piece in taken if not piece.is_kept]
        if len(mine) == len(taken):
            return turn.strip(), _reach(mine)
        return " ".join([*(piece.text for piece in mine), rest]).strip(), _reach(mine)

    def take_unfinished(self) -> str:
        """Give the words that never became final, once."""
        words, self._unfinished = self._unfinished.strip(), ""
        return words

    def take_rest(self) -> tuple[str, SpeechSpan | None]:
        """Give all words that went into no turn, once, and when they were spoken."""
        left = [piece for piece in self._pieces if not piece.is_kept]
        self._pieces.clear()
        unfinished = self.take_unfinished()
        text = " ".join([*(piece.text for piece in left), unfinished]).strip()
        return text, _reach(left) or self.span


def _reach(pieces: list[Piece]) -> SpeechSpan | None:
    """From when to when pieces were spoken."""
    spans = [piece.span for piece in pieces if piece.span]
    return SpeechSpan(spans[0].began_at, spans[-1].ended_at) if spans else None
