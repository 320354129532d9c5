"""Who in a family is on the line: what a caller says of themselves, against whose call it is.

A number, a device, an account may be several people's. What they say of themselves decides
whom the call is another's; in doubt it stays whose it was.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ringback.core import names
from ringback.core.chinese import names as chinese_names
from ringback.core.chinese.clauses import spoken
from ringback.core.chinese.signs import HAN, has_chinese, simplified
from ringback.core.correction import CURRENT
from ringback.core.entities import ALIAS, NAME
from ringback.core.name_words import is_doubtful, is_known
from ringback.core.reading import Found, Reading, is_instruction
from ringback.core.relatives import CHINESE, ENGLISH, relation
from ringback.core.same_name import may_be_one
from ringback.records import SELF, Call, Fact, Role, Status, Turn, content_id
from ringback.text import folded, is_cjk, plain

NAMES = (NAME, ALIAS)
MAX_CHARACTERS = 400  # whoever gives their name does so at the beginning

_NAME = r"(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+(?:\s(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+)?"
_WHOSE = rf"(?P<whose>his|her|their|{_NAME}'s|[^\W\d_]{{3,}}'s)"
_RELATED = re.compile(
    rf"\b(?:this is|it's|it is|i'm|i am|(?:speaking|talking) (?:with|to))\s+{_WHOSE}\s+"
    rf"(?P<relation>{ENGLISH})",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    rf"(?:^|[.,!?]\s*){_WHOSE}\s+(?P<relation>{ENGLISH})\s+"
    r"(?:here|speaking|calling|on the (?:line|phone))\b",
    re.IGNORECASE,
)
_ADDED = re.compile(rf"\s*,\s*(?:i'm |i am )?{_WHOSE}\s+(?P<relation>{ENGLISH})", re.IGNORECASE)
_RELATED_IN_CHINESE = re.compile(
    rf"(?:我|这里|这边|这)是(?:(?P<whose>他|她)的?|(?P<name>[{HAN}]{{2,4}}?)的)(?P<relation>{CHINESE})"
)
_OWN_RELATIVE = re.compile(rf"\bmy\s+(?:\w+\s+)?{ENGLISH}|我(?:的|們|们)?{CHINESE}", re.IGNORECASE)
_INSTEAD = re.compile(
    rf"^(?:(?:no|nope|actually|sorry)\b[\s,.]+(?:it's|it is|this is|here is)\s+(?P<name>{_NAME})"
    rf"|here(?:'s| is)\s+(?P<now>{_NAME})\s+now\b"
    rf"|(?:(?:hi|hello|hey)[\s,]+)?(?P<new>{_NAME})\s+this time\b)",
    re.IGNORECASE,
)
_IN_CHINESE = re.compile(
    rf"我是(?P<pet>[小阿](?![孩姐弟妹])[{HAN}])(?![{HAN}])|这次(?:是|换)(?P<new>[{HAN}]{{2,3}}?)(?:打|来|在)"
)
_DENIED = re.compile(
    r"\b(?:this is not|this isn't|it's not|it is not|it isn't|i'm not|i am not|not (?:speaking|talking)"
    rf" (?:with|to))\s+(?P<who>[^\W\d_][\w-]+)\b(?!')|我不是(?P<signs>[{HAN}]{{2,4}})",
    re.IGNORECASE,
)
_ASKED_WHETHER = re.compile(
    r"\b(?:is (?:this|that)|are you|do i have|am i (?:speaking|talking) (?:with|to))\s+"
    rf"(?P<who>[^\W\d_][\w-]+)(?:\s+[\w-]+)?\s*\?|(?:您|你)是(?P<signs>[{HAN}]{{2,4}}?)(?:吗|对吗)?\s*[??]",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:no|nope|nah|wrong (?:number|person))\b(?!\s+(?:problem|worries))|不是", re.IGNORECASE
)
_SOMEBODY_ELSE = re.compile(
    r"\b(?:speaking|talking) (?:with|to) (?:someone|somebody) else\b"
    r"|\b(?:it's|it is|this is) (?:someone|somebody) else\b|我不是本人|换人[了讲接]",
    re.IGNORECASE,
)
_THIS_TIME = re.compile(r"[\s,]*this time\b", re.IGNORECASE)
_QUOTED = re.compile(
    rf"\b(?:he|she|they|who|someone|somebody|guy|lady|man|woman|girl|boy|agent|{ENGLISH}"
    r"|(?-i:[A-Z][a-z]+))\s+(?:just\s+)?(?:said|says|say|told|tells|answered|goes|was like|kept)\b"
    r"[^.?!]*$",
    re.IGNORECASE,
)
_QUOTED_IN_CHINESE = re.compile(r"[他她](?:就|又|跟我|告诉我)?(?:说|讲|回答|告诉)[^。?!]*$")
_RENAMED = re.compile(
    r"\b(?:chang\w+|correct\w*|misspel\w+|spell\w*|spelt|wrong\w*|legal|maiden|married|new|updated?"
    r"|mistake)\b[^.?!]*\bname\b|\bname\b[^.?!]*\b(?:chang\w+|wrong|incorrect\w*|misspel\w+|spelled"
    r"|spelt|not right|mistake|different now)\b|\bspell\w*\b|改名|名字.{0,4}[错改]|[打写记叫]错.{0,3}名",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a caller says of who they are."""

    name: str = ""
    relation: str = ""
    """What they are to whose number it is: `wife`."""
    whose: str = ""
    """Whose relation they are, where that is a name."""
    is_new: bool = False
    """They say themselves that it is somebody else than usual: "it's Beatrix this time"."""
    denied: str = ""
    """Whom they say they are not."""

    @property
    def is_of_somebody(self) -> bool:
        """It says more than who they are not."""
        return bool(self.name or self.relation or self.is_new)


