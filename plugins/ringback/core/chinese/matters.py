"""What is unresolved, promised or excepted, in Chinese: 網路一直斷線, 我會回電給您, 這次破例."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.chinese.clauses import Clause, Spoken, last_end
from ringback.core.chinese.dates import find_dates
from ringback.core.chinese.signs import HAN
from ringback.core.reading import AMBIGUOUS, ANY_VALUE, LIKELY, SURE, Found, Reading

MAX_MATTER_CHARACTERS = 80
SHORTEST_MATTER = 5  # signs; a shorter one takes the clause before it along

_NOT_YET = r"(?:还|都|一直|到现在|迟迟|根本|完全|始终|又|仍然|也|就|从来|总是|老是|突然|今天|昨天|都还|还是){0,3}"
_BROKEN = (
    r"坏(?:了|掉)|故障|当(?:机|掉)(?!地)|死机|断线|断网|断讯|断(?:了|掉)|掉线|跳线|漏(?:水|电|气|油|液|了|个)|跳电|跳闸|停电|停水|(?<!不)卡住|卡顿|卡死|当掉"
    r"|(?:网|速|手机|电脑|平板|系统|上网|下载|页面|网页|网站|画面|机|wifi|internet|app|电视)[^,]{0,6}?(?:很|太|超|非常|好|特别|有够|变得?|这么|越来越)(?:慢|卡|烫)|没有?(?:信号|讯号|网络|网路|网|声音|画面|反应|电(?![子话视脑梯邮影])|水|热水|暖气|冷气|动静|作用|图像|显示)"
    r"|(?:收|连|登|进|开|打|上|接|看|听|查|刷|充|付|下载|用|转|印|传|寄|关|拨|洗)不(?:到|上|进|开|了|出|通|清|起来|进去|清楚|动|过)"
    r"|(?:无法|没办法|没法|不能)(?:正常)?(?:登|连|使用|上网|付|缴|开|用|打|收|充|看|接|启动|运作|观看|下载|转|拨|列印|打印|操作|联网|联线|关)"
    r"|不(?:会)?(?:能用|动了|转了?|亮了?|冷了?|凉|热了?|制冷|制热|通了?|加热|出水|排水|脱水|充电|工作|运作|响|显示|见了)(?!吗)|动不了|用不了|开不了"
    r"|弄丢|丢了|遗失|掉了|被(?:偷|盗|锁|骗|停|断|冻结|扣|刷|封)|锁(?:住|定)了?"
    r"|(?:多|重复|重覆|乱|错|被|又)扣|扣(?:了|我).{0,6}(?:次|遍|钱|款|元|块)|扣错|多收|乱收|多算|算错|收错|寄错|送错|发错|装错|少(?:了|寄|送)|漏(?:寄|送|发)|缺(?:件|货|了|少)"
    r"|扣多|(?:爆|碎|断)(?:了|裂|掉)|滴水|渗水|卡纸|吞(?:了|卡)|冻结|(?:余额|金额|尺码|尺寸|颜色|型号|数量|数字|账单|价钱|价格|地址|名字)(?:不对|不一样|有误|怪怪)|没(?:有)?到账|寄丢|失效|失灵|没人(?:来|接|理|处理)|破(?:了|损|掉|洞)|裂(?:了|开|痕)|摔(?:坏|破)|碎了|发霉|生锈|变形|烧(?:坏|焦)|有(?:杂音|噪音|异音|怪声|异味|焦味|刮|问题(?!想|要|请|可|的话)|瑕疵|裂)|出(?:了)?(?:问题|故障|错)"
    r"|杂音|噪音很|闪(?:屏|烁|个不停|红灯)|一直(?:闪|响|叫|重开|重启|断|跳|当|转圈|漏|显示|出现|亮红|占线|没人接|打不通)|(?:一直|每天|老是|常常|都|又|会)\s?(?:disconnect|crash|lag|drop|hang|down|fail)\w{0,4}|(?:crash|lag|down)\s?(?:掉)?了|堵(?:住|塞|了)|塞住|冒烟|发烫|过热|发(?:出)?.{0,4}(?:声音|怪声)"
    r"|(?:没|未)有?(?:收到|送到|送来|到货|寄到|人来|来修|退|处理|解决|修好|入账|更新|拿到|人处理|人理|出货|发货|下文|回应|回复|寄出|下来)|还没\s?(?:arrive|ship|deliver|receive|refund)|(?:还|都)(?:没|未)有?(?:到|来|送|退|好|修|给|寄|发|下来|开通|装)"
    r"|延误|误点|失败|错误(?!的?客)|异常|失灵|没作用|没效|不灵|不稳(?:定)?|断断续续|时好时坏|接触不良|黑屏|黑画面|蓝屏|白屏|花屏|自动关机"
)
_PROBLEM = re.compile(_BROKEN)
_NO_PROBLEM = re.compile(
    r"没有?(?:问题|事|坏|故障|异常|断|漏)|不会(?:断|漏|坏|卡)|不(?:是|算)(?:很)?(?:坏|故障|慢|卡)|没再(?:断|漏)|不再|打不通(?:你们|客服)|联络不上你们|想不起来|听不(?:到|懂|清|见)|听得|看不懂"
    r"|找不到(?:笔|地方|帐|账)|不记得|等不及|来不及|对不起|(?:你们|客服|专线).{0,8}(?:打不通|没人接|占线)|(?:我|现在|刚才|刚刚)?(?:手机|电话)?(?:收讯|信号|讯号)不好|不能接电话|没办法接|没空|开车|用不到|舍不得|用不着|不好意思|吃不|付不起|受不了"
    r"|(?:听|说)不(?:太)?(?:清楚|到)|没有?网(?:站|址)|不能(?:接|讲|来|去)|不能用(?:吗|哦)|上不了班|没办法(?:来|去|到|接)|走不开|赶不|(?:声音|讲话|说话|那边|听起来|听得|听).{0,6}(?:断断续续|杂音|不清|很小|回音)|^.{0,3}[你您](?:的)?(?:声音|那边)|讯号不好听"
)
_RESOLVED = re.compile(
    rf"(?:(?:已经|都|现在|终于|自己|后来|刚刚|刚才|今天|又|昨天|早就)[,\s]?)+(?:就)?(?:好了|修好|弄好|正常|恢复|解决|可以用|能用|收到|找到|没问题|通了|没事|可以了|不漏|不断|退了|到了)"
    rf"|修好了|弄好了|搞定了|恢复(?:正常)?了?$|解决了|不用修了|(?:又|也)?(?:能用|可以用|正常)了|没问题了|不(?:断|漏|卡|响|闪)(?:线|水)?了|收到了|找到了|(?<=[网路络机灯气水电视箱门锁管桶号屏幕车统器线话i])(?:就)?好了$"
)
_NOT_RESOLVED = re.compile(r"(?:没|未|不|还没|没有|吗|嘛)[^,]{0,3}(?:好了?|修好|正常|恢复|解决|收到|找到)|才(?:会)?好|(?:就|比较)好了|又(?:坏|断|漏)")
_THING = re.compile(
    rf"(?:我(?:家|们家|们)?的?|那个|这个|家里的?|家的?|上次(?:说)?的?|之前的?)?(?P<thing>(?:(?!已经|现在|终于|自己|后来|刚刚|刚才|今天|昨天|都|又|就|我|你|他|她|用|不|谢|喂|好|是|对|嗯|说|早就)[{HAN}A-Za-z]){{2,8}}?)(?:它)?[\s,]?$"
)
_NO_THING = re.compile(r"问题|东西|事情|没事|你们|这样|师傅|工程师|他们|简讯|寄|传|发|打|email|时间|[点号日天]$|改|约|讲|说|中文|英文|这里", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:我(?:的)?(?:朋友|同事|邻居|老板|室友|同学|客户)|邻居|隔壁|楼上的?(?:邻居|人家)?|[他她]们?|别人|人家)(?:家|那边)?的?[^,]{0,6}$"
)
_COMPLAINS = re.compile(r"(?:怎么|为什么|为何)(?:我|我的|我家|现在|到现在|.{0,4}的)?[^,]{0,6}(?:又|一直|都|老是|还|多扣|重复)")
_PAST = re.compile(r"(?:上次|以前|之前|去年|上个月|曾经|那时候?)(?!的?(?:账单|问题)|就?(?:开始|一直))")
_GREETING = re.compile(
    r"^(?:\W|喂|你好|您好|嗨|哈啰|那个|就是说?|因为|所以|然后|不好意思|请问(?:一下)?|嗯|呃|欸|诶|哎|啊|是这样(?:的|子)?|我(?:想|要)(?:问|报修|反映|反应|投诉|申诉|说)(?:一下)?|我跟你说|但是|可是|不过|而且|我发现|麻烦|我(?:是|叫|姓)[^,]{1,12}?\s(?=我))+"
)

_DEED = (
    r"(?:传|send|email|text|call|发(?!生|现)|寄|送|回(?:电|复|报|拨|覆|给|信|你|您)|打(?:电话|给|过)|致电|来电|联系|联络|通知|告知|告诉您|退(?:款|费|还|回|您|给)|补(?:寄|发|送|偿|件|给|上)|换|更换|更新(?!了)"
    r"|安排|派|处理|转达|转告|转交|反映|反应|呈报|修(?:复|理|好|改)?|维修|检修|检查|赔|补偿|取消|重寄|重送|跟进|追踪|追|开(?:单|案|通)|回报|申请|减免|免除|延长|保留|调整|核对|查(?:明|清|证)|过去|上门|到府|入账|收到|到货|提供|建立|登记|升级|催|更正|扣回|折抵|请.{1,10}(?:联络|联系|回电|打|过去|处理|致电|给您))"
)
_WILL = re.compile(
    rf"(?:(?P<who>我们?|这边|同事|师傅|工程师|技师|专员|专人|客服|主管|经理|技术人员|技术员|部门|系统|公司|维修人员|人员|有人|您)[{HAN}]{{0,6}}?[\s,]?)?(?:(?:今天|明天|后天|稍后|待会|等一?下|晚点|马上|立刻|立即|尽快|之后|下?周.|下?星期.|下?礼拜.)[{HAN}0-9:]{{0,6}})?"
    rf"(?:会(?!员|计|议|话)|将|马上|立刻|立即|尽快|一定|保证|承诺|稍后|待会儿?|晚点|(?:再|来)?(?:帮|给|为|替)您|再|请)[^,。?!]{{0,24}}?{_DEED}"
    rf"|(?:我们?|这边|师傅|工程师|技师|专员|专人|同事|人员)[{HAN}]{{0,6}}?(?:今天|明天|大?后天|下?(?:周|星期|礼拜).)[^,。?!]{{0,12}}{_DEED}"
    rf"|{_DEED}[^,。?!]{{0,8}}给您|(?:给|帮|为|替)您{_DEED}"
)
_NO_PROMISE = re.compile(
    r"已经?(?!收到您)|(?:好|过|到|完|成|妥|修|退|寄|发|取消|更新|登记)了|可能|也许|不会|不能|没办法|无法|不(?:再|用|需|上门|提供|接受|处理|营业|开放)|一般|通常|每个?月|每次|每年|依照|根据规定|需要您|请您|麻烦您|您可以|您能|查一下|看一下|确认一下|查看|查询一下|稍等|等一下$|请稍|核对一下|现在(?:就)?(?:帮您)?(?:查|看|确认)"
    r"|可以(?:帮|为|给|选)|刚刚|昨天|^之前|之前(?:有|就|已|的)|上次|建议|应该会"
)
_OFFERS = re.compile(r"要不要|需不需要|需要.*吗|可以吗|好吗|行吗|方便吗|是否|还是")
_LEAD = re.compile(r"^(?:\W|好的?|那|了解|是的|没问题|嗯|不好意思|抱歉|我看到了|然后|所以|这样|ok|我们?(?=[会将再马立尽明今后下帮给]))+")
_EXCEPTION = re.compile(
    r"破例|例外|特例|通融|特殊处理|特别处理|特别(?:帮|为|给|替)您|专案处理|网开一面|下不为例|(?:这次|本次|这一次|这回)(?:就|先|特别|我们|我|额外|特地|是)*(?:帮|给|为|替)您(?:免|退|保留|延|减|折|补|特)"
)
_NO_EXCEPTION = re.compile(r"不能|无法|没办法|不(?:会|可以|允许|接受)|没有?(?:例外|破例|特例)")


def read(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find problems that the caller reports, and those that are over."""
    taken: set[str] = set()
    over = [clause for clause in spoken.clauses if _is_over(clause)]
    for place, clause in enumerate(spoken.clauses):
        if clause in over:
            yield from _resolved(reading, spoken, place, clause)
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
        is_of_it = before.is_statement and clause.start - before.end <= 2
        if is_of_it and (greeting is None or greeting.end() < len(before.words)):
            start = before.start + (greeting.end() if greeting else 0)
    if end <= start or end - start > MAX_MATTER_CHARACTERS:
        return None
    return Found("open_matter", said[start:end], start, end, LIKELY)


