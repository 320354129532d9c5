"""Appointments that are called off in Chinese: 我要取消明天的預約, 已經取消了."""

from __future__ import annotations

import re

from ringback.core.chinese.clauses import Clause, Spoken
from ringback.core.chinese.dates import find_dates
from ringback.core.chinese.signs import simplified
from ringback.core.dates import DateFound
from ringback.core.reading import ANY_VALUE, SURE, Found, Reading

CHANGES = re.compile(
    r"(?:能不能|可不可以|可以|能|能否|可否|帮我|麻烦|请)[^,]{0,6}(?:改到|改成|改约|改在|约|排|安排"
    r"|预约|延到)"
    r"|(?:改到|改成|改约|延到|约|那就)[^,]{2,16}(?:好吗|可以吗|行吗|好不好|可不可以)"
)
"""Asks for another date, or for one."""

_CANCELS = re.compile(
    r"(?:取消|退掉|cancel)[^,]{0,10}(?:预约|预定|约|挂号|门诊|上门|维修|安装|appointment|booking)"
    r"|(?:预约|约|挂号|门诊|appointment|booking)[^,]{0,8}(?:取消|退掉|cancel)|(?:预约|约"
    r"|门诊)[^,]{0,6}(?:不要了|不去了?|不能去|去不了)",
    re.IGNORECASE,
)
_CANCELLED = re.compile(
    r"(?:已经?|帮您|给您|为您|都)[^,]{0,8}(?:取消|cancel)|取消(?:好|掉)?了|cancel\s?(?:掉|好)?了",
    re.IGNORECASE,
)
_NOT_CANCELLED = re.compile(r"不(?:想|要|用|能|可以)?[^,]{0,2}(?:取消|cancel)|没[^,]{0,3}取消")


def asked_for(reading: Reading, spoken: Spoken) -> Found | None:
    """Read what the caller calls off."""
    return _cancelled(reading, spoken, _CANCELS)


def carried_out(reading: Reading, spoken: Spoken) -> Found | None:
    """Read that the agent has called off what the caller asked to."""
    if not _CANCELS.search(simplified(reading.lately)):
        return None
    return _cancelled(reading, spoken, _CANCELLED)


def _cancelled(reading: Reading, spoken: Spoken, pattern: re.Pattern[str]) -> Found | None:
    for clause in spoken.clauses:
        cue = pattern.search(spoken.text, clause.start, clause.end)
        if cue is None or clause.is_supposed or clause.is_reported or clause.is_question:
            continue
        if _NOT_CANCELLED.search(clause.words) or CHANGES.search(spoken.text, cue.end()):
            continue
        dates = _days_in(reading, spoken, clause) or _days_before(reading)
        value = dates[0].value if dates else ANY_VALUE
        return Found("appointment", value, cue.start(), cue.end(), SURE, is_withdrawal=True)
    return None


def _days_in(reading: Reading, spoken: Spoken, clause: Clause) -> list[DateFound]:
    return list(
        find_dates(spoken.text, reading.at, reading.zone, start=clause.start, end=clause.end)
    )


def _days_before(reading: Reading) -> list[DateFound]:
    """The one day that was spoken of just before."""
    before = simplified(reading.lately)
    found = list(find_dates(before, reading.at, reading.zone, start=0, end=len(before)))
    return found[-1:] if len({one.value for one in found}) == 1 else []
