"""Chinese signs: one form for both scripts, numbers in words, digits said one by one.

`simplified` replaces signs one for one, so a span in its text is the same span in the text
as given. Patterns in this package are therefore written in simplified signs alone.
"""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SCRIPTS = """
帳账 號号 戶户 電电 話话 機机 郵邮 編编 訂订 單单 約约 會会 員员 碼码 銀银 轉转 匯汇 擬拟 舊旧 個个 後后
來来 過过 這这 邊边 裡里 裏里 們们 說说 講讲 問问 嗎吗 麼么 麽么 沒没 幾几 點点 時时 鐘钟 間间 週周 禮礼 號号
樓楼 層层 區区 縣县 鄉乡 鎮镇 東东 開开 關关 門门 對对 錯错 應应 該该 還还 請请 謝谢 幫帮 給给 讓让 傳传
發发 簡简 訊讯 寄寄 聯联 絡络 繫系 係系 線线 網网 斷断 壞坏 漏漏 報报 費费 錢钱 兩两 萬万 億亿 貴贵 敝敝
稱称 呼呼 歐欧 陽阳 陳陈 張张 劉刘 楊杨 黃黄 趙赵 吳吴 許许 鄭郑 馮冯 鄧邓 葉叶 蘇苏 盧卢 蔣蒋 賴赖 謝谢
羅罗 蕭萧 韓韩 呂吕 魏魏 馬马 鍾钟 潘潘 簡简 莊庄 嚴严 龔龚 顏颜 倪倪 溫温 遊游 闕阙 連连 範范 詹詹 賀贺
鄒邹 龍龙 萬万 譚谭 陸陆 喬乔 賈贾 閻阎 閆闫 湯汤 藍蓝 畢毕 聶聂 齊齐 顧顾 孫孙 馬马 鳳凤 諸诸 葛葛 華华
媽妈 親亲 爺爷 嬤嬷 婦妇 闆板 兒儿 姊姐 鄰邻 孫孙 師师 傅傅 傭佣 經经 歷历 現现 實实 從从 總总 換换 變变
為为 為为 與与 並并 雖虽 萬万 讀读 寫写 記记 錄录 據据 聽听 見见 覺觉 認认 識识 願愿 歡欢 愛爱 較较 習习
慣惯 語语 國国 話话 華华 漢汉 廣广 粵粤 閩闽 臺台 灣湾 韓韩 蘭兰 越越 義义 葡葡 俄俄 號号 臨临 時时 辦办
維维 裝装 拆拆 氣气 熱热 冷冷 燈灯 視视 腦脑 聲声 響响 畫画 麗丽 動动 轉转 閃闪 爍烁 燒烧 煙烟 壓压 縮缩
堵堵 掉掉 遺遗 丟丢 鎖锁 盜盗 偷偷 損损 裂裂 黴霉 雜杂 訊讯 頻频 寬宽 慢慢 卡卡 頓顿 當当 開开 關关 啟启
重重 複复 復复 扣扣 款款 賬账 計计 算算 補补 償偿 賠赔 減减 免免 違违 優优 惠惠 價价 漲涨 繳缴 貨货 運运
遞递 達达 遲迟 誤误 錯错 敗败 處处 理理 解解 決决 題题 類类 專专 業业 務务 術术 員员 團团 隊队 主主 管管
傾倾 轉转 達达 映映 查查 詢询 確确 認认 證证 驗验 則则 規规 指指 忽忽 視视 無无 設设 統统 遵遵 絕绝 別别
須须 永永 遠远 樣样 種种 樣样 隻只 條条 張张 幾几 第第 號号 級级 學学 醫医 藥药 餐餐 廳厅 廠厂 場场 園园
衚胡 衕同 橋桥 灘滩 島岛 嶺岭 鋪铺 棟栋 寧宁 滬沪 慶庆 瀋沈 貳二 參三 壹一 劃划 槓杠 橫横 線线 鼠鼠 點点
圈圈 隔隔 離离 進进 遠远 邁迈 雙双 長长 弓弓 馬马 樹树 棄弃 獎奖 贈赠 續续 約约 終终 於于 帶带 讚赞 討讨
厭厌 試试 誰谁 哪哪 裡里 麵面 飯饭 壽寿 歲岁 緊紧 急急 預预 掛挂 診诊 檢检 測测 訪访 勘勘 場场 談谈 見见
準准 備备 確确 繼继 續续 麥麦 駕驾 車车 號号 塊块 圓圆 內内 鬧闹 靜静 隨随 覆复 儘尽 盡尽 剛刚 欸诶 喔哦
攪搅 擾扰 搖摇 擋挡 擇择 擔担 暫暂 權权 極极 構构 樂乐 標标 檔档 殺杀 況况 淨净 滿满 潔洁 灑洒 爛烂 狀状
獨独 率率 產产 異异 當当 療疗 發发 盤盘 眾众 礎础 積积 穩稳 窗窗 競竞 築筑 節节 糧粮 結结 絲丝 綁绑 緩缓
練练 縫缝 繞绕 罰罚 膠胶 舉举 蓋盖 術术 衛卫 補补 觸触 訴诉 評评 詳详 誠诚 課课 調调 論论 護护 貼贴 買买
賣卖 質质 購购 跡迹 躍跃 軟软 輕轻 輸输 轟轰 適适 選选 醜丑 釋释 鈕钮 鈴铃 鍵键 鐵铁 閉闭 陰阴 際际 隱隐
靈灵 頁页 項项 順顺 頭头 顯显 風风 飛飞 驚惊 體体 鬆松 魚鱼 鳥鸟 麻麻 龜龟 勁劲 啞哑 勞劳 勝胜 務务 衝冲
凍冻 劇剧 劑剂 匯汇 協协 參参 臉脸 靠靠 麼么 鬥斗 彎弯 戲戏 戰战 佔占 偉伟 側侧 債债 傷伤 僅仅 儀仪 兇凶
"""
_FORMS = {pair[0]: pair[1] for pair in _SCRIPTS.split() if pair[0] != pair[1]} | {"參": "参"}
_SIGNS = dict(zip("，、；：？！（）．＠＿－＋　", ",,;:?!().@_-+ ", strict=True))
_WIDE = {
    chr(0xFEE0 + code): chr(code) for code in (*range(48, 58), *range(65, 91), *range(97, 123))
}
_TABLE = str.maketrans({**_FORMS, **_SIGNS, **_WIDE})

