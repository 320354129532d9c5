"""Which keys of a schema a question asks for, in four languages and two Chinese scripts."""

from __future__ import annotations

import pytest

from ringback.core.recall.scripts import SIMPLIFIED
from ringback.core.recall.topics import MAX_GAP, keys_asked
from ringback.records import Source
from ringback.schemas import GENERAL, MEDICAL_INTAKE, SUPPORT, Field, Schema, asking_chinese
from ringback.schemas.asking import LANGUAGES
from ringback.schemas.asking_pattern import pieces

pytestmark = pytest.mark.unit


def garage(*patterns: str) -> Schema:
    return Schema(
        name="garage",
        fields=(
            Field(
                key="car",
                label="motor car",
                sentence="The caller drives {value}",
                sources=(Source.CALLER,),
                asked_by=patterns,
            ),
        ),
    )


def asks(question: str, *patterns: str) -> bool:
    return bool(keys_asked(question, garage(*patterns)))


ENGLISH = [
    (GENERAL, "Where do I live?", "address home_town"),
    (GENERAL, "what's my address again", "address"),
    (GENERAL, "Which town is she from?", "home_town"),
    (GENERAL, "who does he work for", "employer"),
    (GENERAL, "what do I do for a living", "occupation"),
    (GENERAL, "what's my number", "phone"),
    (GENERAL, "Which number can we reach her on?", "phone"),
    (GENERAL, "can I eat prawns", "diet allergy"),
    (GENERAL, "Is she a vegetarian?", "diet"),
    (GENERAL, "am I allergic to nuts", "allergy"),
    (GENERAL, "have we got any animals", "pet"),
    (GENERAL, "who is my mother?", "mother"),
    (GENERAL, "what’s my dad called", "father"),  # noqa: RUF001 - as it is transcribed
    (GENERAL, "who am I married to", "partner"),
    (GENERAL, "have I got any children", "child"),
    (GENERAL, "does she want e-mail", "contact_preference"),
    (GENERAL, "how should we contact him", "contact_preference"),
    (GENERAL, "when's a good time to call her", "contact_time"),
    (GENERAL, "what sort of music does he like", "likes"),
    (GENERAL, "what can't she stand", "dislikes"),
    (GENERAL, "When is my birthday?", "birthday"),
    (GENERAL, "which language does she speak", "language"),
    (GENERAL, "what do people call me", "alias"),
    (GENERAL, "what kind of person is he", "trait"),
    (GENERAL, "who do I work with", "colleague"),
    (GENERAL, "what is she so unhappy about", "unhappy_with"),
    (SUPPORT, "should we text or phone her", "contact_preference"),
    (SUPPORT, "has it been sorted out", "open_matter"),
    (SUPPORT, "what did you promise me", "promise"),
    (SUPPORT, "when's the technician coming", "appointment"),
    (SUPPORT, "did you waive the fee", "exception"),
    (SUPPORT, "what was my complaint", "open_matter"),
    (SUPPORT, "what's her customer number", "account_number"),
    (SUPPORT, "where should we send the parcel", "address"),
    (MEDICAL_INTAKE, "what tablets am I on", "medication"),
    (MEDICAL_INTAKE, "which pharmacy do I use", "pharmacy"),
    (MEDICAL_INTAKE, "do I smoke", "smoking"),
    (MEDICAL_INTAKE, "who's my GP", "doctor"),
    (MEDICAL_INTAKE, "how tall am I", "height"),
    (MEDICAL_INTAKE, "how much does he weigh", "weight"),
    (MEDICAL_INTAKE, "who should we call in an emergency", "emergency_contact"),
    (MEDICAL_INTAKE, "is she pregnant", "pregnancy"),
    (MEDICAL_INTAKE, "have I had any operations", "surgery"),
    (MEDICAL_INTAKE, "can she have ibuprofen", "allergy"),
    (MEDICAL_INTAKE, "do I have diabetes", "condition"),
    (MEDICAL_INTAKE, "where does it hurt", "symptom"),
    (MEDICAL_INTAKE, "how old am I", "date_of_birth"),
    (MEDICAL_INTAKE, "what's my policy number", "insurance_number"),
]

