"""The caller's own name, as it is said in Chinese: 我叫, 我姓, 敝姓, 我是…, 這裡是…."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.chinese.clauses import CORRECTION, Clause, Spoken
from ringback.core.chinese.signs import HAN, simplified
from ringback.core.reading import ANSWERED, LIKELY, SURE, Found, Reading

_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪"
    "范金石廖贾夏韦付方白邹孟熊秦邱丘江尹薛闫阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤赖詹游洪柯翁庄涂施简阮古巫温卓"
    "纪连尤童颜倪欧骆章殷康葛俞齐伍牛安易常梅左关甘包祝凌霍辛管庞耿聂焦喻柳华路岳鲁季柏辜欧麦蓝佘饶蒲翟冉鲍宁符申冼岑区"
)
_DOUBLE_SURNAMES = "欧阳|司徒|诸葛|上官|司马|皇甫|夏侯|东方|端木|尉迟|张简|范姜|长孙|慕容|公孙|令狐"
_SURNAME = rf"(?:{_DOUBLE_SURNAMES}|[{_SURNAMES}])"
_GIVEN = rf"(?:(?![我你您他她它是的了吗呢吧啦想要请问打不也很在这那就从住来帮和跟说])[{HAN}])"
_LATIN = r"[A-Z][a-z]+(?:\s[A-Z][a-z]+){0,2}"
_LATIN_SMALL = (
    r"[A-Za-z][a-z]+(?:\s[A-Z][a-z]+|\s(?!account|here|speaking|from|and|my|is)[a-z]+){0,2}"
)
_TITLE = r"(?:先生|小姐|女士|太太|同学|老师|医师|医生|经理|律师|教授|妈妈|爸爸)"
_END = (
    r"(?=\s*(?:$|[,.。!?…;:]|[啦哦啊呀耶呢哈嘿](?![一-鿿]{2}的)|"
    + rf"\s[{HAN}A-Za-z]|[\s,]*[双立弓木耳口古言]))"
)
_SOFT = r"(?=\s*(?:我|你|您|想|要|请|打|帮|来|也|从|住|在|这|那|就|不|然后|今|昨|刚|麻烦|喂|谢|电话|账号|手机|客户|是|有|因|跟|和))"
_NAME = re.compile(
    rf"(?P<name>{_SURNAME}{_TITLE}|{_SURNAME}{_GIVEN}{{2}}{_END}|{_SURNAME}{_GIVEN}{_END}"
    rf"|[{_SURNAMES}](?=[{_SURNAMES}]){_GIVEN}{{3}}{_END}"
    rf"|{_SURNAME}{_GIVEN}{{2}}{_SOFT}|{_SURNAME}{_GIVEN}{_SOFT}"
    rf"|{_LATIN}(?:{_END}|{_SOFT}))"
)
_PET_NAME = re.compile(
    rf"(?P<name>[小阿](?![时姐妹弟孩姨妈公嬷学朋问])[{HAN}]{{1,2}}(?:{_END}|{_SOFT})"
    rf"|{_LATIN_SMALL}(?:{_END}|{_SOFT}))"
)
_SURNAME_ONLY = re.compile(rf"(?P<name>{_SURNAME})(?:先生|小姐|女士)?{_END}")
_NO_NAME = re.compile(
    r"高雄|高中|高级|高兴|高铁|黄金|白金|白天|金卡|金融|马上|马来|江苏|江西|云南|温州|常常|常客"
    r"|常用|成人|石油|安全|安排|安装|安徽"
    r"|何时|何况|方便|方法|方案|关于|关心|关系|于是|包裹|包括|路上|路边|路由|华为|华硕|华南|简讯"
    r"|简单|连线|连络|连接|连续|万一|程序"
    r"|游戏|武汉|石家庄|金门|宁波|常州|康复|任何|段时|周一|周二|周三|周四|周五|周六|周日|周末|钟头"
    r"|左右|古董|易经|申请|余额|毛病|牛奶"
    r"|管理|焦急|季节|路过|区域|区公|符合|向你|向您|温度|洪水|范围|严重|夏天|江边|毛巾|石头|万分"
    r"|花莲|梅雨|童装|史上|汤|林口|唐山"
    r"|台|叶片|田里|孔|石材|章节|龙头|马达|马桶|白色|黄色|蓝色|金色|金额|董事|秦皇|陶瓷|雷雨|雷达"
    r"|莫名|孟加|安心|安静|安卓|计程"
)
_NO_LATIN = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|June|July|August"
    r"|September|October"
    r"|November|December|English|Chinese|Mandarin|Yes|No|Okay|Hello|Today|Tomorrow|Sorry|The|This"
    r"|Not)\b"
)
_NO_PERSON = re.compile(r".*(?:会员|客户|用户|人|员|卡|店|家|公司|里|市|区|路|网|费|楼)$")
_HI = r"(?:(?:喂|你好|您好|哈啰|哈喽|嗨|早安|早上好|午安|晚安|是的|对|嗯|呃|那个|不是|不对|hi|hello|ok|好)[啊呀啦哦]?[\s,]*)*"
_CALLED = re.compile(
    r"(?<![他她你您叫家友])(?:我|本人|俺)(?:现在|本人|全名|名字|这边|这里|的名字|的全名|的中文名字"
    r"|的英文名字|的姓名|的大名|已经?)*(?:改名)?"
    r"(?:就)?(?:叫做|叫作|叫|名叫|是叫)\s*|(?:我的|^\W*)(?:全名|名字|姓名|大名)(?:是|叫做?|:)\s*"
    r"|改名(?:叫|成|为)\s*|(?<![他她])现在(?:改)?叫(?!我)\s*|(?:my |我的?\s?)(?:name|名字)\s?(?:'s"
    r"|is|是|叫)\s*"
)
_CALL_ME = re.compile(r"(?<!都)(?<!们)叫我\s*")
_FAMILY = re.compile(r"(?:我|敝|免贵|小姓|本人)[\s,]*姓\s*|敝姓\s*|免贵姓?\s*")
_GIVEN_NAME = re.compile(
    rf"(?:(?:名字?|全名)(?:叫做?|是)?|叫做?|单名一?个?)(?P<given>{_GIVEN}{{1,2}}?)(?:字|{_END})"
)
_AM = re.compile(
    rf"^\W*{_HI}(?:(?:我|我这边|我这里|这里|这边|本人|敝人)(?:就)?是|我|本人|this is)\s*(?:那个"
    rf"|一位)?\s*(?:客户)?(?=[{_SURNAMES}A-Z欧司诸上皇夏东端尉长慕公令])"
)
_ASKS = re.compile(
    r"贵姓|大名|(?:您|你|客户)的?(?:中文|英文|全)?(?:名字|姓名|名)|怎么称呼|如何称呼|称呼您|哪位"
    r"|叫什么|什么名字|尊姓|what(?:'s| is) your name|your name"
)
_READS_BACK = re.compile(r"名字|姓名|大名|称呼|先生|小姐|女士|太太|贵姓|您是|你是")
_BARE = re.compile(
    rf"^\W*(?:(?:嗯|呃|喔|哦|啊|对|好|是|那个|我是|我叫|叫|我姓|姓|敝姓|免贵姓?|就是|你好|您好"
    rf"|应该是|写|名字是)[啊啦]?[\s,]*)*(?=[{HAN}A-Za-z])"
)
_IS = re.compile(r"^\W*(?:我?是|应该是|我叫|叫)\s*")
_DENIES = re.compile(r"^\W*(?:不是|不对|错了|不|没有|no)[啦哦啊耶\s,.]*")


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find the caller's name in one of the caller's turns; the last one said wins."""
    found: Found | None = None
    asked = bool(_ASKS.search(simplified(reading.asked)))
    for place, clause in enumerate(spoken.clauses):
        if not clause.is_statement:
            continue
        is_denied = place > 0 and bool(_DENIES.fullmatch(spoken.clauses[place - 1].words))
        is_put_right = is_denied or bool(_DENIES.match(clause.words))
        read_back = is_put_right and bool(_READS_BACK.search(simplified(reading.asked)))
        one = _stated(spoken, clause) or _answered(spoken, clause, asked=asked, read_back=read_back)
        if one and not (found and len(one.value) < 2 <= len(found.value)):
            found = one
    if found:
        yield _in_own_signs(reading.text, found)