def introduced(turns: Sequence[Turn]) -> Introduction | None:
    """Read who a call's caller says they are; the last word counts.

    Not what they quote of others, nor how their own name is to be put right.
    """
    found: Introduction | None = None
    asked = before = ""
    known: dict[str, str] = {}
    for turn in turns:
        text = plain(turn.text[:MAX_CHARACTERS])
        if turn.role is Role.AGENT:
            asked = text
            continue
        if not is_instruction(text):
            reading = Reading(text, turn.at, "UTC", asked=asked, before=before, known=known)
            found = later(found, _introduction(reading))
        before, asked = f"{before}\n{text}", ""
        if found and found.name:
            known["name"] = found.name
    return found


def later(before: Introduction | None, said: Introduction | None) -> Introduction | None:
    """The later word counts; one that only says who they are not ("I'm not sure") adds nothing."""
    if said is None or (before is not None and not said.is_of_somebody):
        return before
    return said


def names_of(
    facts: Iterable[Fact], *, besides: str = "", merged: Collection[str] = ()
) -> tuple[str, ...]:
    """What the person that facts are about goes by.

    Args:
        facts: Of every status.
        besides: A call whose own word does not count.
        merged: Calls that an operator merged into the profile: each name they gave stays one,
            also where another one took its place.
    """
    names = [fact for fact in facts if fact.key in NAMES and fact.subject == SELF]
    own = [one.value for one in names if one.call_id == besides and one.status in CURRENT]

    def counts(fact: Fact) -> bool:
        if fact.status in CURRENT or fact.call_id in merged:
            return True
        # The call only said it again; one that it put right is nobody's name any more.
        return fact.status is Status.SUPERSEDED and any(
            may_be_one(fact.value, name) for name in own
        )

    given = (one.value for one in names if one.call_id != besides and counts(one))
    return tuple(dict.fromkeys(given))


def is_another(known: Sequence[str], said: Introduction) -> bool:
    """Whoever introduces themselves so is not the person who is known by these names."""
    if known and said.name:
        return not is_one_of(known, said)
    if said.relation:
        return not said.whose or any(may_be_one(name, said.whose) for name in known)
    return said.is_new or any(_is_name_of(said.denied, name) for name in known)


def is_one_of(known: Sequence[str], said: Introduction) -> bool:
    """Whoever introduces themselves so goes by one of these names."""
    return bool(said.name) and any(may_be_one(name, said.name) for name in known)


def whose(call: Call, known: Mapping[str, Sequence[str]], said: Introduction | None) -> str | None:
    """Whose a call is that nobody has claimed yet.

    Args:
        call: With the claims that it came with.
        known: Whom those lead to, each with their names.
        said: Who the caller says they are.

    Returns:
        A new caller's id where they lead to nobody; None where they lead to several people
        and nothing tells them apart.
    """
    if not known:
        first = call.handles[0]
        return content_id(call.tenant, first.kind, first.value)
    if len(known) == 1:
        ((one, names_known),) = known.items()
        is_other = said is not None and is_another(names_known, said)
        return person_id(call, said) if said and is_other else one
    return _named(call, known, said) if said and (said.name or said.relation) else None


def another(
    call: Call,
    own: Sequence[str],
    beside: Mapping[str, Sequence[str]],
    said: Introduction,
) -> str | None:
    """Whose a call is instead of its profile's; None where it is that one's.

    Args:
        call: As it is claimed now.
        own: What that profile's person goes by, this call's own word left out.
        beside: Who else its claims lead to, each with their names.
        said: Who the caller says they are.
    """
    if not _is_beside(own, beside, said):
        return None
    into = _named(call, beside, said)
    return into if into != call.caller_id else None


