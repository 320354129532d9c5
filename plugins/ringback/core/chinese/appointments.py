"""Dates that caller and agent settle on in Chinese, and those that they call off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from itertools import pairwise

from ringback.core.chinese import cancellations
from ringback.core.chinese.cancellations import CHANGES
from ringback.core.chinese.clauses import Clause, Spoken
from ringback.core.chinese.clock import NOON, read_clock
from ringback.core.chinese.dates import find_dates
from ringback.core.chinese.signs import simplified
from ringback.core.dates import DateFound, zone_of
from ringback.core.reading import AMBIGUOUS, ANSWERED, Found, Reading

REACH = 16  # signs behind a date in which it may be said to be wanted

_WANTS = re.compile(
    r"约|预定|预订|改到|改成|改在|改期|延到|延后|提前到|排|安排|过来|再来|来(?:$|修|装|看|一趟"
    r"|我家|吧|好了|就好|可以)|派人|上门|到府|登门|我?过去"
    r"|到场|挂号|见面|碰面|就诊|看诊|门诊|师傅|工程师|技师|技术员|维修|安装|有空|在家|打(?:来"
    r"|过来)|打给我|打电话给我|给我打|回电|联络我|联系我|通知我"
    r"|(?:也|都|比较)?可以(?=[吗吧的啊哦呀了,。\s!]|$|过来|来|去)|(?<!不)行(?!李|动)|没问题|ok"
    r"|okay|方便|好了|就好|好吧$|book|schedule|appointment|reschedule|let's|make it|change|move"
    r"|^就|(?:麻烦|请|那就?|就|改)\s?$",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"不行|不能|不可以|不可能|没空|没办法|没法|不方便|取消|不要|不在|不去|不来|没来|不约|不用"
    r"|不上门|休息|没开|不是|来不及|没有(?!问题)"
    r"|已经?(?:过|来|去|付|缴)|(?:来|去|到|修|装|付|缴|打|寄)过|cancel|以前都|收到",
    re.IGNORECASE,
)
_REFUSES_NEXT = re.compile(r"(?:不是|不要|不约|取消|除了)\s?$")
_FACTS = re.compile(
    r"到期|截止|出生|生日|缴|付款|扣款|账单|出账|收费|优惠|开始收|涨价|放假|出国|开学|买的|装的"
    r"|寄出|到货|我们?[^,]{0,8}打(?!给我|电话给我|开)|(?:打|打电话|打过去)给[你您]|再说|再看|再想"
    r"|再联络你|考虑|出国|旅游|出差|考试|上班|放假"
)
_ASKS = re.compile(
    r"什么时候|何时|哪一?天|哪个时间|哪个时段|几点|几号|星期几|周几|礼拜几|时间|约|预|方便|(?:过去"
    r"|到府|上门|安排|过来|来)[^?]*(?:可以吗|行吗|好吗|方便吗)"
    r"|(?:可以|行|好|方便)吗|when|appointment",
    re.IGNORECASE,
)
_SETTLES = re.compile(
    r"(?:约|预约|排|安排|登记|改|订|定|派|敲|记)(?:好|到|在|了|您|妥|成)|(?:帮|给|为|替)您(?:约"
    r"|预约|排|安排|登记|改|订|定)|会(?:在|于)?.*(?:过去|上门|到府|到场|拜访|登门|到您)"
    r"|(?:师傅|工程师|技师|人员|医生|医师|同事|专员).*(?:过去|到|上门|拜访|来)|没问题"
    r"|就.{0,8}(?:见|过去)|那?就约|(?:您|你)的(?:预约|约|门诊|挂号)|预约(?:时间)?(?:是|为|在)|见$"
    r"|确认|confirm|(?:your|您|你)的?\s?(?:appointment|booking)|book|scheduled",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:好的?|可以的?|没问题|行|嗯|对|是的?|ok|okay|了解|收到|当然)[啊哦啦呀]?(?:[\s,.。!]|$"
    r"|没问题)",
    re.IGNORECASE,
)
_SPEAKS_OF = re.compile(
    r"约|预|改到|改成|改期|过来|上门|到府|师傅|工程师|几点|什么时候|哪一?天|维修|安装|appointment"
    r"|时间",
    re.IGNORECASE,
)
_NO_DATE_ASKED = re.compile(r"买|发生|发现|开始|出生|生日|坏|收到|到期|缴|付|上次|寄|多久")
_FILLERS = re.compile(r"(?:嗯|呃|啊|哦|好|那|就|吧|啦|的|谢谢|[\s,.。!…])*")
_SAME_TIME = re.compile(r"(?:同样|一样|相同|同一|原来|同个?)的?时(?:间|段)|时间(?:不变|一样|照旧)")
_CHANGES = re.compile(r"改|还是|不对|换|延|提前|晚一点|早一点|可以|好了|吧")
_EITHER = re.compile(r"或|还是|跟|和|到|至|、|or")


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find the date that a caller's turn settles on, asks for or calls off."""
    cancelled = cancellations.asked_for(reading, spoken)
    if cancelled:
        yield cancelled
        return
    asked = simplified(reading.asked)
    is_asked = bool(_ASKS.search(asked)) or _is_bare(reading, spoken)
    is_asked = (is_asked and not _NO_DATE_ASKED.search(asked)) or "appointment" in reading.known
    dates = [
        found
        for clause, found in _dates(reading, spoken)
        if (is_asked or _is_wanted(spoken, clause, found)) and not _FACTS.search(clause.words)
    ]
    last = _same_time(reading, spoken, dates[-1]) if dates else _time_alone(reading, spoken)
    if last:
        yield Found("appointment", last.value, last.start, last.end, last.confidence)


