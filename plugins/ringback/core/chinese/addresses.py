"""E-mail addresses said aloud in Chinese (小老鼠, 點), and where somebody lives (路, 巷, 號)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ringback.core.chinese.clauses import CORRECTION, Clause, Spoken
from ringback.core.chinese.signs import DIGITS, HAN, NUMBER, digits_at, number_of, simplified
from ringback.core.reading import ANSWERED, SURE, Found, Reading
from ringback.core.relatives import CHINESE, person_ref
from ringback.records import SELF

MAX_PARTS = 60  # of an address said aloud

_EMAIL_NOUN = re.compile(
    r"(?:电子)?(?:信箱|邮箱|邮件|电邮)(?:地址|账号)?|e-?mail(?:\s?address|地址)?|(?<![a-z])mail",
    re.IGNORECASE,
)
_EMAIL_JOINT = re.compile(
    r"(?:[\s,:]|是|地址|的话|呢|is(?![a-z])|嗯|呃|那个|我的|改成|换成|变成|现在|寄到|了|为"
    r"|就是){0,6}"
)
_SIGNS = (
    ("@", re.compile(r"小老鼠|老鼠|艾特|@|圈a|at(?![a-z])|at\s?mark", re.IGNORECASE)),
    (".", re.compile(r"点|\.|dot(?![a-z])", re.IGNORECASE)),
    ("_", re.compile(r"下划线|底线|底杠|下横线|_|underscore", re.IGNORECASE)),
    (
        "-",
        re.compile(
            r"减号|中划线|中线|横线|横杠|破折号|短横|杠|减|-|dash(?![a-z])|hyphen", re.IGNORECASE
        ),
    ),
    ("+", re.compile(r"加号|\+|plus(?![a-z])", re.IGNORECASE)),
)
_SKIPPED = re.compile(
    r"(?:[\s,、]|嗯|呃|啊|然后是?|再来是?|接着是?|后面是?|全部?小写|小写的?|都是小写|数字的?"
    r"|英文的?|再(?!见)|一个)+"
)
_TOKEN = re.compile(r"[A-Za-z0-9]+")
_REPEAT = re.compile(r"(?P<times>[两二三四2-4])个\s?(?P<sign>[A-Za-z](?![A-Za-z]))")
_EMAIL = re.compile(
    r"[a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}\.[a-z]{2,24}"
)
_OTHERS = re.compile(r"(?:以前|之前|原来|旧|老|[他她]们?|[你您]们?|别人|公司|朋友|客服)的?\s*$")
_RELATIVES = re.compile(rf"(?:我|我们)家?的?(?P<who>{CHINESE})的?\s*(?:家|现在|都|是)?$")
_ASKS_EMAIL = re.compile(r"信箱|邮箱|电邮|邮件地址|e-?mail", re.IGNORECASE)

_LIVES = re.compile(
    r"(?:住(?:在|到|的是)?|搬(?:到|去|来|家到)|(?:地址|住址|住处|户籍地|address)(?:已经|现在"
    r"|目前)?\s?(?:is|是|在|改成|换成|改为|变成|:)?|寄到|送到|家(?:里)?在"
    r"|搬家了?[\s,]*现在在)\s*(?:了|我家|这个)?[\s,:]*"
)
_NOT_LIVING = re.compile(
    r"(?:以前|之前|原本|本来|原来|从前|旧|老|不是|没有?|不|小时候|曾经)[^,]{0,4}$"
)
_LIVES_ELSEWHERE = re.compile(r"^(?:过|不|得|院|宿)")
_ASKS_PLACE = re.compile(r"地址|住址|住(?:在)?哪|住(?:在)?(?:什么|哪)|寄到哪|送到哪|哪里?住")
_PLACE_LEAD = re.compile(
    r"\W*(?:(?:嗯|呃|好|是|在|我住|我家|我们|我的|就是|地址|请寄到|寄到|送到|改成|现在)(?:在"
    r"|是)?[\s,:]*)*"
)
_HOUSE = rf"(?:{NUMBER}(?:-\d+|之{NUMBER})?(?:号楼?|楼|层|室|户|房|单元|栋|幢|座|弄|巷|F)(?:之{NUMBER})?|[A-Z甲乙丙丁]栋|[A-Z甲乙丙丁]座)"
_STREET = r"(?:大道|路|街|巷|弄|胡同|村|里|段|花园|小区|大厦|新村|公寓|广场|苑|园|屯|庄|邨|道)"
_POSTAL = re.compile(
    rf"(?![我你您他她])(?:(?![我你您他她请吗是的了帮要想住在])[{HAN}0-9A-Za-z\s-]){{1,30}}?{_STREET}[\s]?(?:(?:东"
    rf"|西|南|北)?{NUMBER}段)?\s?(?:{_HOUSE}\s?){{1,6}}"
)


_NOT_HERE = re.compile(r"不是[^,。!?]{2,40}?(?:号|楼|室)[\s,]*(?:而是|应该是|是)\s*")


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find an e-mail address and a postal address in one of the caller's turns."""
    newest: dict[tuple[str, str], Found] = {}
    for clause in spoken.clauses:
        if not clause.is_statement:
            continue
        for found in (*_emails(reading, spoken, clause), *_postal(reading, spoken, clause)):
            newest[found.key, found.subject] = found
    yield from newest.values()


