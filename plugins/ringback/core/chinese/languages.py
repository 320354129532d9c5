"""The language that the caller wants to speak, as it is said in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from ringback.core.chinese.clauses import Clause, Spoken
from ringback.core.reading import SURE, Found, Reading
from ringback.core.relatives import CHINESE

_OF_ANOTHER = re.compile(rf"我(?:的|家)?(?:{CHINESE})|[他她]")
_LANGUAGES = MappingProxyType(
    {
        "Mandarin": "国语|普通话|华语|汉语|mandarin",
        "Chinese": "中文|chinese",
        "Cantonese": "粤语|广东话|白话(?!文)|cantonese",
        "Taiwanese": "台语|闽南语|闽南话|福建话",
        "Hakka": "客家话|客语",
        "Shanghainese": "上海话",
        "English": "英文|英语|english",
        "Japanese": "日文|日语|japanese",
        "Korean": "韩文|韩语|korean",
        "Vietnamese": "越南语|越南文|越语",
        "Indonesian": "印尼语|印尼文|印尼话",
        "Thai": "泰文|泰语",
        "Tagalog": "菲律宾语|他加禄语",
        "French": "法文|法语",
        "German": "德文|德语",
        "Spanish": "西班牙文|西班牙语|西语",
        "Portuguese": "葡萄牙文|葡萄牙语|葡语",
        "Russian": "俄文|俄语",
        "Italian": "意大利文|意大利语",
    }
)
_LANGUAGE = "|".join(_LANGUAGES.values())
_SPEAKS = r"(?:讲|说|用|听得?懂|听|会讲|会说|懂|看得?懂|speak|沟通)"
_ONLY = re.compile(
    rf"(?:只|仅|就|only)\s?(?:会|能|懂|听得懂|听懂|可以)?(?:{_SPEAKS})*\s*(?:{_LANGUAGE})",
    re.IGNORECASE,
)
_WISHES = re.compile(
    rf"(?:{_LANGUAGE})\s?please|"
    rf"(?:请|麻烦|拜托|希望|想|要|比较(?:习惯|会|喜欢)|习惯|偏好|喜欢|改|我们|咱们|还是|比较想"
    rf"|最好|prefer)(?:你们|你|您|可以|能|跟我|和我|都|继续|改)*{_SPEAKS}\s*(?:{_LANGUAGE})"
    rf"|(?:我|我们)(?:可以|能|能不能|可不可以|可否|想|要)(?:跟你|和你)?{_SPEAKS}\s*(?:{_LANGUAGE})"
    rf"|{_SPEAKS}\s*(?:{_LANGUAGE})\s*(?:好吗|行吗|可以吗|比较好|就好|吧|好了|我比较)"
    rf"|(?:可以|能|能不能|可不可以|可否|能否)(?:跟我|和我|用|改用|切换到|换成|转"
    rf"|帮我转)?\s*(?:{_SPEAKS})?\s*(?:{_LANGUAGE})",
    re.IGNORECASE,
)
_OTHER_BAD = re.compile(
    r"(?:文|语|话|english|chinese)\s?(?:不(?:太|大|是很)?(?:好|行|会|流利)|很(?:差|烂|破)"
    r"|讲得?不好|听不懂)|(?:听不懂|不(?:太)?(?:会|懂)(?:讲|说|听)?|不是很懂)\s*(?:中文|国语|英文"
    r"|英语|普通话|华语|台语|english)"
)
_ABILITY = re.compile(r"[你您]们|客服.*会|有没有|有(?:会|讲|说|没)|有人|专员|他|她")


def read(_: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find the language that the caller wants to speak."""
    for clause in spoken.clauses:
        if clause.is_supposed or clause.is_reported or _OF_ANOTHER.search(clause.words):
            continue
        only = _ONLY.search(clause.words)
        wish = only or _WISHES.search(clause.words)
        if wish is None or re.search(r"不(?:想|要|会|能|太会)", clause.words[: wish.end()]):
            continue
        if clause.is_question and not _is_request(spoken, clause):
            continue
        said = wish.group()
        language = next(
            name for name, words in _LANGUAGES.items() if re.search(words, said, re.IGNORECASE)
        )
        start = clause.start + wish.start()
        yield Found("language", language, start, clause.start + wish.end(), SURE)
        return


def _is_request(spoken: Spoken, clause: Clause) -> bool:
    """A question that asks for a language, not whether anybody speaks it."""
    if _ABILITY.search(clause.words):
        return False
    asks_for_self = re.search(r"我|请|麻烦|换|转", clause.words)
    return bool(asks_for_self or _OTHER_BAD.search(spoken.text))
