"""Account and phone numbers as they are said in Chinese: 四八二一, 零九一二, 幺三八."""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ringback.core.chinese.clauses import CORRECTION, Clause, Spoken, spoken as spoken_of
from ringback.core.chinese.number_parts import part_at
from ringback.core.chinese.signs import DIGITS, digits_at, runs_in, simplified
from ringback.core.number_parts import with_part
from ringback.core.number_values import ACCOUNT_DIGITS, PHONE_DIGITS, is_card_number
from ringback.core.reading import ANSWERED, SURE, Found, Reading
from ringback.core.relatives import CHINESE, person_ref
from ringback.records import SELF

_NOUNS = MappingProxyType(
    {
        "account_number": re.compile(
            r"(?<!银行)(?<!转账)(?<!汇款)(?<!虚拟)(?<!订单)(?<!密码)(?:"
            r"(?:客户|会员|用户|使用者|合约|合同|契约|保户|住户|缴费)的?(?:账号|账户号码?|编号"
            r"|代号|代码|号码?|卡号|证号|ID)"
            r"|账号号码|账户号码?|账号|账户(?!名)|户号|用户号|电号|水号|(?:account|customer"
            r"|member)\s*(?:number|no\.?|id)|account)",
            re.IGNORECASE,
        ),
        "phone": re.compile(
            r"(?:联络|联系|手机|行动|移动|家里|住家|公司|市内|座机|固定)?(?:电话|手机|座机"
            r"|市话)(?:号码|号)?|(?:联络|联系)方式"
            r"|(?:我的|我|手机)(?:新|旧)?号码|(?:phone|mobile|cell)(?:\s*number)?",
            re.IGNORECASE,
        ),
    }
)
_JOINT = re.compile(
    r"(?:[\s,:]|is(?![a-z])|号码|号|呢|啊|嗯|呃|那个|的话|我的|我|目前|现在|新的|已经?|了|就|用|有"
    r"|这个|这支|是的|念给你|报给你"
    r"|是|为|改成|改为|换成|变成|换|打|直接){0,7}?\s*(?=(?:不是|不对|\+|加|国码|[A-Za-z]?\s?[0-9"
    + DIGITS[10:]
    + r"两二三四五六]))"
)
_NOT = re.compile(r"\s*不是\s*")
_BUT = re.compile(r"[\s,]*(?:而是|才?是|应该是|我是)\s*")
_PLUS = re.compile(r"\s*(?:\+|加号?|国码是?|国际码)\s*")
_PART_OF = re.compile(r"\s*(?:开头|结尾|字头|末|尾|这几|那几|块|元)")
_PART_BEFORE = re.compile(
    r"(?:末|后|前|最后|尾)[二三四五六34]?(?:码|位|号)?(?:是|为)?\s*$|尾号(?:是|为)?\s*$"
    r"|密码(?:是)?\s*$"
)
_OTHERS = re.compile(
    r"(?:以前|之前|原来|原本|旧|老|上一个|前一个|那时|错|[他她]们?|[你您]们?|别人|公司|朋友|客服"
    r"|人家)的?\s*$"
)
_RELATIVES = re.compile(rf"(?:我|我们)家?的?(?P<who>{CHINESE})的?\s*(?:手机|客户)?$")
_NOW = re.compile(
    r"(?:现在|后来|已经?|目前|新的?|今年)[\s,]*(?:已经)?(?:的)?(?:是|改成|换成|变成|改为|换了?|用"
    r"|改用)了?\s*|(?:改成|换成|变成|改为|更新为)了?\s*"
)
_CALL_AT = re.compile(
    r"(?<!我)(?:打|拨|call|联络我|联系我|找我)(?:到|给我|我)?的?(?:这个|这支|手机|电话"
    r"|号码)*[\s,:是]{0,3}(?=\+|[0零〇1一幺])",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\W*(?:(?:嗯|呃|啊|哦|好|对|是|有|我的|我|你记一下|那个|就是|我?(?:找|看|查|翻)(?:一下|看|找)"
    r"|等一下|等等|稍等|请记|来|报给你|号码是|不是|不对|错了?|应该是"
    r"|不好意思|抱歉|我说错了?|说错了?|才是|no|ok)[啊啦哦耶了的]*(?:[\s,.…。]+"
    r"|(?<=[是的有对好啊啦哦耶嗯呃下看来])))*"
)
_TAIL = re.compile(r"[\s,.。!]*(?:才对|才是|没错|对|吧|啦|哦|啊|谢谢|这样|这个|以上)*[\s,.。!]*")
_GO_AHEAD = re.compile(
    r"\W*(?:好的?|嗯|可以|没问题|ok|了解)?[啊哦呀]?\W*(?:(?:请|您|你)(?:您|你)?(?:说|讲|报|念|提供"
    r"|继续)|请|go ahead|我在听|我记一下)?\W*",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(rf"不是\s*(?=[A-Za-z]?[{DIGITS}])")
_DENIED = re.compile(r"不是|不对|错了")


@dataclass(frozen=True, slots=True)
class _Number:
    value: str
    start: int
    end: int


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find the account number and the phone number in one of the caller's turns."""
    newest: dict[tuple[str, str], Found] = {}
    topic = _topic(reading)
    for clause in spoken.clauses:
        if clause.is_supposed or clause.is_reported or (clause.is_question and not topic):
            continue
        named = [*_named(spoken, clause)]
        for found in named or _answered(reading, spoken, clause, topic):
            newest[found.key, found.subject] = found
        topic = _last_topic(clause.words) or topic
        mended = _mended(reading, spoken, clause, newest)
        if mended:
            newest[mended.key, SELF] = mended
    yield from newest.values()


def _mended(
    reading: Reading, spoken: Spoken, clause: Clause, own: Mapping[tuple[str, str], Found]
) -> Found | None:
    """Read 不對,最後一碼是七: of the number that the agent read back, or the caller gave."""
    read = part_at(spoken.text, clause.start, clause.end)
    if read is None or not clause.is_statement:
        return None
    part, start, end = read
    asked = simplified(reading.asked)
    back = {digits.value for digits in runs_in(asked)}
    given = {key: found.value for (key, subject), found in own.items() if subject == SELF}
    known = given or {key: reading.known[key] for key in _NOUNS if key in reading.known}
    repeated = {key: value for key, value in known.items() if value.lstrip("+") in back}
    is_denied = bool(_DENIED.search(spoken.text[: clause.start]))
    is_free = is_denied and (bool(given) or not (back or "?" in asked or "吗" in asked))
    of = repeated or (known if is_free else {}) or {one.key: one.value for one in _read_back(asked)}
    if len(of) != 1:
        return None
    key, old = next(iter(of.items()))
    value = with_part(old, part)
    return Found(key, value, start, end, ANSWERED) if value else None


def _read_back(asked: str) -> Iterator[Found]:
    return asked_about(spoken_of(asked)) if asked else iter(())


def asked_about(spoken: Spoken) -> Iterator[Found]:
    """Read the number that a question asks to confirm: 您的帳號是4821嗎."""
    for clause in spoken.clauses:
        for key, noun in _NOUNS.items():
            for cue in noun.finditer(spoken.text, clause.start, clause.end):
                joint = _JOINT.match(spoken.text, cue.end())
                found = _corrected(spoken.text, joint.end(), key, ANSWERED) if joint else None
                if found:
                    yield found


def _topic(reading: Reading) -> str:
    """What the agent asks for, or what the caller was about to give."""
    asked = simplified(reading.asked)
    is_go_ahead = bool(_GO_AHEAD.fullmatch(asked))
    return _last_topic(asked) or (_last_topic(simplified(reading.lately)) if is_go_ahead else "")


def _last_topic(words: str) -> str:
    last = {
        key: max((match.end() for match in noun.finditer(words)), default=-1)
        for key, noun in _NOUNS.items()
    }
    key = max(last, key=lambda one: last[one])
    return key if last[key] >= 0 else ""


def _named(spoken: Spoken, clause: Clause) -> Iterator[Found]:
    """Read 我的帳號是四八二一, with what corrects it."""
    text = spoken.text
    for key, noun in _NOUNS.items():
        for cue in noun.finditer(text, clause.start, clause.end):
            if clause.is_hedged or clause.is_question:
                continue
            before = text[clause.start : cue.start()]
            relative = _RELATIVES.search(before)
            joint = _JOINT.match(text, cue.end())
            if (_OTHERS.search(before) and not relative) or joint is None:
                continue
            found = _corrected(text, joint.end(), key, SURE)
            if found:
                yield replace(found, subject=person_ref(relative["who"])) if relative else found
    for cue in _CALL_AT.finditer(text, clause.start, clause.end):
        found = _corrected(text, cue.end(), "phone", SURE)
        if found:
            yield found


def _answered(reading: Reading, spoken: Spoken, clause: Clause, topic: str) -> Iterator[Found]:
    """Digits alone where they were asked for, 現在改成…, or 不是…是…."""
    text = spoken.text
    is_put_right = bool(_DENIED.search(spoken.text) or _NOW.search(clause.words))
    known = next((one for one in _NOUNS if one in reading.known), "") if is_put_right else ""
    key = topic or known
    if not key or clause.is_question or (clause.is_hedged and not _DENIED.search(clause.words)):
        return
    for start in _starts(text, clause):
        found = _corrected(text, start, key, ANSWERED)
        tail = _TAIL.match(text, found.end) if found else None
        is_own_clause = tail is not None and tail.end() >= clause.end
        if found and not topic and len(found.value) != len(reading.known[key]):
            continue
        if found and (is_own_clause or _NOW.fullmatch(text, clause.start, start)):
            yield found
            return


def _starts(text: str, clause: Clause) -> Iterator[int]:
    """Where digits may begin that answer: 不是4821 alone answers nothing."""
    denial = _NOT_THAT.search(text, clause.start, clause.end)
    if denial:
        yield denial.start()
        return
    now = _NOW.search(text, clause.start, clause.end)
    lead = _LEAD.match(text, clause.start)
    yield from (match.end() for match in (now, lead) if match)


def _corrected(text: str, start: int, key: str, confidence: float) -> Found | None:
    """Read a number and follow its corrections; 不是4821是4812 is 4812."""
    negation = _NOT.match(text, start)
    if negation:
        wrong = _number(text, negation.end(), key)
        but = _BUT.match(text, wrong.end) if wrong else None
        number = _number(text, but.end(), key) if but else None
    else:
        number = _number(text, start, key)
    while number and (cue := CORRECTION.match(text, number.end)):
        following = _number(text, cue.end(), key)
        if following is None:
            break
        number = following
    if number is None:
        return None
    return Found(key, number.value, number.start, number.end, confidence, SELF)


def _number(text: str, start: int, key: str) -> _Number | None:
    if _PART_BEFORE.search(text[max(0, start - 8) : start]):
        return None
    plus = _PLUS.match(text, start) if key == "phone" else None
    run = digits_at(text, plus.end() if plus else start)
    if run is None or _PART_OF.match(text, run.end) or is_card_number(run.value):
        return None
    if key == "phone":
        least, most = PHONE_DIGITS
        if not run.value.isdigit() or not least <= len(run.value) <= most:
            return None
        return _Number(("+" if plus else "") + run.value, start, run.end)
    least, most = ACCOUNT_DIGITS
    return _Number(run.value, run.start, run.end) if least <= len(run.value) <= most else None
