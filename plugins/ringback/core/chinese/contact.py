"""How and when the caller wants to be contacted, as it is said in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from ringback.core.chinese.clauses import Clause, Spoken, last_end
from ringback.core.chinese.clock import read_clock
from ringback.core.chinese.dates import find_dates
from ringback.core.chinese.signs import simplified
from ringback.core.reading import AMBIGUOUS, ANSWERED, LIKELY, SURE, Found, Reading
from ringback.core.relatives import CHINESE

_METHODS = MappingProxyType(
    {
        "text": r"(?:手机)?(?:简讯|短信|讯息|信息|短讯|手机消息|sms|text|message)",
        "email": r"(?:电子邮件|电子信箱|电邮|邮件|e-?mail|mail|伊妹儿)",
        "letter": r"(?:书面|纸本|实体信|实体信件|挂号信|平信|纸质)(?:通知|信件?)?|信件(?!箱)|(?<![短微电来相邮])信(?=给我|通知|就|好|吧|到我家)",
        "phone call": r"(?:电话|手机|call)",
    }
)
_NONE = MappingProxyType(
    {"text": "no texts", "phone call": "no calls", "email": "no emails", "letter": "no letters"}
)
_SENDS = r"(?:传|发|寄|送|写|用|以|透过|通过|send|改用|走)"
_ME = rf"(?:给|跟|和|向)?我(?!(?:的|家)?(?:{CHINESE})|们?家)"
_ENOUGH = r"(?:就(?:好|行|可以|够|成|ok)|即可|好了|吧|比较(?:好|方便|快|习惯)|最好|最方便|通知|联络|联系|告知|告诉)"
_LIKES = r"(?:比较|更|还是)?(?:喜欢|习惯|希望|想要|偏好|倾向|prefer)\s*(?:你们)?(?:收|接|用|传|发|寄|打|收到)?"
_ANY = "|".join(f"(?:{words})" for words in _METHODS.values())
_NOT = r"(?:不要再?|别再?|不用再?|不想|不必|请勿|勿|甭|少|拒绝|不喜欢|不希望|停止|不需要|讨厌|不爱|不习惯|don't|no)"
_COUNTS_NOT = re.compile(
    r"收到(?!比)|没收到|收不到|已经|一直|老是|常常|昨天|刚才|刚刚|上次|有(?:传|发|寄|打)|(?:传|发"
    r"|寄|打)(?:了|过|来|错)|验证码|链接|连结|为什么|怎么|垃圾|诈骗"
    r"|(?:你们|贵公司|系统|客服)(?:有|都|每|又|老|会)"
)
_OF_ANOTHER = re.compile(rf"我(?:的|家)?(?:{CHINESE})|[他她]")
_OBJECT = re.compile(
    r"(?:把|将)[^,]{1,10}(?:用|传|发|寄)|(?:账单|合约|发票|资料|档案|照片|密码|文件|收据|明细)"
)
_I_SEND = re.compile(
    r"(?<![给跟和向叫])我(?:再|会|来|先|想|可以|要|去|刚)?(?:传|发|寄|打|用)(?!.{0,8}(?:给我"
    r"|通知我|联络我|联系我))"
)
_ASKS_METHOD = re.compile(
    r"(?:怎么|如何|什么方式|哪种方式|哪一?种|什么方法)[^?]*(?:通知|联络|联系|告知|告诉|找您|回复)"
    r"|(?:电话|简讯|短信|邮件|email)(?:通知|联系|联络)?,?还是|(?:通知|联络|联系)方式(?:是|呢)"
    r"|how (?:would|shall|should|do|can)[^?]*(?:contact|reach|notify|let you know)",
    re.IGNORECASE,
)
_ANSWER_LEAD = r"^\W*(?:(?:嗯|呃|好|那|就|都|请|麻烦|还是|我想|我要|我|可以|用|传|发|寄|打|给我|直接|send)[\s,]*)*(?:个|封)?\s*"
_CALLS = re.compile(
    rf"(?:直接|就|还是|请|麻烦|改|用|最好|可以)*(?:打(?:电话|手机)?(?:来|过来)?{_ME}"
    rf"|打我(?:的)?(?:手机|电话)|给我打电话|打电话|电话(?:联络|联系|通知)我?|致电"
    rf"|call\s?我)(?:的手机|手机)?\s*(?:就(?:好|行|可以|够)|即可|好了|比较(?:好|方便|快|习惯)"
    rf"|最(?:好|快|方便)|没关系)"
    rf"|直接打(?:电话|给我)|{_LIKES}\s*(?:打)?电话|电话(?:联络|联系|通知)(?:我|就)"
)
_NO_CALLS = re.compile(
    rf"{_NOT}[^,]{{0,4}}?\s*(?:给我)?\s*(?:打(?:电话|手机|来|给我|过来|扰)|来电|call|接电话"
    rf"|电话联络|电话联系|用电话|通电话)|{_NOT}(?:给我)?打(?:了|$)",
    re.IGNORECASE,
)
_AT_TIMES = re.compile(
    r"点|早上|上午|中午|下午|晚上|半夜|上班|周末|假日|平日|时间|今天|明天|这几天"
)
_TIME_CUE = re.compile(
    r"打(?:给我|电话|来|过来|我|$)|联络|联系|回电|找我|来电|回我|call|再打|通知我|方便接|接电话",
    re.IGNORECASE,
)
_ASKS_CALL = re.compile(r"(?:可以|能|麻烦|请)[^,]*(?:打|联络|联系|回电)[^,]*我")
_ASKS_TIME = re.compile(
    r"(?:什么时候|何时|几点|什么时间|哪个时段|时间)[^?]*(?:打|联络|联系|方便|回电|通知|call)|(?:打"
    r"|联络|联系|回电|方便)[^?]*(?:什么时候|几点|时间|何时)"
)
_BETWEEN = re.compile(r"\s*(?:到|至|~|-|跟|和)\s*")
_BOUND = re.compile(r"\s*(?P<way>以后|之后|过后|后|以前|之前|前)(?!天)|\s*(?P<among>之间|间|左右)?")
_PART_ONLY = re.compile(
    r"(?P<part>早上|上午|中午|下午|傍晚|晚上)(?:时段|时间|的时候)?\s*(?:再|才|比较|都|可以|可|打"
    r"|联络|联系|方便|$|就好|吧)"
)
_DENIED_TIME = re.compile(r"不要|别|不用|不能|不方便|请勿|不接|没空|never|don't")


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find preferences in one of the caller's turns; the last one said wins."""
    for found in (_method(reading, spoken), _time(reading, spoken)):
        if found:
            yield found


