"""Whether two names may be one person's: short for the other, misheard, or part of it.

In doubt they may. Who shares a phone mostly has another first name, while speech recognition
spells one name in several ways.
"""

from __future__ import annotations

import re
import unicodedata
from types import MappingProxyType

from ringback.core.chinese.signs import simplified
from ringback.core.given_names import GIVEN_NAMES
from ringback.text import is_cjk

LEAST_SHORT = 3  # letters of a short form: "Dan" of "Daniel"
LETTERS_FOR_ONE_SLIP, LETTERS_FOR_TWO = 4, 7

_SHORT_FORMS = """
    abigail abby gail | albert al bert | alexander alexandra alex lex sandy sasha xander | alfred fred
    alfie | andrew andreas andy drew | anthony antonio tony | barbara barb babs | beatrix beatrice bea
    trixie | benjamin ben benny | caroline carolina carol carrie | catherine katherine kathleen cathy
    kathy kate katie kat kitty kay | charles charlie chuck carlos | charlotte charlie lottie |
    christopher christian chris kit | christina christine kristina chris tina | daniel dan danny |
    david dave davy | deborah deb debbie | dorothy dot dolly | edward edwin eddie ed ted ned |
    eleanor ellen nell nora | elizabeth elisabeth liz lizzie beth betty eliza elsie lisa | emily em
    emmy | eugene gene | florence flo | frances francesca fran frannie | francis francisco frank
    paco | frederick fred freddie | gabriel gabe | george georg | gerald gerard gerry jerry | gregory
    greg | harold harry hal | harriet hattie | henry harry hank heinrich | isabella isabel bella izzy
    | jacob jake | jacqueline jackie | james jim jimmy jamie | janet jan | jennifer jen jenny |
    jessica jess jessie | johannes hans johan | john jonathan jack johnny jon | joseph josef jose joe
    joey pepe | joshua josh | judith judy | julia julie | kenneth ken kenny | kimberly kim | laura
    laurie | lawrence laurence larry | leonard leo len lenny | lucia lucy | madeleine maddie |
    margaret margarita maggie meg peggy greta rita margie | martha marty | mary maria molly polly |
    matthew matteo matt | michael mike mick mickey miguel mikhail | michelle shelly | mohammed mohamed
    muhammad mo | nathan nathaniel nate | nicholas nicolas nick nico | nicole nicola nicky | pamela
    pam | patricia pat patty tricia trish | patrick pat paddy | peter pete pedro | philip phil |
    raymond ray | rebecca becky becca | reginald reg | richard rick ricky dick rich ricardo | robert
    bob bobby rob robbie bert roberto | ronald ron ronnie | samantha sam sammy | samuel sam sammy |
    sarah sally sadie | stephanie steph steffi | stephen steven steve stefan | susan susanna suzanne
    sue susie | tamara tammy | teresa theresa tess terry | theodore theo ted teddy | thomas tom tommy
    tomas | timothy tim | valerie val | veronica vera ronnie | victoria vicky tori | vincent vince |
    virginia ginny | walter walt wally | wilhelm william bill billy will willy liam | zachary zach
"""
_GROUPS = tuple(frozenset(group.split()) for group in _SHORT_FORMS.split("|"))
_TITLES = frozenset("mr mrs ms miss dr doctor sir madam prof".split())  # noqa: SIM905 - a list
_FEMALE_ENDS = ("a", "ia", "ina", "ine", "e", "ette", "elle", "ella", "ela")
_SOUNDS = (
    ("ph", "f"),
    ("bh", "f"),
    ("tz", "s"),
    ("ght", "t"),
    ("gh", ""),
    ("sch", "s"),
    ("sh", "s"),
    ("tch", "c"),
    ("ck", "k"),
    ("x", "ks"),
    ("q", "k"),
    ("z", "s"),
    ("v", "f"),
)
_SOFT = re.compile(r"c(?=[eiy])")
_VOWELS = re.compile(r"[aeiouyhw]+")
_CHINESE_TITLE = MappingProxyType(
    {
        "先生": "m",
        "爸爸": "m",
        "小姐": "f",
        "女士": "f",
        "太太": "f",
        "妈妈": "f",
        "同学": "",
        "老师": "",
    }
)
_PET = re.compile(r"^[小阿](?=.)")