def is_of_nobody_known(
    call: Call,
    own: Sequence[str],
    beside: Mapping[str, Sequence[str]],
    said: Introduction,
) -> bool:
    """Whoever speaks is not its profile's person, and it is in doubt who they are; see `another`."""
    return _is_beside(own, beside, said) and _named(call, beside, said) is None


def _is_beside(own: Sequence[str], beside: Mapping[str, Sequence[str]], said: Introduction) -> bool:
    is_of_another = any(is_one_of(names_known, said) for names_known in beside.values())
    return is_another(own, said) or (not own and is_of_another)


def _named(call: Call, known: Mapping[str, Sequence[str]], said: Introduction) -> str | None:
    """The one of several who goes by that name, or another one still; None in doubt."""
    fitting = [one for one, names_known in known.items() if is_one_of(names_known, said)]
    exact = [one for one in fitting if folded(said.name) in map(folded, known[one])]
    found = exact if len(exact) == 1 else fitting
    if len(found) > 1:
        return None
    return found[0] if found else person_id(call, said)


def person_id(call: Call, said: Introduction) -> str:
    """The id of another person under the claims that a call came with: always the same one."""
    who = folded(said.name) or (f"relation:{said.relation}" if said.relation else call.id)
    if call.handles:
        first = call.handles[0]
        return content_id(call.tenant, first.kind, first.value, who)
    return content_id(call.tenant, "beside", call.caller_id, who)


def _introduction(reading: Reading) -> Introduction | None:
    text = reading.text
    if _RENAMED.search(text) or _RENAMED.search(simplified(text)):
        return None
    name = next((one for one in _names_in(reading) if not _is_quoted(text, one.start)), None)
    related = _relation(reading, name)
    if name is None:
        return related or _otherwise(reading)
    said = related or Introduction()
    is_new = bool(_THIS_TIME.match(text, name.end))
    return Introduction(name.value, said.relation, said.whose, is_new)


def _otherwise(reading: Reading) -> Introduction | None:
    """Whoever says in other words, or without a name, that they are not who they are taken for."""
    text, signs = reading.text, simplified(reading.text)
    instead, in_chinese = _INSTEAD.match(text), _IN_CHINESE.search(signs)
    if instead is not None:
        name = instead["name"] or instead["now"] or instead["new"]
        if is_known(name) and not is_doubtful(name):
            return Introduction(name, is_new=not instead["name"])
    if in_chinese and not _is_quoted(text, in_chinese.start()):
        name = in_chinese["pet"] or in_chinese["new"]
        start = in_chinese.start("pet" if in_chinese["pet"] else "new")
        return Introduction(text[start : start + len(name)], is_new=bool(in_chinese["new"]))
    if (other := _SOMEBODY_ELSE.search(signs)) and not _is_quoted(text, other.start()):
        return Introduction(is_new=True)
    denied = _DENIED.search(signs)
    if denied is not None and _is_quoted(text, denied.start()):
        return None
    if denied is None and _NO.match(signs):
        denied = _ASKED_WHETHER.search(simplified(reading.asked))
    return Introduction(denied=denied["who"] or denied["signs"]) if denied else None


def _is_name_of(denied: str, name: str) -> bool:
    """A word that somebody says they are not is one of this person's names; exactly, for letters."""
    if not denied or is_cjk(denied) != is_cjk(name):
        return False
    return may_be_one(denied, name) if is_cjk(name) else folded(denied) in folded(name).split()


def _names_in(reading: Reading) -> Iterable[Found]:
    yield from names.read(reading)
    if has_chinese(reading.text + reading.asked):
        yield from chinese_names.read(reading, spoken(reading.text))


def _relation(reading: Reading, name: Found | None) -> Introduction | None:
    text = reading.text
    in_chinese = _RELATED_IN_CHINESE.search(simplified(text))
    if in_chinese:
        if in_chinese["whose"] and _OWN_RELATIVE.search(reading.before):
            return None
        return Introduction(
            relation=relation(in_chinese["relation"]), whose=in_chinese["name"] or ""
        )
    match = _RELATED.search(text) or _SIGNED.search(text)
    if match is None and name:
        match = _ADDED.match(text, name.end)
    if match is None or _is_quoted(text, match.start()):
        return None
    whose = match["whose"].removesuffix("'s")
    is_named = match["whose"].endswith("'s")
    if not is_named and _OWN_RELATIVE.search(f"{reading.before}\n{text[: match.start()]}"):
        return None  # "my husband called, I'm his wife": it is the husband of whoever speaks
    return Introduction(relation=relation(match["relation"]), whose=whose if is_named else "")


def _is_quoted(text: str, place: int) -> bool:
    ahead = text[:place]
    return bool(_QUOTED.search(ahead) or _QUOTED_IN_CHINESE.search(simplified(ahead)))