HAN = r"\u3400-\u9fff"
DIGITS = "0123456789零〇○一二三四五六七八九两幺洞"
NUMBER = r"(?:[0-9]{1,4}|[零〇一二两三四五六七八九十百廿]{1,6})"
DAY_NUMBER = r"(?:[0-9]{1,2}|[一二两三四五六七八九十廿]{1,3})"

_HAN = re.compile(rf"[{HAN}]")
_VALUES = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "○": 0,
    "两": 2,
    "幺": 1,
    "洞": 0,
}
_UNITS = {"十": 10, "百": 100, "千": 1_000}
_SPOKEN = str.maketrans({sign: str(value) for sign, value in _VALUES.items()})
_RUN = re.compile(rf"[{DIGITS}]+")
_REPEAT = re.compile(rf"(?P<times>[二两三四五六2-6])个(?P<digit>[{DIGITS}])")
_ANY_DIGIT = re.compile(rf"[A-Za-z{DIGITS}]|[三四五六]个")
_LETTER = re.compile(r"[A-Za-z](?![A-Za-z])")
_GAP = re.compile(
    r"[\s,.\-—·]{0,3}(?:(?:嗯|呃|啊|额|诶|那个|然后是?|再来是?|接着是?|后面是?|横杠|杠|减号|dash)"
    r"[\s,]{0,3}){0,3}"
)
_COUNTED = re.compile(
    r"\s{0,2}(?:[月年日天时分秒块元岁次楼层%十百千万亿折]|点|个|小时|公斤|礼拜|星期|周|位|台|件|吋"
    r"|寸)"
)
_DAY_SIGN = re.compile(r"\s{0,2}号(?!码)")
SHORTEST_CODE = 3  # digits; a shorter run before 号 is a day


@dataclass(frozen=True, slots=True)
class Digits:
    """A run of digits, and letters among them, as it was spoken."""

    value: str
    start: int
    end: int


def has_chinese(text: str) -> bool:
    """It holds Chinese signs."""
    return bool(_HAN.search(text))


def simplified(text: str) -> str:
    """Put a text into simplified signs and narrow punctuation, one sign for one."""
    return text.translate(_TABLE)


def number_of(words: str) -> int | None:
    """The number that words mean: 三百二十, 十五, 一九八五, 42; None for no number."""
    if words.isascii():
        return int(words) if words.isdigit() else None
    words = words.replace("廿", "二十")
    if not set(words) & set(_UNITS):
        digits = words.translate(_SPOKEN)
        return int(digits) if digits.isascii() and digits.isdigit() else None
    total, last = 0, 0
    for place, sign in enumerate(words):
        if sign in _UNITS:
            total += (last if last or place else 1) * _UNITS[sign]
            last = 0
        elif sign in _VALUES:
            last = _VALUES[sign]
        else:
            return None
    return total + last


def digits_at(text: str, start: int) -> Digits | None:
    """Read the digits that begin exactly at an offset of a simplified text.

    Pauses, hesitation and repeats belong to it: "三三 八 零 嗯 六", "三个八". What counts
    something (二月, 三百, 5点) ends the run before it.

    Returns:
        None when no digit begins there. Letters are in capitals.
    """
    value, end, place = "", start, start
    while part := _part(text, place):
        is_apart = place > end
        if part[0].isalpha() and (part[0] == "I" or (is_apart and not _RUN.match(text, part[1]))):
            break
        value, end = value + part[0], part[1]
        gap = _GAP.match(text, end)
        place = gap.end() if gap else end
    if not any(map(str.isdigit, value)):
        return None
    return Digits(value, start, end)


def runs_in(text: str) -> Iterator[Digits]:
    """Every run of digits of a simplified text, in order."""
    place = 0
    for match in _ANY_DIGIT.finditer(text):
        digits = digits_at(text, match.start()) if match.start() >= place else None
        if digits is not None:
            place = digits.end
            yield digits


def _part(text: str, place: int) -> tuple[str, int] | None:
    repeat = _REPEAT.match(text, place)
    if repeat:
        times = number_of(repeat["times"]) or 1
        return repeat["digit"].translate(_SPOKEN) * times, repeat.end()
    run = _RUN.match(text, place)
    if run is None:
        letter = _LETTER.match(text, place)
        return (letter.group().upper(), letter.end()) if letter else None
    if _COUNTED.match(text, run.end()):
        return None
    if len(run.group()) < SHORTEST_CODE and _DAY_SIGN.match(text, run.end()):
        return None
    return run.group().translate(_SPOKEN), run.end()