def _resolved(reading: Reading, spoken: Spoken, place: int, clause: Clause) -> Iterator[Found]:
    """What is over: by its name, else what this call spoke of, else everything."""
    match = _RESOLVED.search(clause.words)
    before = clause.words[: match.start()] if match else ""
    thing = _THING.search(before)
    if thing and not _NO_THING.search(thing["thing"]):
        start = clause.start + thing.start("thing")
        value = reading.text[start : clause.start + thing.end("thing")]
    elif match and re.match(r"(?:已经|都|自己|终于|修|弄|解决|恢复)", match.group()) and not before:
        value = reading.known.get("open_matter", ANY_VALUE)
        start = clause.start
    else:
        return
    yield Found("open_matter", value, start, clause.end, LIKELY, is_withdrawal=True)


def read_agent(reading: Reading, spoken: Spoken) -> Iterator[Found]:
    """Find what the agent promises, and an exception that is made; offers are neither."""
    granted_to = -1
    for clause in spoken.clauses:
        if clause.start < granted_to or not clause.is_statement or _OFFERS.search(clause.words):
            continue
        exception = _EXCEPTION.search(clause.words)
        if exception and not _NO_EXCEPTION.search(clause.words):
            found = _exception(reading.text, spoken, clause)
            granted_to = found.end
            yield found
        elif _WILL.search(clause.words) and not _NO_PROMISE.search(clause.words):
            yield _promise(reading, spoken, clause)


def _exception(said: str, spoken: Spoken, clause: Clause) -> Found:
    """The clause, and the one behind it that says what is granted."""
    end = clause.end
    following = next((one for one in spoken.clauses if one.start > clause.start), None)
    if following and following.is_statement and spoken.text[clause.end] not in "。!?":
        end = following.end
    start = clause.start + (lead.end() if (lead := _LEAD.match(clause.words)) else 0)
    end = max(start + 1, last_end(spoken.text, end))
    return Found("exception", said[start:end], start, end, SURE)


def _promise(reading: Reading, spoken: Spoken, clause: Clause) -> Found:
    start = clause.start + (lead.end() if (lead := _LEAD.match(clause.words)) else 0)
    end = max(start + 1, last_end(spoken.text, clause.end))
    words = reading.text[start:end]
    dates = list(find_dates(spoken.text, reading.at, reading.zone, start=start, end=clause.end))
    if not dates:
        return Found("promise", words, start, end, SURE)
    is_one = len({date.value[:10] for date in dates}) == 1
    confidence = min(SURE, dates[-1].confidence) if is_one else AMBIGUOUS
    return Found("promise", f"{words} ({dates[-1].value})", start, end, confidence)