def _emails(reading: Reading, spoken: Spoken, clause: Clause) -> Iterator[Found]:
    text = spoken.text
    for cue in _EMAIL_NOUN.finditer(text, clause.start, clause.end):
        before = text[clause.start : cue.start()]
        relative = _RELATIVES.search(before)
        joint = _EMAIL_JOINT.match(text, cue.end())
        if joint is None or (_OTHERS.search(before) and relative is None):
            continue
        found = _corrected_email(text, joint.end(), SURE)
        if found:
            yield replace(found, subject=person_ref(relative["who"]) if relative else SELF)
            return
    if _ASKS_EMAIL.search(simplified(reading.asked)):
        start = re.compile(rf"[A-Za-z{DIGITS}]").search(text, clause.start, clause.end)
        found = _corrected_email(text, start.start(), ANSWERED) if start else None
        if found:
            yield found


def _corrected_email(text: str, start: int, confidence: float) -> Found | None:
    found = _email_at(text, start, confidence)
    while found and (cue := CORRECTION.match(text, found.end)):
        following = _email_at(text, cue.end(), confidence) or _email_at(
            text, cue.end(), confidence, before=f"{found.value.partition('@')[0]}@"
        )
        if following is None:
            break
        found = following
    return found


def _email_at(text: str, start: int, confidence: float, *, before: str = "") -> Found | None:
    """Put the words of an address together as far as they go, behind what is known of it."""
    value, place, end = before, start, start
    for _ in range(MAX_PARTS):
        skipped = _SKIPPED.match(text, place)
        place = skipped.end() if skipped else place
        part = _email_part(text, place)
        if part is None or ("@" in value and part[0] == "@"):
            break
        value, place = value + part[0], part[1]
        if part[0] not in ".":
            end = place
    whole = _EMAIL.fullmatch(value.strip(".").lower())
    return Found("email", whole.group(), start, end, confidence) if whole else None


def _email_part(text: str, place: int) -> tuple[str, int] | None:
    for sign, words in _SIGNS:
        match = words.match(text, place)
        if match:
            return sign, match.end()
    repeat = _REPEAT.match(text, place)
    if repeat:
        times = number_of(repeat["times"]) or 1
        return repeat["sign"].lower() * times, repeat.end()
    token = _TOKEN.match(text, place)
    if token:
        return token.group().lower(), token.end()
    run = re.compile(rf"[{DIGITS}]+").match(text, place)
    digits = digits_at(text[: run.end()], place) if run else None
    return (digits.value, digits.end) if digits else None


def _postal(reading: Reading, spoken: Spoken, clause: Clause) -> Iterator[Found]:
    text = spoken.text
    for cue in _LIVES.finditer(text, clause.start, clause.end):
        before = text[clause.start : cue.start()]
        relative = _RELATIVES.search(before)
        if _NOT_LIVING.search(before) or (_OTHERS.search(before) and relative is None):
            continue
        if _LIVES_ELSEWHERE.match(text[cue.end() :]):
            continue
        found = _corrected_place(reading.text, text, cue.end(), SURE)
        if found:
            yield replace(found, subject=person_ref(relative["who"]) if relative else SELF)
            return
    lead = _PLACE_LEAD.match(text, clause.start)
    if lead and _ASKS_PLACE.search(simplified(reading.asked)):
        found = _corrected_place(reading.text, text, lead.end(), ANSWERED)
        if found:
            yield found


def _corrected_place(said: str, text: str, start: int, confidence: float) -> Found | None:
    found = _place_at(said, text, start, confidence)
    while found and (cue := CORRECTION.match(text, found.end)):
        following = _place_at(said, text, cue.end(), confidence)
        if following is None:
            break
        found = following
    return found


def _place_at(said: str, text: str, start: int, confidence: float) -> Found | None:
    denial = _NOT_HERE.match(text, start)
    if denial:
        start = denial.end()
    match = _POSTAL.match(text, start)
    if match is None:
        return None
    end = match.start() + len(match.group().rstrip())
    return Found("address", said[start:end], start, end, confidence)