def _method(reading: Reading, spoken: Spoken) -> Found | None:
    """The way the caller wants; if only an unwanted way is named, that it is unwanted."""
    wanted: Found | None = None
    unwanted: Found | None = None
    is_asked = bool(_ASKS_METHOD.search(simplified(reading.asked)))
    for clause in spoken.clauses:
        if clause.is_supposed or clause.is_reported or _COUNTS_NOT.search(clause.words):
            continue
        if _OF_ANOTHER.search(clause.words):
            continue
        wanted = _wanted(spoken, clause, is_asked=is_asked) or wanted
        unwanted = _unwanted(spoken, clause) or unwanted
    return wanted or unwanted


def _wanted(spoken: Spoken, clause: Clause, *, is_asked: bool) -> Found | None:
    found: Found | None = None
    rest = re.compile(rf"{_NOT}[^,]{{0,4}}\s*(?:{_ANY}|打)[^,\s]{{0,5}}", re.IGNORECASE).sub(
        lambda match: "#" * len(match.group()), clause.words
    )
    if _OBJECT.search(rest) or _I_SEND.search(rest):
        return None
    for method, words in _METHODS.items():
        if clause.is_question and not re.search(r"(?:可以|能|麻烦|请).*我", rest):
            continue
        match = _CALLS.search(rest) if method == "phone call" else _asked_for(words, rest)
        if match:
            confidence = LIKELY if clause.is_question else SURE
            found = _found(spoken, clause, method, match, confidence)
        elif is_asked and (
            match := re.match(
                rf"{_ANSWER_LEAD}(?:{words})(?:{_ME}|{_ENOUGH}|[\s,啦啊哦的])*$", rest, re.I
            )
        ):
            found = _found(spoken, clause, method, match, ANSWERED)
    return found