def _same_time(reading: Reading, spoken: Spoken, found: DateFound) -> DateFound:
    """Of "改到后天,同样的时间", the time that was settled before."""
    known = reading.known.get("appointment", "")
    same = _SAME_TIME.search(spoken.text)
    if same is None or "T" in found.value or "T" not in known:
        return found
    day = datetime.fromisoformat(found.value).date()
    value = datetime.combine(day, datetime.fromisoformat(known).timetz())
    end = max(found.end, same.end())
    return DateFound(value.isoformat(timespec="minutes"), found.start, end, found.confidence)


def _time_alone(reading: Reading, spoken: Spoken) -> DateFound | None:
    """A time for the one day that the agent proposed, or another one on the settled day."""
    known = reading.known.get("appointment", "")
    asked = simplified(reading.asked)
    days = {
        found.value[:10]
        for found in find_dates(asked, reading.at, reading.zone, start=0, end=len(asked))
    }
    is_changed = bool(known) and bool(_CHANGES.search(spoken.text))
    is_asked = len(days) == 1 and (bool(_ASKS.search(asked)) or asked.rstrip().endswith("?"))
    if not is_asked and not is_changed:
        return None
    part = "下午" if "T" in known and int(known[11:13]) >= NOON else ""
    for clause in spoken.clauses:
        if not clause.is_statement or _REFUSES.search(clause.words):
            continue
        for place in range(clause.start, clause.end):
            clock = read_clock(spoken.text, place) or read_clock(spoken.text, place, part)
            if clock is None:
                continue
            if clock.is_ambiguous and part:
                clock = read_clock(spoken.text, place, part) or clock
            day = date.fromisoformat(days.pop() if len(days) == 1 else known[:10])
            tz = zone_of(reading.zone) or UTC
            at = datetime.combine(day, time(clock.hour, clock.minute), tz)
            confidence = AMBIGUOUS if clock.is_ambiguous else ANSWERED
            return DateFound(at.isoformat(timespec="minutes"), place, clock.end, confidence)
    return None


