"""Which of the dates that the agent offered the caller takes: "the second one", 就那個時間."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.chinese import dates as chinese_dates
from ringback.core.chinese.signs import has_chinese, simplified
from ringback.core.dates import DateFound, find_dates
from ringback.core.offers import is_offered
from ringback.core.pointing import Aim, pointed_at, pointer
from ringback.core.reading import ANSWERED, Found, Reading

_LEAD = re.compile(
    r"\W*(?:(?:yes|yeah|yep|okay|ok|sure|um|uh|well|oh|so|then|i think|i'd say|i'll take|i prefer|"
    r"i'd prefer|i'd like|let's (?:say|take|do|go (?:with|for))|maybe take|please)\b\W*)*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\W*(?:(?:please|then|thanks|thank you|(?:is|would be|sounds|'s) (?:much )?(?:fine|good|better|best|great|"
    r"perfect|okay|ok)|(?:works|suits)(?: best| better| fine| well)?(?: for)?(?: me| us)?)\b\W*)*",
    re.IGNORECASE,
)
_CHINESE_LEAD = re.compile(r"(?:好的?|嗯|可以|行|那|我要?|选|要|\W)*就?(?:选|要)?")
_CHINESE_TAIL = re.compile(
    r"(?:的|比较好|比较方便|好了?|吧|就好|就行|可以|行|谢谢|啊|呢|喔|哦|\W)*"
)
_OFFERS = re.compile(r"[吗?]\W*$|还是|或者?|好不好|可不可以")
_REFUSES = re.compile(
    r"\b(?:not|no|cannot|unless|full|except)\b|n't\b|不行|没办法|满了|不能|没空", re.IGNORECASE
)
_EITHER = re.compile(r"\bor\b|还是|或", re.IGNORECASE)
_HESITATION = frozenset({"那个", "这个"})  # said alone, they fill a pause


def read(reading: Reading) -> Iterator[Found]:
    """Find the offered date that a caller's whole turn points at.

    Nothing is found where it points outside of the call, or at one of several without
    saying which.
    """
    offered = _offered(reading)
    words = _pointing(simplified(reading.text)) if offered else None
    pointing = pointer(words[0]) if words else None
    if words is None or pointing is None:
        return
    one = pointed_at(pointing, offered, time_of=lambda date: date.value)
    is_one_of_more = len(offered) == 1 and _EITHER.search(simplified(reading.asked))
    if one is None or (pointing.aim is Aim.CALL and is_one_of_more):
        return
    start, end = words[1], words[1] + len(words[0])
    yield Found("appointment", one.value, start, end, min(one.confidence, ANSWERED))


def _pointing(text: str) -> tuple[str, int] | None:
    """What a turn says beside yes and thanks, and where that begins."""
    if text.rstrip().endswith(("?", "吗")):
        return None
    is_chinese = has_chinese(text)
    lead = (_CHINESE_LEAD if is_chinese else _LEAD).match(text)
    tail = _CHINESE_TAIL if is_chinese else _TAIL
    start = lead.end() if lead else 0
    for end in range(len(text), start, -1):
        if tail.fullmatch(text, end) and pointer(text[start:end]):
            words = text[start:end].rstrip(" ,.!。")
            is_pause = words in _HESITATION and "就" not in text[:start]
            return None if is_pause else (words, start)
    return None


def _offered(reading: Reading) -> list[DateFound]:
    """The dates of the agent's offer, each once; none where it also says what cannot be."""
    asked = simplified(reading.asked)
    if not asked or _REFUSES.search(asked):
        return []
    if has_chinese(asked):
        found = chinese_dates.find_dates(asked, reading.at, reading.zone, start=0, end=len(asked))
        is_offer = bool(_OFFERS.search(asked))
    else:
        found = find_dates(asked, reading.at, reading.zone, start=0, end=len(asked))
        is_offer = is_offered(asked, reading)
    return list({one.value: one for one in found}.values()) if is_offer else []