TRADITIONAL = [
    (GENERAL, "我住在哪裡?", "address home_town"),
    (GENERAL, "我的地址是什麼", "address"),
    (GENERAL, "你們怎麼聯絡我?", "contact_preference"),
    (GENERAL, "什麼時候方便打給她", "contact_time"),
    (GENERAL, "我的電話號碼是多少", "phone"),
    (GENERAL, "他在哪裡上班", "employer"),
    (GENERAL, "王小姐是做什麼的?", "occupation"),
    (GENERAL, "我可以吃蝦子嗎", "diet allergy"),
    (GENERAL, "我對什麼過敏", "allergy"),
    (GENERAL, "我太太叫什麼名字", "partner"),
    (GENERAL, "我家的狗叫什麼?", "pet"),
    (GENERAL, "我媽媽的生日是幾月幾號", "birthday"),
    (GENERAL, "她喜歡喝什麼", "likes"),
    (GENERAL, "她討厭什麼", "dislikes"),
    (GENERAL, "我有沒有小孩", "child"),
    (SUPPORT, "你們答應過我什麼", "promise"),
    (SUPPORT, "我的帳號是多少", "account_number"),
    (MEDICAL_INTAKE, "我現在在吃什麼藥", "medication"),
    (MEDICAL_INTAKE, "我都去哪家藥局", "pharmacy"),
    (MEDICAL_INTAKE, "他抽菸嗎", "smoking"),
    (MEDICAL_INTAKE, "我的緊急聯絡人是誰", "emergency_contact"),
    (MEDICAL_INTAKE, "我有沒有開過刀", "surgery"),
]

SIMPLIFIED_CHINESE = [
    (GENERAL, "我住在哪里？", "address home_town"),  # noqa: RUF001
    (GENERAL, "我的邮箱是多少", "email"),
    (GENERAL, "应该怎么联系他", "contact_preference"),
    (GENERAL, "什么时候方便给她打电话", "contact_time"),
    (GENERAL, "她的手机号是多少", "phone"),
    (GENERAL, "我在哪家公司上班", "employer"),
    (GENERAL, "我是做什么工作的", "occupation"),
    (GENERAL, "我能不能吃花生", "diet allergy"),
    (GENERAL, "我老公叫什么", "partner"),
    (GENERAL, "我妈妈叫什么名字", "mother"),
    (GENERAL, "我养了什么宠物", "pet"),
    (GENERAL, "她讲什么语言", "language"),
    (GENERAL, "我的外号是什么", "alias"),
    (SUPPORT, "你们承诺了什么", "promise"),
    (SUPPORT, "师傅什么时候来", "appointment"),
    (MEDICAL_INTAKE, "我的体重是多少", "weight"),
    (MEDICAL_INTAKE, "我有高血压吗", "condition"),
    (MEDICAL_INTAKE, "我的家庭医生是谁", "doctor"),
    (MEDICAL_INTAKE, "她怀孕了吗", "pregnancy"),
]

JAPANESE = [
    (GENERAL, "私はどこに住んでいますか", "address home_town"),
    (GENERAL, "住所を教えてください", "address"),
    (GENERAL, "電話番号は何番ですか", "phone"),
    (GENERAL, "どこで働いていますか", "employer"),
    (GENERAL, "お仕事は何ですか", "occupation"),
    (GENERAL, "妻の誕生日はいつですか", "birthday"),
    (GENERAL, "母の名前は何ですか", "mother"),
    (GENERAL, "ペットを飼っていますか", "pet"),
    (GENERAL, "何が好きですか", "likes"),
    (GENERAL, "エビを食べても大丈夫ですか", "diet allergy"),
    (GENERAL, "どうやって連絡すればいいですか", "contact_preference"),
    (GENERAL, "何時に電話すればいいですか", "contact_time"),
    (SUPPORT, "何を約束しましたか", "promise"),
    (SUPPORT, "予約はいつですか", "appointment"),
    (MEDICAL_INTAKE, "何の薬を飲んでいますか", "medication"),
    (MEDICAL_INTAKE, "アレルギーはありますか", "allergy"),
    (MEDICAL_INTAKE, "タバコを吸いますか", "smoking"),
    (MEDICAL_INTAKE, "かかりつけ医は誰ですか", "doctor"),
    (MEDICAL_INTAKE, "どこの薬局を使っていますか", "pharmacy"),
    (MEDICAL_INTAKE, "身長は何センチですか", "height"),
]

KOREAN = [
    (GENERAL, "제가 어디에 살아요?", "address home_town"),
    (GENERAL, "집 주소가 어떻게 되세요", "address"),
    (GENERAL, "전화번호가 뭐예요", "phone"),
    (GENERAL, "어디에서 일해요", "employer"),
    (GENERAL, "아내는 무슨 일을 하나요", "occupation"),
    (GENERAL, "남편 생일이 언제예요", "birthday"),
    (GENERAL, "뭘 좋아하나요", "likes"),
    (GENERAL, "새우 먹어도 돼요?", "diet allergy"),
    (GENERAL, "어떻게 연락하면 되나요", "contact_preference"),
    (GENERAL, "언제 전화하면 좋을까요", "contact_time"),
    (SUPPORT, "저한테 뭘 약속하셨어요", "promise"),
    (SUPPORT, "예약이 언제예요", "appointment"),
    (SUPPORT, "계좌번호가 뭐예요", "account_number"),
    (MEDICAL_INTAKE, "무슨 약을 먹고 있어요", "medication"),
    (MEDICAL_INTAKE, "알레르기가 있나요", "allergy"),
    (MEDICAL_INTAKE, "담배 피우세요?", "smoking"),
    (MEDICAL_INTAKE, "어느 약국에 다녀요", "pharmacy"),
    (MEDICAL_INTAKE, "비상 연락처가 누구예요", "emergency_contact"),
    (MEDICAL_INTAKE, "키가 얼마예요", "height"),
]