def read_agent(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find the date that an agent's turn states as settled, or called off."""
    before = simplified(reading.lately)
    cancelled = cancellations.carried_out(reading, spoken)
    if cancelled:
        yield cancelled
        return
    agrees = bool(_AGREES.match(spoken.text)) and bool(_SPEAKS_OF.search(before))
    dates = [
        found
        for clause, found in _dates(reading, spoken)
        if not clause.is_question
        and not _FACTS.search(clause.words)
        and (agrees or _SETTLES.search(spoken.text, clause.start, _clause_after(spoken, clause)))
    ]
    if dates:
        last = dates[-1]
        yield Found("appointment", last.value, last.start, last.end, last.confidence)


def offered(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Read the date that a question proposes, for whoever agrees to it."""
    for clause, found in _dates(reading, spoken):
        if not _FACTS.search(clause.words):
            yield Found("appointment", found.value, found.start, found.end, found.confidence)


def _clause_after(spoken: Spoken, clause: Clause) -> int:
    later = [one for one in spoken.clauses if one.start > clause.start]
    return later[0].end if later and not later[0].is_question else clause.end


def _dates(reading: Reading, spoken: Spoken) -> Iterator[tuple[Clause, DateFound]]:
    """Dates that are said as to hold; none where two are to choose from."""
    found: list[tuple[Clause, DateFound]] = []
    for clause in spoken.clauses:
        if clause.is_supposed or clause.is_reported:
            continue
        if clause.is_question and not CHANGES.search(clause.words):
            continue
        days = list(_in_clause(reading, spoken, clause))
        for place, day in enumerate(days):
            if not _is_refused(spoken.text, clause, days, place):
                hedged = clause.is_hedged or clause.is_question
                confidence = min(day.confidence, AMBIGUOUS) if hedged else day.confidence
                found.append((clause, DateFound(day.value, day.start, day.end, confidence)))
    for (_, one), (_, other) in pairwise(found):
        between = spoken.text[one.end : other.start]
        if one.value[:10] != other.value[:10] and _EITHER.fullmatch(between.strip(" ,吧者是")):
            return
    yield from found


def _is_refused(text: str, clause: Clause, days: list[DateFound], place: int) -> bool:
    """Words about one day, up to the next one: 周三不行改到周四."""
    day = days[place]
    before = text[days[place - 1].end if place else clause.start : day.start]
    behind = place + 1
    while behind < len(days) and days[behind].start - days[behind - 1].end <= 1:
        behind += 1  # 周四周五都不行
    end = days[behind].start if behind < len(days) else max(day.end, clause.end)
    if before == "" and place:
        before = text[clause.start : days[0].start]
    says_no = _REFUSES_NEXT if place and before else _REFUSES
    return bool(_REFUSES.search(text[day.start : end]) or says_no.search(before))


def _in_clause(reading: Reading, spoken: Spoken, clause: Clause) -> Iterator[DateFound]:
    stop = min(len(spoken.text), clause.end + 24)  # a time may stand behind a pause
    for found in find_dates(spoken.text, reading.at, reading.zone, start=clause.start, end=stop):
        is_due = re.match(r"\s?(?:以前|之前|前|内)", spoken.text[found.end : found.end + 3])
        if found.start < clause.end and not is_due:
            yield found


def _is_bare(reading: Reading, spoken: Spoken) -> bool:
    """The turn is a date and nothing else; without a question before, one with its time."""
    end = len(spoken.text)
    days = list(find_dates(spoken.text, reading.at, reading.zone, start=0, end=end))
    is_timed = bool(days) and "T" in days[-1].value
    if not days or not (is_timed or simplified(reading.asked).rstrip().endswith("?")):
        return False
    rest = spoken.text[: days[0].start] + spoken.text[days[-1].end :]
    return bool(_FILLERS.fullmatch(rest))


def _is_wanted(spoken: Spoken, clause: Clause, found: DateFound) -> bool:
    before = clause.words[: max(0, found.start - clause.start)]
    return bool(_WANTS.search(before) or _WANTS.search(spoken.text, found.end, found.end + REACH))
