"""A part of a number that is put right in Chinese: 不對,最後一碼是七."""

from __future__ import annotations

import re

from ringback.core.chinese.signs import digits_at, number_of
from ringback.core.number_parts import Part

_COUNT = "[一二两三四五六1-6]"
_PART = re.compile(
    rf"(?:(?P<last>(?:最后|末|尾|后面?)(?P<count>{_COUNT})?个?(?:码|位数?|数字|号码))|(?P<tail>尾[数码])"
    r"|第(?P<nth>[一二三四五六七八九十]{1,2}|\d{1,2})个?(?:码|位数?|数字|号码)"
    rf"|(?P<first>(?:最前面?|前|开头)(?P<first_count>{_COUNT})?个?(?:码|位数?|数字)))"
    r"(?:应该|其实|才|要)?(?:是|为|改成)\s*"
)
_NOT_THAT = re.compile(r"[\s,]{0,3}而?不是\s*")
_CLOSED = re.compile(r"\s*(?:[,.。!;]|$|才对|啦|喔|哦|啊|耶|才是|谢谢)")


def part_at(text: str, start: int, end: int) -> tuple[Part, int, int] | None:
    """Read the part that a clause of a simplified text puts right, and where that stands."""
    cue = _PART.search(text, start, end)
    run = digits_at(text, cue.end()) if cue else None
    if cue is None or run is None or not run.value.isdigit():
        return None
    wrong, closing = "", run.end
    denial = _NOT_THAT.match(text, run.end)
    if denial:
        other = digits_at(text, denial.end())
        if other is None:
            return None
        wrong, closing = other.value, other.end
    if not _CLOSED.match(text, closing) or len(run.value) != _count(cue, run.value):
        return None
    nth = number_of(cue["nth"]) if cue["nth"] else None
    which = (nth or 1) - 1 if nth or cue["first"] else -1
    return Part(which, run.value, wrong), cue.start(), closing


def _count(cue: re.Match[str], digits: str) -> int:
    """How many digits there must be; 尾數 takes as many as are said."""
    if cue["tail"]:
        return len(digits)
    return number_of(cue["count"] or cue["first_count"] or "一") or 1