def _in_own_signs(text: str, found: Found) -> Found:
    value = found.value
    if not value.isascii() and found.end - found.start == len(value):
        place = found.end - len(value)
        value = text[place : found.end]
    return Found("name", value, found.start, found.end, found.confidence)


def _stated(spoken: Spoken, clause: Clause) -> Found | None:
    text = spoken.text
    cues = list(_CALLED.finditer(text, clause.start, clause.end))
    if cues:
        cue = cues[-1]
        first = _name_at(text, cue.end(), SURE, is_free=True)
        return _last(text, first) if first else None
    family = _FAMILY.search(text, clause.start, clause.end)
    if family:
        return _of_family(text, family.end())
    here = _AM.match(clause.words)
    if here:
        return _name_at(text, clause.start + here.end(), SURE)
    nick = _CALL_ME.search(text, clause.start, clause.end)
    if nick and re.match(
        r"^\W*(?:[你您]们?)?(?:可以|就|请|直接)*$", text[clause.start : nick.start()]
    ):
        return _name_at(text, nick.end(), LIKELY, is_free=True)
    return None


def _of_family(text: str, start: int) -> Found | None:
    """Read "我姓陳,陳怡君", "我姓王,叫大明", or the family's name alone."""
    whole = _name_at(text, start, SURE)
    if whole and not re.search(rf"{_TITLE}$", whole.value):
        return whole
    alone = _SURNAME_ONLY.match(text, start)
    if alone is None:
        return None
    surname = alone["name"]
    for place in re.finditer(r"[\s,]+", text[alone.end() : alone.end() + 12]):
        again = _name_at(text, alone.end() + place.end(), SURE)
        if again and again.value.startswith(surname) and not re.search(rf"{_TITLE}$", again.value):
            return again
        given = _GIVEN_NAME.match(text, alone.end() + place.end())
        if given:
            return Found("name", surname + given["given"], alone.start(), given.end("given"), SURE)
    return Found("name", surname, alone.start(), alone.start() + len(surname), LIKELY)


