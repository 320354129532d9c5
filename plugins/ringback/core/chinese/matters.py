"""What a caller reports as broken, missing or wrong, in Chinese, and what is over again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.chinese.clauses import Clause, Spoken, last_end
from ringback.core.chinese.signs import HAN
from ringback.core.reading import ANY_VALUE, LIKELY, Found, Reading

MAX_MATTER_CHARACTERS = 80
GAP = 2  # signs between two clauses of one sentence
SHORTEST_MATTER = 5  # signs; a shorter one takes the clause before it along

_NOT_YET = r"(?:还|都|一直|到现在|迟迟|根本|完全|始终|又|仍然|也|就|从来|总是|老是|突然|今天|昨天|都还|还是){0,3}"
_BROKEN = (
    r"坏(?:了|掉)|故障|当(?:机|掉)(?!地)|死机|断线|断网|断讯|断(?:了|掉)|掉线|跳线|漏(?:水|电|气"
    r"|油|液|了|个)|跳电|跳闸|停电|停水|(?<!不)卡住|卡顿|卡死|当掉"
    r"|(?:网|速|手机|电脑|平板|系统|上网|下载|页面|网页|网站|画面|机|wifi|internet|app"
    r"|电视)[^,]{0,6}?(?:很|太|超|非常|好|特别|有够|变得?|这么|越来越)(?:慢|卡|烫)|没有?(?:信号"
    r"|讯号|网络|网路|网|声音|画面|反应|电(?![子话视脑梯邮影])|水|热水|暖气|冷气|动静|作用|图像"
    r"|显示)"
    r"|(?:收|连|登|进|开|打|上|接|看|听|查|刷|充|付|下载|用|转|印|传|寄|关|拨|洗)不(?:到|上|进|开"
    r"|了|出|通|清|起来|进去|清楚|动|过)"
    r"|(?:无法|没办法|没法|不能)(?:正常)?(?:登|连|使用|上网|付|缴|开|用|打|收|充|看|接|启动|运作"
    r"|观看|下载|转|拨|列印|打印|操作|联网|联线|关)"
    r"|不(?:会)?(?:能用|动了|转了?|亮了?|冷了?|凉|热了?|制冷|制热|通了?|加热|出水|排水|脱水|充电"
    r"|工作|运作|响|显示|见了)(?!吗)|动不了|用不了|开不了"
    r"|弄丢|丢了|遗失|掉了|被(?:偷|盗|锁|骗|停|断|冻结|扣|刷|封)|锁(?:住|定)了?"
    r"|(?:多|重复|重覆|乱|错|被|又)扣|扣(?:了|我).{0,6}(?:次|遍|钱|款|元|块)|扣错|多收|乱收|多算"
    r"|算错|收错|寄错|送错|发错|装错|少(?:了|寄|送)|漏(?:寄|送|发)|缺(?:件|货|了|少)"
    r"|扣多|(?:爆|碎|断)(?:了|裂|掉)|滴水|渗水|卡纸|吞(?:了|卡)|冻结|(?:余额|金额|尺码|尺寸|颜色"
    r"|型号|数量|数字|账单|价钱|价格|地址|名字)(?:不对|不一样|有误|怪怪)|没(?:有)?到账|寄丢|失效"
    r"|失灵|没人(?:来|接|理|处理)|破(?:了|损|掉|洞)|裂(?:了|开|痕)|摔(?:坏|破)|碎了|发霉|生锈|变形"
    r"|烧(?:坏|焦)|有(?:杂音|噪音|异音|怪声|异味|焦味|刮|问题(?!想|要|请|可|的话)|瑕疵|裂)"
    r"|出(?:了)?(?:问题|故障|错)"
    r"|杂音|噪音很|闪(?:屏|烁|个不停|红灯)|一直(?:闪|响|叫|重开|重启|断|跳|当|转圈|漏|显示|出现"
    r"|亮红|占线|没人接|打不通)|(?:一直|每天|老是|常常|都|又|会)\s?(?:disconnect|crash|lag|drop"
    r"|hang|down|fail)\w{0,4}|(?:crash|lag|down)\s?(?:掉)?了|堵(?:住|塞|了)|塞住|冒烟|发烫|过热"
    r"|发(?:出)?.{0,4}(?:声音|怪声)"
    r"|(?:没|未)有?(?:收到|送到|送来|到货|寄到|人来|来修|退|处理|解决|修好|入账|更新|拿到|人处理"
    r"|人理|出货|发货|下文|回应|回复|寄出|下来)|还没\s?(?:arrive|ship|deliver|receive|refund)"
    r"|(?:还|都)(?:没|未)有?(?:到|来|送|退|好|修|给|寄|发|下来|开通|装)"
    r"|延误|误点|失败|错误(?!的?客)|异常|失灵|没作用|没效|不灵|不稳(?:定)?|断断续续|时好时坏"
    r"|接触不良|黑屏|黑画面|蓝屏|白屏|花屏|自动关机"
)
_LATE = (
    r"(?:师傅|工程师|人员|技师|快递|外送|司机|货|包裹|专员)[^,]{0,6}没(?:来|到|出现)|(?:没"
    r"|未)有?人(?:来|理|处理|接)"
    r"|没(?:开|给|寄|发|退|回复|回电)(?:给)?我|输不进|打不着|(?:声音|噪音)(?:很|太|超|好)大"
    r"|(?:家|公司|房间|客厅|wifi|网路|网络|电视).{0,6}(?:信号|讯号|收讯)(?:很|太|非常|超|好)(?:差"
    r"|弱|烂)|报错|老断"
    r"|(?:一直|每天|老是|又)\s?(?:restart|reboot)|(?:多|double)\s?charge|very slow"
    r"|没有?\s?(?:signal|internet|service)|有\s?problem|broken|not working"
)
_PROBLEM = re.compile(f"{_BROKEN}|{_LATE}")
_NO_PROBLEM = re.compile(
    r"(?:捷运|地铁|高铁|电梯|地下室|车上|山上)|快没|没有?收到(?:你|您)的声音|"
    r"没有?(?:问题|事|坏|故障|异常|断|漏)|不会(?:断|漏|坏|卡)|不(?:是|算)(?:很)?(?:坏|故障|慢|卡)"
    r"|没再(?:断|漏)|不再|打不通(?:你们|客服)|联络不上你们|想不起来|听不(?:到|懂|清|见)|听得"
    r"|看不懂"
    r"|找不到(?:笔|地方|帐|账)|不记得|等不及|来不及|对不起|(?:你们|客服|专线).{0,8}(?:打不通"
    r"|没人接|占线)|(?:我|现在|刚才|刚刚)?(?:手机|电话)?(?:收讯|信号|讯号)不好|不能接电话|没办法接"
    r"|没空|开车|用不到|舍不得|用不着|不好意思|吃不|付不起|受不了"
    r"|(?:听|说)不(?:太)?(?:清楚|到)|没有?网(?:站|址)|不能(?:接|讲|来|去)|不能用(?:吗|哦)|上不了班"
    r"|没办法(?:来|去|到|接)|走不开|赶不|(?:声音|讲话|说话|那边|听起来|听得|听).{0,6}(?:断断续续"
    r"|杂音|不清|很小|回音)|^.{0,3}[你您](?:的)?(?:声音|那边)|讯号不好听"
)
_RESOLVED = re.compile(
    r"(?:(?:已经|都|现在|终于|自己|后来|刚刚|刚才|今天|又|昨天|早就)[,\s]?)+(?:就)?(?:好了|修好"
    r"|弄好|正常|恢复|解决|可以用|能用|收到|找到|没问题|通了|没事|可以了|不漏|不断|退了|到了)"
    r"|修好了|弄好了|搞定了|恢复(?:正常)?了?$|解决了|不用修了|(?:又|也)?(?:能用|可以用|正常)了"
    r"|没问题了|不(?:断|漏|卡|响|闪)(?:线|水)?了|(?:可以|能)(?:上网|看|登(?:入|录)|打|收|连|开)了"
    r"|收到了|找到了"
    r"|(?<=[网路络机灯气水电视箱门锁管桶号屏幕车统器线话i])(?:就)?好了$"
)
_NOT_RESOLVED = re.compile(
    r"(?:没|未|不|还没|没有|吗|嘛)[^,]{0,3}(?:好了?|修好|正常|恢复|解决|收到|找到)|才(?:会)?好"
    r"|(?:就|比较)好了|又(?:坏|断|漏)"
)
_THING = re.compile(
    rf"(?:^|[\s,]|后来|现在|刚才|今天|昨天)(?:我(?:家|们家|们)?的?|那个|这个|家里的?|家的?"
    rf"|上次(?:说)?的?"
    rf"|之前的?)?(?P<thing>(?:(?!已经|现在|终于|自己|后来|刚刚|刚才|今天|昨天|都|又|就|我|你|他|她"
    rf"|用|不|谢|喂|好|是|对|嗯|说|早就)[{HAN}A-Za-z]){{2,8}}?)(?:它)?[\s,]?$"
)
_GOT = frozenset({"收到了", "找到了"})
_NO_THING = re.compile(
    r"问题|东西|事情|没事|你们|这样|师傅|工程师|他们|简讯|寄|传|发|打|email|时间|[点号日天]$|改|约"
    r"|讲|说|中文|英文|这里",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:我(?:的)?(?:朋友|同事|邻居|老板|室友|同学|客户)|邻居|隔壁|楼上的?(?:邻居|人家)?|[他她]们?"
    r"|别人|人家)(?:家|那边)?的?[^,]{0,6}$"
)
_COMPLAINS = re.compile(
    r"(?:怎么|为什么|为何)(?:我|我的|我家|现在|到现在|.{0,4}的)?[^,]{0,6}(?:又|一直|都|老是|还"
    r"|多扣|重复)"
)
_PAST = re.compile(
    r"(?:上次|以前|之前|去年|上个月|曾经|那时候?)(?!的?(?:账单|问题)|就?(?:开始|一直))"
)
_GREETING = re.compile(
    r"^(?:\W|喂|你好|您好|嗨|哈啰|那个|就是说?|因为|所以|然后|不好意思|请问(?:一下)?|嗯|呃|欸|诶"
    r"|哎|啊|是这样(?:的|子)?|我(?:想|要)(?:问|报修|反映|反应|投诉|申诉|说)(?:一下)?|我跟你说|但是"
    r"|可是|不过|而且|我发现|麻烦|我(?:是|叫|姓)[^,]{1,12}?\s(?=我))+"
)


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find problems that the caller reports, and those that are over."""
    taken: set[str] = set()
    over = [clause for clause in spoken.clauses if _is_over(clause)]
    for place, clause in enumerate(spoken.clauses):
        if clause in over:
            yield from _resolved(reading, clause)
            continue
        is_over_later = any(one.start > clause.start for one in over)
        if not _is_reported(clause) or is_over_later:
            continue
        found = _matter(reading.text, spoken, place, clause)
        if found and found.value not in taken:
            taken.add(found.value)
            yield found


