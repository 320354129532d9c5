"""What somebody does for a living and eats, as it is said in Chinese: 我是護士, 我吃素."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from ringback.core.chinese.clauses import Spoken
from ringback.core.chinese.signs import HAN
from ringback.core.reading import LIKELY, SURE, Found, Reading

_WORK = re.compile(
    rf"我(?:现在|目前|本身)?(?:是|在?当"
    rf"|在?做)(?:一?[名位个])?(?P<work>(?![我你您他她的])[{HAN}]{{0,5}}?"
    r"(?:老师|教师|护士|护理师|医生|医师|工程师|律师|司机|学生|会计师?|厨师|业务员?|设计师|公务员"
    r"|家庭主妇|记者|编辑|作家|画家"
    r"|警察|消防员|店员|店长|教授|药师|药剂师|技师|电工|水电工|农夫|农民|军人|翻译|程序员"
    r"|程式设计师|经理|秘书|助理|研究员|空服员|飞行员|保安|保姆))"
    r"(?=$|[啦啊哦呀,])"
)
_DIETS = MappingProxyType(
    {
        "vegan": r"吃(?:全素|纯素)|纯素(?:者|主义)|全素|vegan",
        "vegetarian": r"(?:吃|是)(?:长|早|奶蛋|蛋奶|锅边)?素|素食(?:者|主义)|不吃肉|vegetarian",
        "halal": r"(?:只)?吃清真|清真饮食|halal",
        "gluten-free": r"不(?:能)?吃麸质|无麸质",
        "lactose-free": r"乳糖不耐",
    }
)
_OVER = re.compile(r"不(?:再)?吃素|以前|不是|素了|没有|[他她]|朋友|先生|太太|老公|老婆|妈|爸")


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find the caller's work and diet; a call's schema says which of them are kept."""
    for clause in spoken.clauses:
        if not clause.is_statement:
            continue
        work = _WORK.search(clause.words)
        if work:
            start, end = clause.start + work.start("work"), clause.start + work.end("work")
            yield Found("occupation", reading.text[start:end], start, end, LIKELY)
        if "我" not in clause.words or _OVER.search(clause.words):
            continue
        for diet, words in _DIETS.items():
            match = re.search(words, clause.words, re.IGNORECASE)
            if match:
                start = clause.start + match.start()
                yield Found("diet", diet, start, clause.start + match.end(), SURE)
                break