def may_be_one(name: str, other: str) -> bool:
    """Two names that one person may go by.

    Args:
        name: As it was said or written: `Dana Whitfield`, `Dan`, 陳怡君, 王先生.
        other: The same; between letters and Chinese signs nothing can be told.
    """
    if is_cjk(name) != is_cjk(other):
        return True
    if is_cjk(name):
        return _chinese(simplified(name), simplified(other))
    words, others = _words(name), _words(other)
    if not words or not others or set(words) <= set(others) or set(others) <= set(words):
        return True
    if len(words) == 1 or len(others) == 1:
        return any(_alike(word, one) for word in words for one in others)
    return _alike(words[0], others[0]) or (_alike(words[0], others[-1]) and words[-1] == others[0])


def _words(name: str) -> list[str]:
    parts = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(sign for sign in parts if not unicodedata.combining(sign))
    words = re.findall(r"[^\W\d_]+", plain.replace("'", ""))
    return [word for word in words if word not in _TITLES]


def _alike(word: str, other: str) -> bool:
    """One word for the other: the same, short for it, or misheard."""
    if word == other or any(word in group and other in group for group in _GROUPS):
        return True
    short, long = sorted((word, other), key=len)
    if len(short) >= LEAST_SHORT and long.startswith(short):
        are_two = short in GIVEN_NAMES and long in GIVEN_NAMES
        return not (are_two and long[len(short) :] in _FEMALE_ENDS) or _sound(word) == _sound(other)
    slips = _slips(word, other)
    if _sound(word) == _sound(other):
        return slips <= max(1, len(short) // 2)
    if (word in GIVEN_NAMES and other in GIVEN_NAMES) or _end(word) != _end(other):
        return False
    return slips <= (len(short) >= LETTERS_FOR_ONE_SLIP) + (len(short) >= LETTERS_FOR_TWO)


def _sound(word: str) -> tuple[str, str]:
    """What is left of a word however it is spelled: its consonants, and whether it ends in a or o."""
    for letters, sound in _SOUNDS:
        word = word.replace(letters, sound)
    end = _end(word)
    consonants = _VOWELS.sub("", _SOFT.sub("s", word).replace("c", "k"))
    return re.sub(r"(.)\1+", r"\1", consonants), end


def _end(word: str) -> str:
    """Mario and Maria are two, Sara and Sarah are not."""
    last = word.removesuffix("h")[-1:]
    return last if last in ("a", "o") else ""


def _slips(word: str, other: str) -> int:
    """How many letters to change, add or leave out (Levenshtein)."""
    above = list(range(len(other) + 1))
    for row, letter in enumerate(word, start=1):
        here = [row]
        for column, one in enumerate(other, start=1):
            changed = above[column - 1] + (letter != one)
            here.append(min(above[column] + 1, here[-1] + 1, changed))
        above = here
    return above[-1]


def _chinese(name: str, other: str) -> bool:
    """By surname and given name; one sign of a given name may be misheard, two are another's."""
    (name, sex), (other, other_sex) = _untitled(name), _untitled(other)
    if sex and other_sex and sex != other_sex:
        return False
    short, long = sorted((name, other), key=len)
    if not short or _PET.sub("", short) in long:
        return True
    if len(short) == 1 or name[0] != other[0]:
        return name[1:] == other[1:] != ""
    return bool(set(name[1:]) & set(other[1:]))


def _untitled(name: str) -> tuple[str, str]:
    for title, sex in _CHINESE_TITLE.items():
        if name.endswith(title):
            return name.removesuffix(title), sex
    return name, ""
