"""A turn's Chinese clauses, and what each is: a statement, a question, a guess, a report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ringback.core.chinese.signs import HAN, simplified

_COUNTING = "零〇一二三四五六七八九十两幺百半"
_WORDS = rf"(?![{_COUNTING}])[{HAN}]"
_BREAK = re.compile(rf"[,;。!?…]+\s*|\.(?=\s|$)\s*|\.{{2,}}\s*|(?<={_WORDS})\s+(?={_WORDS})")
_QUESTION = re.compile(
    r"吗[啊呀哦]?$|(?:是不是|是否|会不会|能不能|能否|可否|可不可以|有没有|要不要|(?<!不)行不行"
    r"|(?<!不)好不好|(?<!不)对不对|需不需要"
    r"|怎么|怎样|如何|为什么|为何|(?<!没)什么|啥|哪|谁|几点|几号|几月|期几|周几|拜几|第几|多少"
    r"|(?<!没)多久|多长)"
    r"|了没有?$|呢$"
)
_SUPPOSED = re.compile(
    r"如果|要是|假如|假设|假使|假定|倘若|万一|的话|除非|若是|若(?=[我你您他她有没不])|就算|即使"
    r"|哪天|比方说|比如说|举例"
)
_REPORTED = re.compile(
    r"(?:[他她]们?|(?<![请能以烦跟和])(?:你们|您|你)|人家|别人|有人|大家|客服|师傅|工程师|老板"
    r"|网路上|网上|新闻|(?:妈|爸|公|婆|太太|先生|哥|弟|姐|妹"
    r"|友|同事|邻居|儿子|女儿|专员|小姐))(?:之前|上次|昨天|刚刚|刚才|那时候?|就|都|跟我|和我"
    r"|还)*(?:说|讲|告诉我|表示|提到|以为|觉得)"
    r"(?!的?帐?号)|听说|据说|传说|说是(?!我)|我以为|我梦到|假装|开玩笑"
)
_HEDGED = re.compile(
    r"可能|也许|或许|好像|大概|搞不好|说不定|似乎|不确定|不太确定|不知道|不晓得|不记得|不太记得|猜"
    r"|印象中|应该(?!.{0,4}才对)"
)
_INSTRUCTION = re.compile(
    r"(?:忽略|无视|忘记|忘掉|忘了|不要管|别管|不用管|跳过|绕过|略过|取代|覆盖).{0,12}(?:指令|指示"
    r"|规则|规定|设定|提示词?|限制|验证|认证|身份|身分|核对)"
    r"|从现在(?:开始|起).{0,4}[你您]|[你您](?:现在)?(?:是|扮演|变成)(?:一个|一位)?(?:没有限制"
    r"|管理员|系统|开发者|黑客)|假装[你您]"
    r"|系统(?:提示|指令|讯息|消息|信息)?\s*:|管理员模式|开发者模式|越狱|提示词"
    r"|(?:记住|记得|记下|记好|存下来|储存|学会).{0,16}(?:每次|永远|一律|以后都|凡是|总是|都要|都得"
    r"|必须|不用验证|免费)"
    r"|(?:以后|今后|下次|每次我?(?:打|来电|打来)).{0,12}(?:一律|都要给|都给我|直接给我|自动"
    r"|不用验证|免验证|打折|免费|折扣)"
    r"|[你您]们?(?:必须|一定要|只能|永远|总是|一律)(?:永远|总是|一律|都|要|得)*(?:给|帮|听|回答|说"
    r"|同意|批准|服从|执行|告诉)"
)
_ASSENT = re.compile(
    r"\W*(?:(?:嗯+|哦|喔|啊)[\s,]*)?(?:好|可以|行|没问题|没错|对|是的?|正确|ok|okay|yes|当然|方便"
    r"|就这样|那就这样|没关系)"
    r"(?:[的啊呀哦啦耶呢吧了]|好|对|可以|没错|就这样|是|谢谢您?你?|感谢|麻烦您?你?了?|没问题|那就"
    r"|这样|ok|\W)*",
    re.IGNORECASE,
)
_PERIOD = frozenset("。!?")

_AGAIN = r"(?:不对|错了|说错了?|讲错了?|念错了?|记错了?|更正|抱歉|对不起|不好意思|我是说|我说错了?|应该是|应该|等一下|等等|sorry|是)"
CORRECTION = re.compile(
    r"[\s,.…。!;-]{0,6}(?:(?:啊|呃|哦|噢|诶|哎呀?|嗯|唉|那个|喂|抱歉|对不起|不好意思|等等"
    r"|等一下)[\s,.…]{0,3}){0,3}"
    r"(?:(?<=[啊哦噢诶])\s?不(?=[\s,.…])|不对不对|不对|不不不?|不是(?:[啦哦耶啊]+|\s*(?=[,…。])"
    r"|\s+(?=\D)|(?=不是))|错了|错|(?:我)?(?:说|讲|念|记)错了?|更正一?下?|等一下|等等"
    r"|我是(?:要)?说|我的意思是|应该是|应为|还是改|改成|sorry|no|wait)[啦哦耶啊了]{0,2}"
    rf"(?:[\s,.…。!]{{0,4}}{_AGAIN}[啦哦耶啊了]{{0,2}}){{0,4}}[\s,:]{{0,3}}(?:改成|改到|改|号码是"
    rf"|账号是|约)?\s{{0,2}}",
    re.IGNORECASE,
)
"""What comes between a value and the one that takes its place, in simplified signs."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its words, and what they are."""

    start: int
    end: int
    words: str
    """In simplified signs."""
    is_question: bool
    is_supposed: bool
    is_reported: bool
    is_hedged: bool

    @property
    def is_statement(self) -> bool:
        """It says that something is so."""
        return not (self.is_question or self.is_supposed or self.is_reported or self.is_hedged)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn in simplified signs, with its clauses."""

    text: str
    clauses: tuple[Clause, ...]


def is_instruction(text: str) -> bool:
    """Somebody tries to tell the agent, in Chinese, how to behave."""
    return bool(_INSTRUCTION.search(simplified(text)))


def is_assent(text: str) -> bool:
    """Nothing but a yes, and thanks: 好, 可以喔 謝謝, 對對對."""
    return bool(_ASSENT.fullmatch(simplified(text)))


def spoken(text: str) -> Spoken:
    """Take a turn apart. A supposition or a report reaches over the clause behind it, too."""
    plain = simplified(text)
    clauses: list[Clause] = []
    is_supposed = is_reported = False
    for start, end, sign in _pieces(plain):
        words = plain[start:end]
        supposes = bool(_SUPPOSED.search(words))
        report = _REPORTED.search(words)
        asks = bool(_QUESTION.search(words)) or "?" in sign
        clauses.append(
            Clause(
                start,
                end,
                words,
                is_question=asks,
                is_supposed=supposes or is_supposed,
                is_reported=report is not None or is_reported,
                is_hedged=bool(_HEDGED.search(words)),
            )
        )
        closes = bool(_PERIOD & set(sign))
        is_supposed = supposes and not closes
        is_reported = report is not None and report.end() == len(words) and not closes
    return Spoken(plain, tuple(clauses))


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    start = len(text) - len(text.lstrip())
    for match in _BREAK.finditer(text, start):
        if text[start : match.start()].strip():
            yield start, match.start(), match.group()
        start = match.end()
    if text[start:].strip() or not text[:start].strip():
        yield start, len(text), ""


def last_end(text: str, end: int) -> int:
    """Where an offset lies without the particles and signs before it: 吧, 啦, a comma."""
    return len(text[:end].rstrip(" ,.。!?啦哦啊呀吧耶呢嘛了"))
