"""Questions that a fact of each shipped key answers, as people ask them.

A memory is embedded with them, so that it is near to who asks like this. `{i}`, `{my}`,
`{am}`, `{do}`, `{have}` and `{me}` make one table serve "where do I live" and "where does
Rosa live"; `{value}` is the fact's own, where without it all facts of a key would be alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ringback.schemas.asking_pattern import pieces
from ringback.schemas.declaration import Field

MOST = 5  # questions of one fact

QUESTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "name": ("What is {my} name?", "Who {am} {i}?", "What {am} {i} called?"),
        "alias": (
            "What is {my} nickname?",
            "What do people call {me}?",
            "What {do} {i} like to be called?",
        ),
        "language": (
            "What language {do} {i} speak?",
            "Which language {do} {i} prefer?",
            "{do} {i} speak {value}?",
        ),
        "phone": (
            "What is {my} phone number?",
            "What number can {i} be reached on?",
            "What is {my} mobile number?",
        ),
        "email": (
            "What is {my} e-mail address?",
            "Where can we e-mail {me}?",
            "What is {my} email?",
        ),
        "address": (
            "Where {do} {i} live?",
            "What is {my} address?",
            "Where should we send a parcel for {me}?",
        ),
        "birthday": (
            "When is {my} birthday?",
            "When was {i} born?",
            "How old {am} {i}?",
            "What is {my} date of birth?",
        ),
        "home_town": (
            "Where {do} {i} live?",
            "Which city {do} {i} live in?",
            "Where {am} {i} from?",
            "Where did {i} move to?",
        ),
        "occupation": (
            "What {do} {i} do for a living?",
            "What is {my} job?",
            "What {do} {i} work as?",
        ),
        "employer": (
            "Where {do} {i} work?",
            "Who {do} {i} work for?",
            "Which company {am} {i} with?",
        ),
        "likes": (
            "What {do} {i} like?",
            "What {do} {i} enjoy doing?",
            "{do} {i} like {value}?",
            "What is {my} hobby?",
            "What would be a good present for {me}?",
        ),
        "dislikes": (
            "What {do} {i} dislike?",
            "What can't {i} stand?",
            "{do} {i} like {value}?",
            "What should we avoid for {me}?",
        ),
        "diet": (
            "What {do} {i} eat?",
            "{am} {i} {value}?",
            "What is {my} diet?",
            "What should we cook for {me}?",
        ),
        "allergy": (
            "What {am} {i} allergic to?",
            "{am} {i} allergic to {value}?",
            "Can {i} have {value}?",
            "What allergies {do} {i} have?",
        ),
        "pet": (
            "What is {my} pet called?",
            "What pets {do} {i} have?",
            "Who is {value}?",
            "What is the name of {my} dog or cat?",
        ),
        "mother": ("What is {my} mother's name?", "Who is {my} mother?", "Who is {value}?"),
        "father": ("What is {my} father's name?", "Who is {my} father?", "Who is {value}?"),
        "partner": (
            "What is {my} partner's name?",
            "Who {am} {i} married to?",
            "Who is {my} husband or wife?",
            "Who is {value}?",
        ),
        "child": (
            "What are {my} children called?",
            "{do} {i} have children?",
            "Who is {my} son or daughter?",
            "Who is {value}?",
        ),
        "colleague": ("Who {do} {i} work with?", "Who is {my} colleague?", "Who is {value}?"),
        "friend": ("Who is {my} friend?", "Who {am} {i} friends with?", "Who is {value}?"),
        "trait": (
            "What {am} {i} like as a person?",
            "What kind of person {am} {i}?",
            "How would you describe {me}?",
            "{am} {i} someone who {value}?",
        ),
        "pleased_with": (
            "What {am} {i} happy with?",
            "{am} {i} satisfied with {value}?",
            "How {do} {i} feel about {value}?",
            "Who or what {do} {i} trust?",
        ),
        "unhappy_with": (
            "What {am} {i} unhappy with?",
            "{am} {i} satisfied with {value}?",
            "How {do} {i} feel about {value}?",
            "What did {i} complain about?",
        ),
        "open_matter": (
            "What was {my} problem?",
            "What did {i} call about?",
            "What is still unresolved for {me}?",
            "What did {i} report?",
            "What went wrong?",
        ),
        "promise": (
            "What did you promise {me}?",
            "What were you going to do for {me}?",
            "When will you get back to {me}?",
            "What is still owed to {me}?",
        ),
        "appointment": (
            "When is {my} appointment?",
            "What date did we agree on?",
            "When is somebody coming?",
            "When {am} {i} due?",
        ),
        "exception": (
            "What exception was made for {me}?",
            "Was a fee waived for {me}?",
            "What was done just this once?",
        ),
        "contact_preference": (
            "How should we contact {me}?",
            "{do} {i} prefer a call, a text or an e-mail?",
            "How {do} {i} want to hear from you?",
            "May we call {me}?",
        ),
        "contact_time": (
            "When should we call {me}?",
            "What is a good time to reach {me}?",
            "When {am} {i} available?",
        ),
        "account_number": (
            "What is {my} account number?",
            "Which account is {my} own?",
            "What is {my} customer number?",
        ),
        "date_of_birth": ("When was {i} born?", "What is {my} date of birth?", "How old {am} {i}?"),
        "medication": (
            "What tablets {do} {i} take?",
            "What medication {am} {i} on?",
            "{do} {i} take {value}?",
            "How much {value} {do} {i} take?",
            "What did the doctor prescribe for {me}?",
        ),
        "condition": (
            "What illness {do} {i} have?",
            "What is {my} diagnosis?",
            "{do} {i} have {value}?",
            "What {am} {i} being treated for?",
        ),
        "symptom": (
            "What are {my} symptoms?",
            "What is wrong with {me}?",
            "Where {do} {i} have pain?",
            "How {do} {i} feel?",
        ),
        "surgery": (
            "What operations {have} {i} had?",
            "What surgery {have} {i} had?",
            "{have} {i} had {value}?",
        ),
        "pregnancy": (
            "{am} {i} pregnant?",
            "{am} {i} expecting a baby?",
            "When is {my} baby due?",
        ),
        "smoking": ("{do} {i} smoke?", "{am} {i} a smoker?", "Did {i} stop smoking?"),
        "height": ("How tall {am} {i}?", "What is {my} height?", "What size {am} {i}?"),
        "weight": ("How much {do} {i} weigh?", "What is {my} weight?", "How heavy {am} {i}?"),
        "emergency_contact": (
            "Who should be called in an emergency?",
            "Who is {my} emergency contact?",
            "Who is {my} next of kin?",
        ),
        "insurance_number": (
            "What is {my} insurance number?",
            "What is the number on {my} insurance card?",
            "What is {my} policy number?",
        ),
        "doctor": (
            "Who is {my} doctor?",
            "What is the name of {my} family doctor?",
            "Who {do} {i} see when {i} {am} ill?",
        ),
        "pharmacy": (
            "Which pharmacy {do} {i} use?",
            "Where {do} {i} pick up prescriptions?",
            "Where should the prescription be sent?",
        ),
    }
)

GENERAL_QUESTIONS = (
    "What is {my} {label}?",
    "What {label} do you have for {me}?",
    "What did the caller say about {my} {label}?",
)

_OWN = MappingProxyType({"i": "I", "my": "my", "am": "am", "do": "do", "have": "have", "me": "me"})
_OPENINGS = frozenset(
    {"what", "who", "whose", "when", "where", "which", "how", "is", "am", "do", "did"}
)


def questions(field: Field | None, label: str, value: str, about: str = "") -> tuple[str, ...]:
    """What a fact answers, three to five questions.

    Args:
        field: The fact's; of a key outside the schema there is none.
        label: What the key is called.
        value: The fact's, harmless.
        about: Who or what it is about, in a sentence ("Rosa", "my mother"); "" for the
            profile's own.
    """
    templates = QUESTIONS.get(field.key, ()) if field is not None else ()
    if not templates:
        own = () if field is None or about else _patterned(field)
        templates = (*GENERAL_QUESTIONS, *own)
    made = dict.fromkeys(_filled(one, label, value, about) for one in templates)
    return tuple(made)[:MOST]


def _filled(template: str, label: str, value: str, about: str) -> str:
    words = _OWN if not about else _words_about(about)
    return _capital(template.format(label=label, value=value, **words))


def _words_about(about: str) -> Mapping[str, str]:
    return {
        "i": about,
        "my": f"{about}'s",
        "am": "is",
        "do": "does",
        "have": "has",
        "me": about,
    }


def _patterned(field: Field) -> tuple[str, ...]:
    """Of a key of somebody's own schema, the ways to ask for it that are whole sentences."""
    return tuple(
        _capital(f"{words}?")
        for pattern in field.asked_by
        if "{" not in pattern and (words := _sentence(pattern))
    )


def _sentence(pattern: str) -> str:
    """A pattern without gaps that begins as a question does, with the first of alternatives."""
    found = pieces(pattern)
    words = " ".join("".join(part[0] for part in found[0]).split())
    is_whole = len(found) == 1 and words.partition(" ")[0] in _OPENINGS and " " in words
    return words if is_whole else ""


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]