def _answered(spoken: Spoken, clause: Clause, *, asked: bool, read_back: bool) -> Found | None:
    """A bare name after the agent asked for it, or 是吳建鴻 after a wrong one."""
    if not (asked or read_back):
        return None
    words = _DENIES.sub("", clause.words) if read_back else clause.words
    offset = clause.start + len(clause.words) - len(words)
    lead = _BARE.match(words) if asked else _IS.match(words)
    if lead is None:
        return None
    start = offset + lead.end()
    found = _name_at(spoken.text, start, ANSWERED)
    if found is None and asked:
        alone = _SURNAME_ONLY.match(spoken.text, start)
        is_asked_for = alone is not None and alone.end() >= clause.end - 1
        if alone is not None and is_asked_for:
            return Found("name", alone["name"], start, start + len(alone["name"]), LIKELY)
    if found and re.search(rf"[{HAN}A-Za-z]{{3,}}", spoken.text[found.end : clause.end]):
        return None  # "王小姐的先生"
    return found


def _last(text: str, first: Found) -> Found:
    last = first
    while cue := CORRECTION.match(text, last.end):
        following = _name_at(text, cue.end(), last.confidence)
        if following is None:
            break
        last = following
    return last


def _name_at(text: str, start: int, confidence: float, *, is_free: bool = False) -> Found | None:
    match = _NAME.match(text, start) or (_PET_NAME.match(text, start) if is_free else None)
    if match is None:
        return None
    name = match["name"]
    is_of_title = re.search(rf"{_TITLE}$", name)
    if (
        _NO_NAME.match(name)
        or _NO_LATIN.match(name)
        or (not is_free and not is_of_title and _NO_PERSON.match(name))
    ):
        return None
    if is_of_title and re.match(r"\s*(?:的|家|他|她|叫|说)", text[match.end("name") :]):
        return None  # 王小姐的先生
    value = name.title() if name.isascii() and name.islower() else name
    return Found("name", value, start, match.end("name"), confidence)