def _is_over(clause: Clause) -> bool:
    is_said = clause.is_statement and bool(_RESOLVED.search(clause.words))
    return is_said and not _NOT_RESOLVED.search(clause.words)


def _is_reported(clause: Clause) -> bool:
    """A problem, here and now, of the caller's; 怎麼又斷線 reports one, too."""
    match = _PROBLEM.search(clause.words)
    if match is None or clause.is_supposed or clause.is_reported or clause.is_hedged:
        return False
    if clause.is_question and not _COMPLAINS.search(clause.words):
        return False
    if _NO_PROBLEM.search(clause.words) or _PAST.search(clause.words[: match.start()]):
        return False
    return not _OTHERS.search(clause.words[: match.start()])


def _matter(said: str, spoken: Spoken, place: int, clause: Clause) -> Found | None:
    lead = _GREETING.match(clause.words)
    start = clause.start + (lead.end() if lead else 0)
    end = last_end(spoken.text, clause.end) if spoken.text[clause.end - 1] != "了" else clause.end
    if end - start < SHORTEST_MATTER and place > 0:
        before = spoken.clauses[place - 1]
        greeting = _GREETING.match(before.words)
        is_of_it = before.is_statement and clause.start - before.end <= GAP
        is_of_it = is_of_it and not _PROBLEM.search(before.words)
        if is_of_it and (greeting is None or greeting.end() < len(before.words)):
            start = before.start + (greeting.end() if greeting else 0)
    if end <= start or end - start > MAX_MATTER_CHARACTERS:
        return None
    return Found("open_matter", said[start:end], start, end, LIKELY)


def _resolved(reading: Reading, clause: Clause) -> Iterator[Found]:
    """What is over: by its name, else what this call spoke of, else everything."""
    match = _RESOLVED.search(clause.words)
    before = clause.words[: match.start()] if match else ""
    thing = _THING.search(before)
    if match and match.group() in _GOT and "open_matter" not in reading.known:
        return
    if thing and not _NO_THING.search(thing["thing"]):
        start = clause.start + thing.start("thing")
        value = reading.text[start : clause.start + thing.end("thing")]
    elif (
        match
        and re.match(r"(?:已经|都|自己|终于|现在|修|弄|解决|恢复)", match.group())
        and not before
    ):
        value = reading.known.get("open_matter", ANY_VALUE)
        start = clause.start
    else:
        return
    yield Found("open_matter", value, start, clause.end, LIKELY, is_withdrawal=True)
