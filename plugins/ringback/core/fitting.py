"""Which messages of a request fit into what a language model can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache

from ringback.core.budget import LEAST_RESULT_TOKENS, Count, cut_result, fitted_lines
from ringback.errors import UsageError
from ringback.records import Context

MESSAGE_TOKENS = 5  # what a chat template puts around each message
LOW_WATER = 0.6  # of the limit: turns that had to go make room for more than one
NEWEST_RESULTS_SHARE = 0.5  # of the limit, before turns give way to the newest results
INSTRUCTION_TOKENS = 400  # of what the app itself put between turns that are left out
MAX_TEXTS = 4_096  # whose tokens are remembered
LEADING_ROLES = ("system", "developer")
CUT = "The beginning of this call is left out here."
GAP = "Some of what was said after that is left out here."


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """How much of a call a language model reads.

    Raises:
        UsageError: A bound is not positive, or `keep` is not below `turns`.
    """

    turns: int = 20
    """At so many turns of the caller the older ones become a digest."""
    keep: int = 10
    """How many of them stay then; the window moves by the difference."""
    context_tokens: int = 32_768
    """What the model can read and write in all; a quarter is left for its answer."""
    briefing_tokens: int = 200
    digest_tokens: int = 250
    recall_tokens: int = 600
    """Of the block before the newest user message."""
    result_tokens: int = 300
    """Of a tool's result, once the window has moved or there is no room for it whole."""

    def __post_init__(self) -> None:
        for bound in fields(self):
            if getattr(self, bound.name) <= 0:
                raise UsageError(f"{bound.name} must be positive")
        if self.keep >= self.turns:
            raise UsageError("a window must keep fewer turns than it may have")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a request, as far as its size and its ties to others matter."""

    role: str
    """`system`, `developer`, `user`, `assistant` or `tool`; "" for what one service reads."""
    text: str = ""
    calls: tuple[str, ...] = ()
    """Ids of the tool calls that it makes."""
    answers: str = ""
    """The id of the tool call whose result it is."""
    is_open: bool = False
    """The result has not come yet."""
    is_kept: bool = False
    """It stands for what the host itself left out: never left out here."""
    extra_tokens: int = 0
    """Of what it holds beside text."""
    of: object = field(default=None, compare=False)
    """The host's own message: the same object is the same message."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a window begins. It changes in strides."""

    start: int = 0
    first: object = None
    """The host's message there."""
    note: str = ""
    """What is read in place of those before."""
    short_before: int = 0
    """Tool results before this place are read short."""


@dataclass(frozen=True, slots=True)
class View:
    """What is read of a request."""

    head: int
    """How many messages lead; all of them are read."""
    kept: tuple[int, ...]
    """Places of single messages that are read although those around them are left out."""
    start: int
    """From here on all are read."""
    note: str
    """What stands for those left out; empty where none are."""
    texts: Mapping[int, str]
    """Tool results that are read shorter than they are, by place."""
    memory: Context
    """What memory adds, as far as there is room."""
    tokens: int
    """Of all that, as counted."""


class Sizes:
    """Counts tokens and cuts results, each text once. Holds at most `MAX_TEXTS` texts."""

    def __init__(self, count: Count) -> None:
        self.count: Count = lru_cache(MAX_TEXTS)(count)
        self.result = lru_cache(MAX_TEXTS)(self._result)

    def of(self, message: Message) -> int:
        """Tokens of a message, with what is put around it."""
        return self.count(message.text) + message.extra_tokens + MESSAGE_TOKENS

    def of_text(self, text: str) -> int:
        """Tokens of a message that says this; none where it says nothing."""
        return self.count(text) + MESSAGE_TOKENS if text else 0

    def _result(self, text: str, limit: int) -> str:
        return cut_result(text, limit, self.count)


def cut_places(messages: Sequence[Message], first: int, *, past_open: bool = False) -> list[int]:
    """Where a request may begin: at a user message that parts no tool call from its results.

    Args:
        messages: The history.
        first: Where to begin to look.
        past_open: Also behind a call whose result has not come yet.
    """
    ends: dict[str, int] = {}
    made: dict[str, int] = {}
    for place in range(first, len(messages)):
        message = messages[place]
        for call in message.calls:
            made[call] = place
            ends[call] = place if past_open else len(messages)
        if message.answers in made and not (message.is_open and not past_open):
            ends[message.answers] = place
    parted = {place for call, at in made.items() for place in range(at + 1, ends[call])}
    return [
        place
        for place in range(first, len(messages))
        if messages[place].role == "user" and place not in parted
    ]


def users(messages: Sequence[Message]) -> list[int]:
    """Places of what the caller said."""
    return [place for place, message in enumerate(messages) if message.role == "user"]


def head_of(messages: Sequence[Message]) -> int:
    """How many messages lead: instructions before anybody spoke."""
    leads = (m.role in LEADING_ROLES and not m.answers for m in messages)
    return next((place for place, leading in enumerate(leads) if not leading), len(messages))


def fitted(
    messages: Sequence[Message],
    cut: Cut,
    memory: Context,
    limit: int,
    by: tuple[WindowSettings, Sizes],
) -> tuple[Cut, View]:
    """Make a request fit: tool results give way first, then recall, then the oldest turns.

    What leads, the newest user message and what follows it are read in any case, so that
    those alone can be more than the limit; then nothing else is read.

    Args:
        messages: The history.
        cut: Where the window begins now; it comes back further on where there is no room.
        memory: What memory adds.
        limit: Of tokens, as counted.
        by: Bounds of single blocks, and how to count.
    """
    fit = _Fit(messages, memory, limit, *by)
    cut = fit.moved(cut)
    return cut, fit.view(cut)


