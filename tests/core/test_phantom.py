# ruff: noqa: RUF001 - phrases in the letters that recognition writes

from __future__ import annotations

import time

import pytest

from ringback.core.phantom import is_sound, is_stock

pytestmark = pytest.mark.unit

STOCK = [
    "Thanks for watching!",
    "Thank you for watching.",
    "Thank you so much for watching this video.",
    "Thanks for watching. Bye.",
    "Thank you. Thanks for watching!",
    "Thanks for watching! Thanks for watching! Thanks for watching!",
    "Please subscribe",
    "Please like and subscribe.",
    "Don\u2019t forget to like, comment and subscribe!",
    "Please subscribe to my channel.",
    "I'll see you in the next video.",
    "Subtitles by the Amara.org community",
    "Subtitles by Steamteamextra",
    "Transcription by CastingWords",
    "www.mooji.org",
    "you",
    "You.",
    "you you you",
    "Vielen Dank fürs Zuschauen!",
    "Untertitel der Amara.org-Community",
    "Untertitel im Auftrag des ZDF für funk, 2017",
    "Untertitelung des ZDF, 2020",
    "Ondertiteld door de Amara.org gemeenschap",
    "Sous-titres réalisés par la communauté d'Amara.org",
    "Sous-titrage ST' 501",
    "Merci d'avoir regardé cette vidéo !",
    "Abonnez-vous à la chaîne",
    "Sottotitoli creati dalla comunità Amara.org",
    "Sottotitoli e revisione a cura di QTSS",
    "Subtítulos realizados por la comunidad de Amara.org",
    "¡Gracias por ver el video!",
    "Suscríbete al canal",
    "Legendas pela comunidade Amara.org",
    "Napisy stworzone przez społeczność Amara.org",
    "Titulky vytvořil JohnyX",
    "Субтитры сделал DimaTorzok",
    "Редактор субтитров А.Синецкая Корректор А.Егорова",
    "Продолжение следует...",
    "Abone olmayı unutmayın.",
    "ABONE OLMAYI UNUTMAYIN",
    "İzlediğiniz için teşekkür ederim.",
    "ترجمة نانسي قنقر",
    "اشتركوا في القناة",
    "Hãy subscribe cho kênh Ghiền Mì Gõ Để không bỏ lỡ những video hấp dẫn",
    "ご視聴ありがとうございました",
    "最後までご視聴いただきありがとうございました。",
    "チャンネル登録をお願いします",
    "시청해 주셔서 감사합니다",
    "시청해주셔서 감사합니다!",
    "谢谢观看",
    "謝謝大家的觀看",
    "感謝您的觀看",
    "請不吝點贊訂閱",
    "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
    "字幕由 Amara.org 社群提供",
    "字幕由Amara.org社区提供",
    "字幕志愿者 杨茜茜",
    "優優獨播劇場——YoYo Television Series Exclusive",
]

SPOKEN = [
    "you?",
    "You too.",
    "thank you, goodbye",
    "Thank you very much.",
    "Thanks for calling back",
    "Thanks for waiting.",
    "Thanks for watching my dog, my account is 4821.",
    "I want to subscribe",
    "Please subscribe me to the newsletter.",
    "How do I subscribe to your channel?",
    "My subtitles are not working.",
    "See you next time.",
    "Bye.",
    "music",
    "謝謝",
    "謝謝大家",
    "我想訂閱",
    "感謝您的來電",
    "ありがとうございました",
    "감사합니다",
    "Спасибо",
    "Subtitles by four eight 21",
    "",
]


@pytest.mark.parametrize("text", STOCK)
def test_a_stock_phrase_is_one_whatever_its_language(text: str):
    assert is_stock(text)


@pytest.mark.parametrize("text", SPOKEN)
def test_what_people_say_is_none(text: str):
    assert not is_stock(text)
    assert not is_sound(text)


@pytest.mark.parametrize(
    "text",
    ["[Music]", "(applause)", "[BLANK_AUDIO]", "* coughs *", "[Music] [Applause]", "♪ music ♪"],
)
def test_the_name_of_a_sound_is_one(text: str):
    assert is_sound(text)


@pytest.mark.parametrize("text", ["[the caller's card number]", "(music is too loud)", "noise"])
def test_words_in_brackets_are_no_sound(text: str):
    assert not is_sound(text)


@pytest.mark.parametrize("piece", ["thank you ", "you", "subtitles by a ", "like and ", "[( "])
def test_a_long_strange_text_costs_little_time(piece: str):
    text = (piece * 400)[:400]
    started = time.process_time()

    is_stock(text + "!")
    is_stock(text[:390] + " 4")
    is_sound(text[:390])

    assert time.process_time() - started < 0.2
