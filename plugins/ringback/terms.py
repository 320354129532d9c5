"""Terms: what full text is indexed by and asked with, in any back-end alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from snowballstemmer.english_stemmer import EnglishStemmer

MAX_CHARACTERS = 20_000  # of one text; a quarter of an hour of speech
VOICING = {"\u3099", "\u309a"}  # of kana: another sound, not an accent
STEMS_KEPT = 50_000  # of the newest words; a call's vocabulary is some hundreds

_CJK = r"[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0002fa1f]+"
_TOKEN = re.compile(
    rf"(?P<cjk>{_CJK})|(?P<word>(?:(?!{_CJK})[^\W_])+(?:[-./'](?:(?!{_CJK})[^\W_])+)*)"
)
_ASCII_TOKEN = re.compile(r"[a-z0-9]+(?:[-./'][a-z0-9]+)*")
_JOINED = re.compile(r"[-./]")
_DIGIT = re.compile(r"\d")

EMPTY_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be been before being but by can could
    did do does doing done for from get got had has have having he her here hers him his how i if
    in into is it its just know let like ll m may me mine more most my no now of off on or our
    ours out over own please re s same she should so some t than that the their theirs them then
    there these they this those through to too under up us ve very was we were what when where
    which while who whom whose why will with would you your yours
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list
)
"""Words that are in every sentence and tell nothing of it."""


def terms(text: str) -> tuple[str, ...]:
    """Take a text apart into the terms it is found by.

    Composed and decomposed letters, full-width and plain digits, accents and case do not
    count. English words are stemmed (Porter's second algorithm, by Snowball) and the
    emptiest left out. A code that holds a digit ("55810-7") is one term, so that it never
    meets one that differs in a digit. A run of Chinese, Japanese or Korean gives every two
    neighbouring characters, and itself where it is a single one.

    Returns:
        In order, with repeats.
    """
    text = text[:MAX_CHARACTERS]
    if text.isascii():  # most texts are: nothing to decompose
        return tuple(_ascii_terms(text.lower().replace("e-mail", "email")))
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).casefold()
    stripped = "".join(sign for sign in plain if sign in VOICING or not unicodedata.combining(sign))
    return tuple(_terms(unicodedata.normalize("NFC", stripped).replace("e-mail", "email")))


def _terms(text: str) -> Iterator[str]:
    for token in _TOKEN.finditer(text):
        word = token["word"]
        if word is None:
            yield from _pairs(token["cjk"])
        elif any(sign.isdigit() for sign in word):
            yield word
        else:
            yield from _word_terms(word)


def _ascii_terms(text: str) -> Iterator[str]:
    for word in _ASCII_TOKEN.findall(text):
        if word.isalpha():
            if word not in EMPTY_WORDS:
                yield _stem(word)
        elif _DIGIT.search(word):
            yield word
        else:
            yield from _word_terms(word)


def _word_terms(word: str) -> Iterator[str]:
    for part in _JOINED.split(word):
        whole = part.removesuffix("'s")
        if whole not in EMPTY_WORDS and whole.replace("'", "") not in EMPTY_WORDS:
            yield _stem(whole)


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for left, right in pairwise(run):
        yield left + right


@lru_cache(maxsize=STEMS_KEPT)
def _stem(word: str) -> str:
    return str(EnglishStemmer().stemWord(word))  # one each: a stemmer keeps state, threads share