class _Fit:
    """One request while it is fitted."""

    def __init__(
        self,
        messages: Sequence[Message],
        memory: Context,
        limit: int,
        settings: WindowSettings,
        sizes: Sizes,
    ) -> None:
        self._messages, self._limit = messages, limit
        self._settings, self._sizes = settings, sizes
        self._head = head_of(messages)
        self._kept_by_start: dict[int, tuple[int, ...]] = {}
        said = users(messages)
        self._newest = said[-1] if said else len(messages)
        self._results = [p for p in range(self._newest, len(messages)) if messages[p].answers]
        whole = sum(sizes.of(messages[place]) for place in self._results)
        self._wanted = min(whole, int(limit * NEWEST_RESULTS_SHARE))
        self._briefing = fitted_lines(memory.briefing, settings.briefing_tokens, sizes.count)
        self._block = fitted_lines(memory.block, settings.recall_tokens, sizes.count)
        self._whole = whole + sizes.of_text(self._block)

    def moved(self, cut: Cut) -> Cut:
        """The window as it must be so that there is room."""
        if self._base(cut) + self._whole > self._limit:
            cut = replace(cut, short_before=max(cut.short_before, self._newest))
        if self._base(cut) + self._wanted <= self._limit:
            return cut
        places = cut_places(self._messages, max(cut.start, self._head), past_open=True)
        later = [self._at(cut, place) for place in places if place > max(cut.start, self._head)]
        enough = self._limit * LOW_WATER - self._wanted
        return next(
            (one for one in later if self._base(one) <= enough), later[-1] if later else cut
        )

    def view(self, cut: Cut) -> View:
        """What is read of it."""
        note, briefing, block = cut.note, self._briefing, self._block
        least = sum(min(self._size(p, cut), _LEAST) for p in self._results)
        room = self._limit - self._base(cut)
        if room < least and note:
            room, note = room + self._sizes.of_text(note), ""
        if room < least and briefing:
            room, briefing = room + self._sizes.of_text(briefing), ""
        if room < self._wanted + self._sizes.of_text(block):
            block = ""
        room -= self._sizes.of_text(block)
        texts = self._short(cut) | self._newest_results(room)
        start = max(cut.start, self._head)
        return View(
            head=self._head,
            kept=self._kept(cut),
            start=start,
            note=note,
            texts=texts,
            memory=Context(briefing, block),
            tokens=self._limit - room + self._tokens_of_results(texts),
        )

    def _base(self, cut: Cut) -> int:
        """Tokens of all but the newest results and the block."""
        messages, sizes = self._messages, self._sizes
        start = max(cut.start, self._head)
        places = [*range(self._head), *self._kept(cut), *range(start, len(messages))]
        newest = set(self._results)
        return (
            sum(self._size(place, cut) for place in places if place not in newest)
            + sizes.of_text(cut.note)
            + sizes.of_text(self._briefing)
        )

    def _size(self, place: int, cut: Cut) -> int:
        message = self._messages[place]
        if not message.answers or place >= min(cut.short_before, self._newest):
            return self._sizes.of(message)
        short = self._sizes.result(message.text, self._settings.result_tokens)
        return self._sizes.of(replace(message, text=short))

    def _at(self, cut: Cut, place: int) -> Cut:
        note = cut.note if GAP in cut.note or cut.note in ("", CUT) else f"{cut.note}\n{GAP}"
        return replace(cut, start=place, first=self._messages[place].of, note=note or CUT)

    def _kept(self, cut: Cut) -> tuple[int, ...]:
        """The app's own instructions among what is left out, the newest that fit, each once."""
        if cut.start not in self._kept_by_start:
            self._kept_by_start[cut.start] = self._kept_before(cut.start)
        return self._kept_by_start[cut.start]

    def _kept_before(self, start: int) -> tuple[int, ...]:
        room, seen, kept = INSTRUCTION_TOKENS, set[str](), list[int]()
        for place in reversed(range(self._head, start)):
            message = self._messages[place]
            if message.is_kept:
                kept.append(place)
            elif message.role in LEADING_ROLES and not message.answers and message.text not in seen:
                room -= self._sizes.of(message)
                if room >= 0:
                    seen.add(message.text)
                    kept.append(place)
        return tuple(reversed(kept))

    def _short(self, cut: Cut) -> dict[int, str]:
        """Older results that are read short."""
        texts: dict[int, str] = {}
        for place in range(max(cut.start, self._head), min(cut.short_before, self._newest)):
            text = self._messages[place].text
            if self._messages[place].answers:
                short = self._sizes.result(text, self._settings.result_tokens)
                if short != text:
                    texts[place] = short
        return texts

    def _newest_results(self, room: int) -> dict[int, str]:
        """Results of this turn that are read short; the newest has what the others leave."""
        texts: dict[int, str] = {}
        left = [self._sizes.of(self._messages[place]) for place in self._results]
        for index, place in reversed(list(enumerate(self._results))):
            others = sum(min(size, _LEAST) for size in left[:index])
            may = room - others - MESSAGE_TOKENS
            text = self._messages[place].text
            short = self._sizes.result(text, max(may, LEAST_RESULT_TOKENS))
            if short != text:
                texts[place] = short
            room -= self._sizes.of(replace(self._messages[place], text=short))
        return texts

    def _tokens_of_results(self, texts: Mapping[int, str]) -> int:
        return sum(
            self._sizes.of(replace(self._messages[p], text=texts.get(p, self._messages[p].text)))
            for p in self._results
        )


_LEAST = LEAST_RESULT_TOKENS + MESSAGE_TOKENS