def _asked_for(words: str, rest: str) -> re.Match[str] | None:
    pattern = (
        rf"{_SENDS}\s*(?:个|一?封|一?则|一?通|一?条)?\s*(?:{words})\s*(?:到)?(?:{_ME}|{_ENOUGH})"
        rf"|{_SENDS}?(?:给|跟)我(?:传|发|寄|送|写)?\s*(?:个|一?封|一?则|一?条)?\s*(?:{words})"
        rf"|(?:{words})\s*(?:{_ME})?\s*(?:通知|联络|联系|告知|告诉|{_ENOUGH})|(?:寄|传"
        rf"|发)到我(?:的)?\s*(?:{words}|信箱|邮箱)"
        rf"|{_LIKES}\s*(?:{words})|(?:{words})\s*(?:给)?我(?:就好|就行|吧|$)"
    )
    return re.search(pattern, rest, re.IGNORECASE)


def _unwanted(spoken: Spoken, clause: Clause) -> Found | None:
    if clause.is_question:
        return None
    calls = _NO_CALLS.search(clause.words)
    if calls and not _AT_TIMES.search(clause.words):
        return _found(spoken, clause, _NONE["phone call"], calls, SURE)
    for method in ("text", "email", "letter"):
        pattern = rf"{_NOT}[^,]{{0,4}}?\s*(?:给我|{_SENDS}|收|(?=text|e-?mail)|{_SENDS}给我|给我{_SENDS})\s*(?:{_METHODS[method]})"
        match = re.search(pattern, clause.words, re.IGNORECASE)
        if match:
            return _found(spoken, clause, _NONE[method], match, SURE)
    return None


def _found(
    spoken: Spoken, clause: Clause, method: str, match: re.Match[str], confidence: float
) -> Found:
    start, end = clause.start + match.start(), clause.start + match.end()
    return Found("contact_preference", method, start, last_end(spoken.text, end), confidence)


def _time(reading: Reading, spoken: Spoken) -> Found | None:
    """Read 晚上六點以後打給我: a time of day without a date."""
    is_asked = bool(_ASKS_TIME.search(simplified(reading.asked)))
    for clause in spoken.clauses:
        is_request = clause.is_question and bool(_ASKS_CALL.search(clause.words))
        if not (clause.is_statement or is_request) or _OF_ANOTHER.search(clause.words):
            continue
        near = spoken.text[clause.start : clause.end + 12]
        if not (is_asked or _TIME_CUE.search(near)) or re.search(r"昨|刚才|上次|了$", clause.words):
            continue
        at, zone = reading.at, reading.zone
        if any(find_dates(spoken.text, at, zone, start=clause.start, end=clause.end)):
            continue
        found = _bounds(spoken.text, clause) or _part(spoken.text, clause)
        if found:
            return found
    return None


def _bounds(text: str, clause: Clause) -> Found | None:
    for place in range(clause.start, clause.end):
        first = read_clock(text, place)
        if first is None:
            continue
        confidence = AMBIGUOUS if first.is_ambiguous else SURE
        joint = _BETWEEN.match(text, first.end)
        part = re.match(r"早上|上午|中午|下午|傍晚|晚上", text[place:])
        second = read_clock(text, joint.end(), part.group() if part else "") if joint else None
        if second:
            value = f"between {first.clock} and {second.clock}"
            return Found("contact_time", value, place, second.end, confidence)
        bound = _BOUND.match(text, first.end)
        way = bound["way"] if bound else None
        if bound is None or way is None:
            return None
        is_after = way in {"以后", "之后", "过后", "后"}
        if _DENIED_TIME.search(text, clause.start, clause.end):
            is_after = not is_after
        value = f"{'after' if is_after else 'before'} {first.clock}"
        return Found("contact_time", value, place, bound.end(), confidence)
    return None


def _part(text: str, clause: Clause) -> Found | None:
    match = _PART_ONLY.search(text, clause.start, clause.end)
    if match is None or _DENIED_TIME.search(clause.words):
        return None
    return Found("contact_time", match["part"], match.start(), match.end("part"), LIKELY)