NO_KEY = [
    "that number again",
    "what's the weather like tomorrow",
    "how much is the delivery",
    "are you open on Saturday",
    "what's my VAT rate",
    "I live in Bristol.",
    "okay, thank you very much",
    "where can I park",
    "which bus goes to the station",
    "can you say that again",
    "what colour is the kettle",
    "is there a lift",
    "how long does it take",
    "what did I say on Tuesday",
    "what would you like me to do",
    "can I have a refund",
    "can you give her a discount",
    "where did I stay in Lisbon",
    "who fixed the boiler",
    "what is on order A-17",
    "我住在台北。",
    "哪裡可以停車",
    "我上次买了什么",
    "明天會下雨嗎",
    "现在几点了",
    "多少錢",
    "你們幾點開門",
    "今日の天気はどうですか",
    "いくらですか",
    "駐車場はありますか",
    "先週何を注文しましたか",
    "내일 비가 와요?",
    "어디서 살 수 있어요",
    "얼마예요",
    "몇 시에 문 열어요",
]


@pytest.mark.parametrize(
    ("schema", "question", "keys"),
    [*ENGLISH, *TRADITIONAL, *SIMPLIFIED_CHINESE, *JAPANESE, *KOREAN],
)
def test_a_question_asks_for_its_keys_and_no_others(schema: Schema, question: str, keys: str):
    assert keys_asked(question, schema) == tuple(keys.split())


@pytest.mark.parametrize("schema", [GENERAL, SUPPORT, MEDICAL_INTAKE], ids=lambda one: one.name)
@pytest.mark.parametrize("question", NO_KEY)
def test_what_is_about_no_key_asks_for_none(question: str, schema: Schema):
    assert keys_asked(question, schema) == ()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("schema", [GENERAL, SUPPORT, MEDICAL_INTAKE], ids=lambda one: one.name)
def test_every_key_can_be_asked_for_in_every_language(schema: Schema, language):
    keys = [field.key for field in schema.fields]

    assert [key for key in keys if not language.PHRASES.get(key)] == []


def test_a_label_asks_for_its_key_without_any_phrase():
    assert asks("which cars and motors are there")


def test_pieces_stand_in_their_order():
    assert not asks("park it where", "where … park")


def test_pieces_are_at_most_so_far_apart():
    assert asks(f"where {'x' * (MAX_GAP - 2)} park", "where … park")
    assert not asks(f"where {'x' * (MAX_GAP - 1)} park", "where … park")


def test_pieces_stand_in_one_sentence():
    assert not asks("where? I did not park", "where … park")


@pytest.mark.parametrize("question", ["where did you park it", "WHERE did you leave it"])
def test_any_alternative_stands_for_its_piece(question: str):
    assert asks(question, "where … (park/leave)")


@pytest.mark.parametrize("question", ["is it parked", "the carpark", "spark it"])
def test_letters_are_whole_words(question: str):
    assert not asks(question, "park")


def test_words_that_stand_elsewhere_do_not_make_a_part_of_a_word_whole():
    assert not asks("a bold car, an old one", "old car")
    assert not asks("an old carpet in the car", "old car")


def test_alternatives_inside_a_word_make_the_word_whole():
    assert asks("is it parked", "park(ed/ing)")


def test_an_alternative_may_be_nothing():
    assert asks("my car", "my( old/) car")


def test_a_first_alternative_may_be_nothing():
    assert asks("that van", "(my /)van")


def test_a_word_in_letters_is_found_beside_signs():
    assert asks("我的van在哪", "van…哪")


def test_spaces_beside_signs_do_not_count():
    assert asks("차가어디", "차가 (어디/어느 곳)")


def test_both_chinese_scripts_are_one():
    assert asks("车在哪里", "車在哪裡")


def test_every_traditional_sign_of_the_phrases_has_its_simplified_form():
    signs = {sign for phrases in asking_chinese.PHRASES.values() for sign in "".join(phrases)}

    assert "".join(sign for sign in signs if sign.isalpha()).translate(SIMPLIFIED).encode("gb2312")


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.__name__)
def test_no_phrase_stands_there_twice(language):
    for phrases in language.PHRASES.values():
        assert len({pieces(phrase) for phrase in phrases}) == len(phrases)
