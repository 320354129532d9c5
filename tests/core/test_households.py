from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ringback.core.households import introduced, is_another
from ringback.records import Role, Turn

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
KNOWN = {"en": ("Aurelio",), "zh": ("王大明",)}

ANOTHER = [
    ["c: Hi, Beatrix speaking."],
    ["c: This is not Aurelio, it's his daughter Mia."],
    ["c: Aurelio isn't here, I'm Beatrix."],
    ["c: I'm calling from Aurelio's phone, my name's Tom."],
    ["c: My dad's not home, this is Tim."],
    ["c: I'm not Aurelio."],
    ["c: i'm not aurelio"],
    ["c: this is his son."],
    ["c: It's his mother calling."],
    ["c: this is aurelio's husband"],
    ["c: Aurelio's wife here."],
    ["c: Beatrix here, Aurelio's wife."],
    ["c: It's me, Beatrix, using my husband's phone."],
    ["c: You're talking to somebody else now."],
    ["c: Here is Beatrix now."],
    ["c: Beatrix this time.", "c: I'm not happy with it."],
    ["a: Am I speaking with Aurelio?", "c: No, this is his brother."],
    ["a: Hello Aurelio, welcome back.", "c: No, it's Beatrix."],
    ["a: Is this Aurelio?", "c: No."],
    ["a: Who am I speaking with?", "c: Beatrix."],
    ["c: 我不是王先生,我是他兒子"],
    ["c: 我不是王大明"],
    ["c: 這次是美麗打的"],
    ["c: 我是他老婆"],
]
THE_SAME = [
    ["c: Hi, Aurelio again."],
    ["c: It's me again."],
    ["c: I'm calling about my wife Beatrix."],
    ["c: My daughter Mia said hello."],
    ["c: I'm sorry."],
    ["c: I'm not sure."],
    ["c: I'm not happy."],
    ["c: This is not a joke."],
    ["c: This is urgent."],
    ["c: It's Monday this time."],
    ["c: It's not Aurelio's fault."],
    ["c: He said I'm not Aurelio."],
    ["c: I'm Beatrix's husband"],
    ["c: this is my wife's mother's phone"],
    ["c: No, it's Monday."],
    ["c: No, this is fine."],
    ["a: Is this Aurelio?", "c: Yes, this is."],
    ["a: Is this Aurelio?", "c: No problem, yes."],
    ["a: Is this about your order?", "c: No."],
    ["a: Is that everything?", "c: No."],
    ["a: Are you still there?", "c: No, I can't hear you."],
    ["c: 我是客戶"],
    ["c: 我是要問帳單"],
    ["c: 我老婆叫美麗"],
    ["c: 我不是很清楚"],
]


def is_somebody_else(lines: list[str]) -> bool:
    roles = {"a": Role.AGENT, "c": Role.CALLER}
    said = introduced(
        [Turn(roles[line[0]], line[3:], at=AT, position=at) for at, line in enumerate(lines)]
    )
    known = KNOWN["en" if lines[0].isascii() else "zh"]
    return said is not None and is_another(known, said)


@pytest.mark.parametrize("lines", ANOTHER, ids=" / ".join)
def test_whoever_says_so_is_another_person(lines: list[str]):
    assert is_somebody_else(lines)


@pytest.mark.parametrize("lines", THE_SAME, ids=" / ".join)
def test_whoever_says_nothing_of_the_kind_stays_who_they_are(lines: list[str]):
    assert not is_somebody_else(lines)
