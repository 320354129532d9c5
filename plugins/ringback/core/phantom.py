"""What speech recognition writes where nobody spoke: stock phrases, and signs for sounds.

Recognisers that learnt from subtitles, Whisper above all, fill silence and noise with how
subtitled videos end: thanks for watching, subscribe, who made the subtitles. The phrases are
those that users of Whisper report, e.g. in github.com/openai/whisper/discussions/679 and
/928 and in lists that other projects drew from them. Some are such phrases in another
person or script, added by hand. The list is not complete and follows no one model.

"Thank you", "bye" and "okay" are reported just as often. People say them, so they are not
listed: a made-up one does no harm, and a real one is never lost.
"""

# ruff: noqa: RUF001 - phrases in the letters that recognition writes

from __future__ import annotations

import re
import unicodedata

MAX_CHARACTERS = 400  # nothing that is longer is a stock phrase
_CREDITED = r"\D{2,40}"  # who made the subtitles: short, and never a number

_PHRASES = (
    # English
    r"(?:thanks|thank you)(?: guys)?(?: all)?(?: so much| very much)? for(?: your)? watching"
    r"(?: (?:the|this|my|our|that) (?:video|channel))?",
    r"(?:please |(?:and )?do not forget to |don t forget to |remember to )?"
    r"(?:(?:like|share|comment|hit the like button) )*(?:and )?subscribe"
    r" to (?:my|our|the|this) channel",
    r"(?:please|don t forget to|do not forget to|(?:please )?like(?: share| comment)* and) "
    r"(?:(?:like|share|comment|and) )*subscribe",
    r"(?:i ll |we ll )?see you (?:guys )?(?:all )?(?:in|on) (?:the|my|our) next (?:video|episode)",
    r"(?:hello|hi|hey) (?:everyone|guys) (?:and )?welcome (?:back )?to my channel",
    rf"(?:subtitles|captions|captioning|subtitling|transcription|transcribed|translated) "
    rf"(?:\w+ )?by {_CREDITED}",
    r"www mooji org",
    # German, Dutch, the Scandinavian languages
    r"(?:vielen dank|danke) (?:f[uü]rs zuschauen|f[uü]r(?: s| das)? zuschauen)",
    r"untertitel(?:ung)? (?:der|von|aufgrund der|im auftrag des) (?:amara org community|stephanie geiges|"
    r"zdf(?: f[uü]r funk)?(?: 20\d\d)?)",
    r"untertitel(?:ung)? (?:des )?(?:zdf|br|swr|wdr|ndr)(?: 20\d\d)?",
    r"copyright wdr 20\d\d",
    r"(?:ondertitels ingediend|ondertiteld|ondertiteling) door de amara org gemeenschap",
    r"bedankt voor het kijken",
    r"undertekster af amara org community|undertexter fr[aå]n amara org(?: gemenskapen)?",
    # French, Italian, Spanish, Portuguese
    r"merci d avoir regard[eé](?: (?:cette|la) vid[eé]o)?",
    r"(?:n oubliez pas de )?(?:vous )?abonne[rz](?: vous)? (?:[aà] (?:la|ma|notre) cha[iî]ne)",
    rf"sous titres? (?:r[eé]alis[eé]s|faits?|par|pour)\b{_CREDITED}amara org",
    r"sous titrage (?:st 501|soci[eé]t[eé] radio canada)|par soustitreur com",
    r"grazie per (?:aver guardato|la visione)(?: (?:il|del|questo) video)?|iscrivetevi al canale",
    rf"sottotitoli {_CREDITED}(?:amara org|qtss)",
    r"gracias por ver (?:el|este) v[ií]deo|(?:no olvides )?suscr[ií](?:bete|birte) (?:al|a mi) canal",
    rf"subt[ií]tul(?:os|ado) {_CREDITED}amara org|m[aá]s informaci[oó]n www alimmenta com",
    r"obrigad[oa] por assistir|inscrevam? se no canal",
    rf"(?:transcri[cç][aã]o e )?legendas {_CREDITED}amara org",
    # Polish, Czech, Russian
    rf"(?:zdj[eę]cia i |t[lł]umaczenie i )?(?:napisy|t[lł]umaczenie) {_CREDITED}amara org",
    r"dzi[eę]kuj[eę] za (?:obejrzenie|uwag[eę] i ogl[aą]danie)|titulky vytvo[rř]il johnyx",
    rf"субтитры (?:сделал|создавал|делал|подготовил|добавил) {_CREDITED}",
    rf"редактор субтитров {_CREDITED}|продолжение следует|спасибо за просмотр"
    r"|подписывайтесь на (?:мой |наш )?канал",
    # Turkish, Arabic, Vietnamese, Indonesian
    r"(?:kanal[ıi]m[ıi]za |kanal[ıi]ma |yorumlar[ıi]n[ıi]z[ıi]za )?abone olmay[ıi] unutmay[ıi]n",
    r"izledi[gğ]iniz i[cç]in te[sş]ekk[uü]r(?:ler| ederim| ederiz)|altyaz[ıi] m k",
    r"ترجمة نانسي قنقر|اشتركوا في القناة|لا تنسوا الاشتراك في القناة|شكرا (?:لكم )?على المشاهدة",
    r"h[aã]y subscribe cho k[eê]nh\D{2,90}|c[aả]m [oơ]n c[aá]c b[aạ]n [dđ][aã] (?:theo d[oõ]i|xem)"
    r"(?: video)?",
    r"terima kasih (?:telah|sudah) menonton",
    # Japanese, Korean, Chinese: without spaces
    r"(?:最後まで|本日は)*ご[視清]聴(?:いただき|頂き)?(?:誠に)?ありがとうござい(?:ました|ます)",
    r"チャンネル登録(?:と高評価)?(?:を|も)?(?:よろしく)?(?:お願い(?:いた|致)?します|してください)",
    r"次の動画でお会いしましょう",
    r"(?:끝까지)?시청해?주셔서감사합니다|시청해주셔서고맙습니다",
    r"구독과?좋아요(?:와알림설정)?(?:까지)?부탁드(?:립니다|려요)|한글자막by한효정|mbc뉴스이덕영입니다",
    r"(?:多|感)?[谢謝]{1,2}(?:大家|您|你|你們|你们|各位)?的?(?:观看|觀看|收看)",
    r"(?:小[编編])?字幕(?:由|提供|製作|制作|志[愿願]者)\D{1,24}",
    r"[请請]不吝[点點][赞贊讚](?:[订訂][阅閱])?(?:[转轉][发發])?(?:打[赏賞])?(?:支持)?"
    r"(?:明[镜鏡][与與][点點][点點][栏欄]目)?",
    r"明[镜鏡][与與][点點][点點][栏欄]目|優優獨播劇場yoyo television series exclusive",
    r"(?:[记記]得|[别別]忘了?)?[订訂][阅閱](?:我[们們]?的)?[频頻]道",
)
_ONE = "|".join(phrase.replace(" ", " ?") for phrase in _PHRASES)
_UNSPACED = r"[\u3040-\uffff]"  # Japanese, Chinese; Korean is written either way
_END = rf"(?: |$|(?<={_UNSPACED}))"
_PIECE = re.compile(rf"(?:{_ONE}){_END}")
_BESIDE = re.compile(rf"(?:thanks|thank you|bye|see you next time|you){_END}")
"""What stock phrases come with; nothing by itself."""
_YOU = re.compile(r"(?:you ?)+")
_SOUND = re.compile(
    r"(?:[\[(*♪♫【（][♪♫\s]*(?:blank[_ ]audio|silence|(?:\w+ )?music(?: playing)?|applause|laughter|"
    r"(?:background )?noise|inaudible|static|sighs?|coughs?|coughing|breathing|"
    r"音楽|音乐|音樂|拍手|掌[声聲]|沉默)\s*[\])*♪♫】）][\s.]*)+",
    re.IGNORECASE,
)


def is_stock(text: str) -> bool:
    """The text is nothing but stock phrases, one or several.

    "You", alone or in a row, is one, as the commonest that Whisper makes of silence; asked
    as a question it is the caller's.
    """
    if len(text) > MAX_CHARACTERS:
        return False
    words = _words(text)
    if _YOU.fullmatch(words):
        return "?" not in text
    place, has_phrase = 0, False
    while place < len(words):  # piece by piece: one pattern for all would try every division
        phrase = _PIECE.match(words, place)
        piece = phrase or _BESIDE.match(words, place)
        if piece is None:
            return False
        place, has_phrase = piece.end(), has_phrase or phrase is not None
    return has_phrase


def is_sound(text: str) -> bool:
    """The text only names a sound, as recognition does: "[Music]", "(applause)"."""
    return len(text) <= MAX_CHARACTERS and bool(_SOUND.fullmatch(text.strip()))


def _words(text: str) -> str:
    """Small letters without signs, with one space between words that are written with one."""
    whole = unicodedata.normalize("NFKC", text).casefold().replace("i\u0307", "i")
    words = re.sub(r"[\W_]+", " ", whole).strip()
    return re.sub(rf"(?<={_UNSPACED}) | (?={_UNSPACED})", "", words)
