"""What people are by profession: "I'm a teacher", "my wife has been a nurse for years".

"I'm a ..." may be followed by anything ("a customer", "a bit late"), so only words that are
professions count here; "I work as ..." is a phrase of the schema and takes any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.phrase_context import clauses, lead_stance
from ringback.core.reading import AMBIGUOUS, SURE, Found, Reading
from ringback.core.relatives import ENGLISH, NAMED, person_before, person_ref
from ringback.records import SELF

_PROFESSIONS = """
    accountant actor actress analyst architect artist attorney author baker banker barber barista
    bartender biologist bookkeeper bricklayer builder butcher caregiver carer carpenter cashier chef
    chemist cleaner clerk coach consultant contractor cook courier dancer decorator dentist designer
    detective developer doctor driver economist editor electrician engineer estate_agent farmer
    firefighter fisherman florist freelancer gardener geologist grocer hairdresser historian
    housekeeper illustrator interpreter inspector janitor joiner journalist judge labourer laborer
    landscaper lawyer lecturer librarian locksmith machinist mechanic merchant midwife miner musician
    nanny nurse nutritionist optician painter paralegal paramedic pharmacist photographer physician
    physicist physiotherapist pianist pilot plumber policeman policewoman police_officer politician
    porter postman priest producer professor programmer psychologist psychiatrist publisher realtor
    receptionist reporter researcher roofer sailor salesman salesperson saleswoman scientist sculptor
    seamstress secretary shopkeeper singer social_worker soldier solicitor stonemason student surgeon
    surveyor tailor teacher technician therapist trader translator truck_driver tutor undertaker vet
    veterinarian waiter waitress web_designer welder writer zookeeper
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list
_PROFESSION = "|".join(word.replace("_", " ") for word in sorted(_PROFESSIONS, key=len)[::-1])
_IS = re.compile(
    rf"\b(?P<who>my\s+{ENGLISH}{NAMED}?|he|she|i)(?:'m|'s|'ve been|\s+(?:am|is|have been|has been))"
    r"\s+(?:(?:now|actually|just|also|currently|still|only|both|been)\s+){0,2}an?\s+"
    r"(?P<job>(?:(?!(?:former|ex|fake|good|bad|great|terrible|real|bit|lot|kind|wannabe|customer|friend|fan|member|"
    r"patient|client|big|poor|lousy|budding)\b)"
    rf"[a-z-]+\s+){{0,2}}?(?:{_PROFESSION}))\b(?!\s+(?:away|or not|who|for a day|appointment))(?!')",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find what the caller, or a relative of theirs, is by profession."""
    text = reading.text
    for clause in clauses(text):
        for match in _IS.finditer(text, clause.start, clause.end):
            sense = lead_stance(text, clause, match.start())
            subject = _subject(text, match)
            if sense is None or sense.is_negated or not subject:
                continue
            confidence = AMBIGUOUS if sense.is_hedged else SURE
            value = " ".join(match["job"].split())
            yield Found(
                "occupation",
                value,
                match.start(),
                match.end(),
                confidence,
                subject=subject,
                is_speculation=sense.is_hedged,
            )


def _subject(text: str, match: re.Match[str]) -> str:
    who = match["who"].lower()
    if who == "i":
        return SELF
    if who in {"he", "she"}:
        return person_before(text, 0, match.start())
    return person_ref(re.sub(r"^my\s+", "", match["who"], flags=re.IGNORECASE))
