"""The terms that a question is looked up by: its topic, without what makes it a question."""

from __future__ import annotations

import re

from ringback.terms import terms

_CHINESE = (
    "請問 请问 有沒有 有没有 是不是 能不能 可不可以 會不會 会不会 要不要 對不對 对不对 什麼時候 什么时候"
    " 什麼 什么 怎麼樣 怎么样 怎麼 怎么 怎樣 怎样 哪裡 哪里 哪兒 哪儿 哪個 哪个 哪一 哪 誰 谁 多少 幾點 几点"
    " 為什麼 为什么 可以 來著 来着 知道 記得 记得 告訴 告诉 我們 我们 你們 你们 您 我 你 他 她 的 嗎 吗 呢 吧"
    " 啊 呀 喔 了 是 叫 那個 那个 這個 这个 再說 再说 一下"
)
_JAPANESE = (
    "でしたっけ ましたっけ ですか ますか でしたか ましたか ください お願いします 教えて どこ いつ だれ どの どれ"
    " どう なに なん 何時 何 誰 私 でしょうか"
)
_KOREAN = "언제 어디 누구 뭐예요 뭐였죠 뭐 무엇 무슨 어떤 얼마 어떻게 인가요 나요 했죠 이에요 예요 제가 저의 제 내"
_NOT_TOPIC = re.compile(
    "|".join(
        re.escape(word)
        for word in sorted(
            f"{_CHINESE} {_JAPANESE} {_KOREAN}".split(), key=lambda word: (-len(word), word)
        )
    )
)
_KANA_PAIR = re.compile("[\u3041-\u3096].|.[\u3041-\u3096]")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def wanted_terms(topic: str) -> tuple[str, ...]:
    """Take a question's topic apart into terms.

    Words that only make it a question are left out, as far as anything is left: of English
    that is what `ringback.terms` leaves out anyway; of Chinese, Japanese and Korean question
    words, pronouns and particles, and pairs that are half an ending in kana.

    Args:
        topic: The question without names of speakers and without times.
    """
    if not _CJK.search(topic):
        return terms(topic)
    kept = terms(_NOT_TOPIC.sub(" ", topic))
    whole = tuple(term for term in kept if len(term) != 2 or not _KANA_PAIR.fullmatch(term))
    return whole or kept or terms(topic)
