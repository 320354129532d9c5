"""What an agent promises in Chinese, 我會回電給您, and what is granted once, 這次破例."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.chinese.clauses import Clause, Spoken, last_end
from ringback.core.chinese.dates import find_dates
from ringback.core.chinese.signs import HAN
from ringback.core.reading import AMBIGUOUS, SURE, Found, Reading

_DEED = (
    r"(?:传|send|update|follow\s?up|email|text|call|发(?!生|现)|寄|送|回(?:电|复|报|拨|覆|给|信|你"
    r"|您)|打(?:电话|给"
    r"|过)|致电|来电|联系|联络|通知|告知|告诉您|退(?:款|费|还|回|您|给|到)|答[复覆]|补(?:寄|发|送"
    r"|偿|件|给|上)"
    r"|换|更换|更新(?!了)"
    r"|安排|派|处理|转达|转告|转交|反映|反应|呈报|修(?:复|理|好|改)?|维修|检修|检查|赔|补偿|取消"
    r"|重寄|重送|跟进|追踪|追|开(?:单|案|通)|回报|申请|减免|免除|延长|保留|调整|核对|查(?:明|清"
    r"|证)|过去|上门|到府|入账|收到|到货|提供|建立|登记|升级|催|更正|扣回|折抵|请.{1,10}(?:联络"
    r"|联系|回电|打|过去|处理|致电|给您))"
)
_WILL = re.compile(
    rf"(?:(?P<who>我们?|这边|同事|师傅|工程师|技师|专员|专人|客服|主管|经理|技术人员|技术员|部门"
    rf"|系统|公司|维修人员|人员|有人|您)[{HAN}]{{0,6}}?[\s,]?)?(?:(?:今天|明天|后天|稍后|待会"
    rf"|等一?下|晚点|马上|立刻|立即|尽快|之后|下?周.|下?星期.|下?礼拜.)[{HAN}0-9:]{{0,6}})?"
    rf"(?:会(?!员|计|议|话)|将|马上|立刻|立即|尽快|一定|保证|承诺|稍后|待会儿?|晚点|(?:再"
    rf"|来)?(?:帮|给|为|替)您|再|请)[^,。?!]{{0,24}}?{_DEED}"
    rf"|(?:我们?|这边|师傅|工程师|技师|专员|专人|同事|人员)[{HAN}]{{0,6}}?(?:今天|明天|大?后天"
    rf"|下?(?:周|星期|礼拜).)[^,。?!]{{0,12}}{_DEED}"
    rf"|{_DEED}[^,。?!]{{0,8}}给您|(?:给|帮|为|替)您{_DEED}"
)
_NO_PROMISE = re.compile(
    r"已经?(?!收到您)|(?:好|过|到|完|成|妥|修|退|寄|发|取消|更新|登记)了|可能|也许|不会|不能"
    r"|没办法|无法|不(?:再|用|需|上门|提供|接受|处理|营业|开放)|一般|通常|每(?:周|星期|礼拜|天|日)"
    r"|每个?月|每次|每年|依照"
    r"|根据规定|需要您|请您|麻烦您|您可以|您能|查一下|看一下|确认一下|查看|查询一下|稍等|等一下$"
    r"|请稍|核对一下|现在(?:就)?(?:帮您)?(?:查|看|确认)"
    r"|可以(?:帮|为|给|选)|刚刚|昨天|^之前|之前(?:有|就|已|的)|上次|建议|应该会"
)
_OFFERS = re.compile(r"要不要|需不需要|需要.*吗|可以吗|好吗|行吗|方便吗|是否|还是")
_LEAD = re.compile(
    r"^(?:\W|好的?|那|了解|是的|没问题|嗯|不好意思|抱歉|我看到了|然后|所以|这样|ok"
    r"|我们?(?:这边|(?=[会将再马立尽明今后下帮给待稍请先])))+"
)
_EXCEPTION = re.compile(
    r"破例|例外|特例|通融|特殊处理|特别处理|特别(?:帮|为|给|替)您|专案处理|网开一面|下不为例"
    r"|仅限这次|仅此一次|只有这次|就这一次|仅这一次"
    r"|(?:这次|本次|这一次|这回)(?:就|先|特别|我们|我|额外|特地|是)*(?:帮|给|为|替)您(?:免|退|保留"
    r"|延|减|折|补|特)"
)
_NO_EXCEPTION = re.compile(r"不能|无法|没办法|不(?:会|可以|允许|接受)|没有?(?:例外|破例|特例)")


def read_agent(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find what the agent promises, and an exception that is made; offers are neither."""
    granted_to = -1
    for clause in spoken.clauses:
        if clause.start < granted_to or not clause.is_statement or _OFFERS.search(clause.words):
            continue
        exception = _EXCEPTION.search(clause.words)
        if exception and not _NO_EXCEPTION.search(clause.words):
            found = _exception(reading.text, spoken, clause)
            granted_to = found.end
            yield found
        elif _WILL.search(clause.words) and not _NO_PROMISE.search(clause.words):
            yield _promise(reading, spoken, clause)


def _exception(said: str, spoken: Spoken, clause: Clause) -> Found:
    """The clause, and the one behind it that says what is granted."""
    end = clause.end
    following = next((one for one in spoken.clauses if one.start > clause.start), None)
    if following and following.is_statement and spoken.text[clause.end] not in "。!?":
        end = following.end
    start = clause.start + (lead.end() if (lead := _LEAD.match(clause.words)) else 0)
    end = max(start + 1, last_end(spoken.text, end))
    return Found("exception", said[start:end], start, end, SURE)


def _promise(reading: Reading, spoken: Spoken, clause: Clause) -> Found:
    start = clause.start + (lead.end() if (lead := _LEAD.match(clause.words)) else 0)
    end = max(start + 1, last_end(spoken.text, clause.end))
    words = reading.text[start:end]
    dates = list(find_dates(spoken.text, reading.at, reading.zone, start=start, end=clause.end))
    if not dates:
        return Found("promise", words, start, end, SURE)
    is_one = len({date.value[:10] for date in dates}) == 1
    confidence = min(SURE, dates[-1].confidence) if is_one else AMBIGUOUS
    return Found("promise", f"{words} ({dates[-1].value})", start, end, confidence)
