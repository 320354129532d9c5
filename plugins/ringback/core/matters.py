"""What is unresolved: problems that a caller reports. What ends them is in `matter_ends`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.matter_ends import ended, is_over
from ringback.core.matter_text import lower_first, trimmed_end
from ringback.core.reading import LIKELY, Found, Reading, is_question, statements
from ringback.core.relatives import ENGLISH
from ringback.text import Span

MAX_MATTER_CHARACTERS = 160
SHORTEST_MATTER_WORDS = 3

_OWNER = r"(?:my|our|the|a|an|this|that|your)"
_SUBJECT = rf"\b{_OWNER}\s+(?:(?!(?:and|but|or|so|because|that|if|when)\b)[\w'-]+\s+){{1,5}}?"
_IT = r"\b(?:it|that one|this one|everything)\s+"
_ADVERB = (
    r"(?:\s*\b(?:just|still|now|always|often|suddenly|completely|constantly|again|not|also|totally|"
    r"really|all|only|already|already been|been)\b)*\s*"
)
_BROKEN = (
    r"(?:down|broken|out|dead|slow|very slow|so slow|too slow|stuck|leaking|flickering|offline|"
    r"faulty|damaged|missing|locked|blocked|frozen|jammed|wrong|cracked|dropping|failing|"
    r"blinking|flashing|coming on(?! (?:\w+day|the|tomorrow|holiday)\b)|beeping|dripping|smoking|overheating|buzzing|rattling|ruined|"
    r"scratched|torn|bent|rotten|mouldy|moldy|overdue|too high|defective|disconnected|cut off|"
    r"turned off|switched off|freezing|crashing|restarting|making (?:a|an|strange|weird) [\w ]+)"
)
_FAILS = (
    r"(?:drops|dropped|fails|failed|freezes|froze|crashes|crashed|breaks|broke|leaks|leaked|dies|"
    r"died|stops|stopped|stopped working|disconnects|disconnected|cuts out|cut out|goes down|"
    r"went down|gone down|went out|gone out|been down|been out|been slow|been dropping|"
    r"been broken|broken down|beeps|buzzes|rattles|drips|squeaks|overheats|flickers|blinks|flashes|"
    r"smells|restarts|reboots|resets|shuts (?:down|off|itself)|turns (?:itself )?off|switches (?:itself )?off|"
    r"cuts off|makes (?:a|an|this|that|such a|some) [\w ]{0,20}?noise|shows (?:an|some|the) error|"
    r"burst|exploded|cracked|jams|jammed|vanished|disappeared|fell (?:off|apart))"
)
_WORKS = (
    r"(?:work(?:s|ing)?|respond(?:ing)?|load(?:ing)?|charg(?:e|ing)|connect(?:ing)?|start(?:ing)?|"
    r"turn(?:ing)? (?:on|off)|do anything|react|print(?:ing)?|ring(?:ing)?|open(?:ing)?|clos(?:e|ing)|arrive[d]?|shown? up|"
    r"turned up|come|come back|heat(?:ing)?|cool(?:ing)?|boot(?:ing)?|log me in|let me|come(?: on)?|lock(?:ing)?|"
    r"spin(?:ning)?|drain(?:ing)?|flush(?:ing)?|play(?:ing)?|switch(?:ing)? (?:on|off)|light(?:ing)? up|"
    r"been (?:delivered|paid|credited|refunded|fixed|repaired|collected)|update|sync|pair|accept|get (?:warm|hot|cold)|"
    r"stop(?:ping)?)"
)
_NOT = (
    r"(?:isn't|is not|'s not|aren't|are not|doesn't|does not|don't|do not|won't|will not|"
    r"hasn't|has not|haven't|have not|can't|cannot|didn't|did not|never|still hasn't|still isn't|"
    r"still doesn't|still won't|has never)"
)
_PEOPLE = (
    r"(?:he|she|they|you(?: guys| people)?|your (?:guy|man|men|people|driver|technician|engineer|colleague|"
    r"team|company|plumber|fitter|courier|staff)|the (?:driver|technician|engineer|courier|plumber|fitter|guy|"
    r"man|woman|lady|delivery (?:guy|man)))"
)
_NOBODY = r"(?:nobody|no one|noone)"
_CAME = (
    r"(?:came|comes|called|rang|phoned|answered|answers|showed up|turned up|did|does|has|helped|helps|"
    r"(?:ever )?(?:called|rang|wrote|got) (?:me )?back|replied|picks up|picked up|wrote)"
)
_PROBLEM = re.compile(
    rf"{_SUBJECT}(?:is|are|has been|have been|seems|seems to be|keeps|'s|was|were)(?<!was)(?<!were){_ADVERB}\b{_BROKEN}\b"
    rf"|(?:{_SUBJECT}|{_IT})(?:still\s+|just\s+)?(?:keeps|keep|kept)\s+(?!on\b)(?:on\s+)?\w+ing\b"
    rf"|(?:{_SUBJECT}|{_IT})(?:has\s+|have\s+|just\s+|has just\s+|has also\s+|always\s+|often\s+|still\s+|constantly\s+)?{_FAILS}\b"
    rf"|(?:{_SUBJECT}|{_IT}){_NOT}\s+(?:\w+\s+){{0,1}}?{_WORKS}\b(?!\s+(?:for|with)\b)"
    rf"|{_IT}(?:is|'s|has been)\s+(?:still\s+)?(?:broken|leaking|dead|faulty|damaged|cracked|not working|stuck|offline)\b"
    r"|\bit's\s+(?:still\s+)?(?:broken|leaking|dead|faulty|damaged|cracked|not working|stuck|offline)\b"
    r"|\b(?:i've|i have|i am having|i'm having|we have|we've|we're having|there's|there is|there are|having|i had)\s+"
    r"(?:got\s+|had\s+)?(?:a|an|some|another)?\s*(?:\w+\s+){0,2}?"
    r"(?:problems?|issues?|trouble|fault|leak|outage|crack|hole|error|water (?:all over|everywhere|coming)|"
    r"mould|mold|charge (?:on [\w ]+ )?(?:that )?i (?:don't|do not|didn't))\b(?:\s+with\b)?"
    r"|\b(?:i|we)(?:'ve| have)?(?: still| got| had)? (?:still )?(?:have |had |got |been without )?no (?:internet|signal|service|power|"
    r"water|heating|heat|connection|dial tone|hot water|electricity|gas|sound|picture)\b"
    r"|\bthere(?:'s| is) (?:still )?no (?:internet|signal|service|power|water|heating|heat|connection|dial tone|"
    r"hot water|electricity|gas|sound|picture)\b"
    r"|\b(?:i|we)(?:'ve| have)? been without (?:internet|power|water|heating|hot water|service|electricity|a phone)\b"
    r"|\b(?:i|we) (?:still )?(?:can't|cannot|can not|am not able to|am unable to|'m unable to|'m not able to|couldn't) "
    r"(?:even )?(?:log|get(?! (?:away|out|off|there|home|to)\b)|connect|access|make(?! it\b)|open|use|reach|see|download|print|pay|sign|turn|send|receive|"
    r"watch|switch|close|register|upload)\b(?!\s+(?:you|me|a text|it right|that (?:day|date)|there|here|away|to the phone)\b)"
    r"|\b(?:i|we)(?:'ve| have|'m| am|'re| are)?\s+(?:was |were |been |got |being |have been )(?:\w+ly )?"
    r"(?:charged|billed|overcharged|double[- ]charged|cut off|disconnected)\b"
    r"|\b(?:you|they) (?:have |'ve )?(?:over)?(?:charged|billed) (?:me|us|my)\b"
    r"|\b(?:my|our|the|this|that)\s+(?:[\w-]+\s+){1,3}(?:hasn't|has not|haven't|have not|isn't|is not|aren't)"
    r"\s+(?:been\s+)?work(?:ed|ing)\b"
    r"|\b(?:my|our|the|this|that)\s+(?:[\w-]+\s+){1,3}(?:stays|stayed|remains)\s+"
    r"(?:black|dark|blank|cold|off|red|frozen|dead|locked|empty)\b"
    r"|\b(?:somebody|someone) (?:has |'s )?(?:charged|billed|taken|stolen|used) (?:me|us|my)\b"
    r"|\b(?:i|we) (?:paid|have paid) (?:twice|double|for (?:something|nothing))\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:lost|never (?:got|received))\s+(?:my|our|the|a|any)\b"
    r"|\b(?:i|we) (?:haven't|have not|still haven't|didn't|did not) (?:received?|got|gotten|get)\s+"
    r"(?:my|our|the|any)\b(?!\s+(?:last|first|number|question|name|part|end|digits?|point|joke)\b)"
    r"|\b(?:i|we)(?:'ve| have)? (?:got|received|been sent|were sent|was sent) (?:the wrong\b(?! (?:number|department|person|place|idea|impression|one))|a (?:broken|damaged|faulty|defective))\b"
    r"|\b(?:you|they)(?:'ve| have)? (?:sent|delivered|gave) (?:me|us)? ?(?:the wrong|a (?:broken|damaged|faulty|defective))\b"
    rf"|\b{_PEOPLE} (?:just |also |then |simply )?(?:left|broke|damaged|scratched|ruined|forgot|hung up|lost|never (?:came|called|showed up|turned up|arrived|fixed|finished|answered|rang|got back|replied|explained|told me|did|said|brought|sent|closed|cleaned)|didn't (?:come|show|"
    r"call|turn up|finish|fix|bring|ring|clean|even|answer)|did not (?:come|show|call)|was (?:very |so |really )?(?:rude|late)|"
    r"were (?:very |so |really )?(?:rude|late)|took the wrong|made a mess|kept me waiting)\b"
    rf"|\b(?:somebody|someone|they|he|she|you|it)\b[^.;?]{{4,60}}\b(?:and|but) (?:then )?(?:{_NOBODY} (?:did|{_CAME})|"
    r"(?:nothing happened|nothing came|(?:they|he|she|it|you) (?:never|didn't|hasn't|haven't)))\b"
    rf"|\b{_NOBODY} (?:ever )?(?:has )?{_CAME}\b(?: (?:me|us)\b)?(?: back\b)?"
    r"|\b(?:i|we)(?:'m| am|'re| are) still waiting (?:for|on)\b"
    r"|\b(?:i|we)(?:'ve| have) been waiting (?:for|on|since)\b(?! you\b)"
    r"|\b(?:i|we) (?:haven't|have not|didn't|don't) (?:had|have) (?:any )?(?:internet|signal|service|power|water|heating|heat|"
    r"hot water|electricity|gas|sound|picture)\b"
    r"|\b(?:that|this|it)(?:'s| is) not what (?:i|we) (?:ordered|asked for|agreed|paid for|was told|were told)\b"
    rf"|{_SUBJECT}(?:went up|has gone up|is (?:much |way |far )?(?:higher|too high|bigger)|doubled)\b"
    r"|\b(?:it|he|she|that|this)(?:'s| is) making (?:a|an|this|that|such a) (?:\w+ )?(?:noise|sound)\b"
    r"|\b(?:i|we) ordered [^.;?]{2,50}\b(?:and|but) (?:i |we )?(?:got|received|you sent|they sent|what came)\b"
    rf"|{_SUBJECT}(?:came|arrived|was delivered) (?:without|broken|damaged|empty|open|incomplete)\b"
    r"|\b(?:i|we) (?:was|were) (?:promised|told)\b[^.;?]{2,60}\b(?:and|but) (?:nobody|no one|nothing|it never|they never|you never)\b"
    r"|\bnothing (?:works|is working|happens|has happened)\b",
    re.IGNORECASE,
)
_FAULTY = (
    r"(?:leaking|leaky|dripping|broken|faulty|flickering|dead|damaged|cracked|blocked|wrong|noisy|missing|"
    r"frozen|lost|double|overdue|smelly|defective|jammed|stuck|unknown|incorrect|burst|clogged)"
)
_NAMED = re.compile(
    rf"\b(?:about|regarding|because of|concerning|with|have|got|report)\s+"
    rf"(?P<what>(?!the wrong (?:number|department|person|place|idea|impression|one)\b)(?:the|my|our|a|an|this|that)\s+(?:\w+\s+)?{_FAULTY}\s+[a-z]+(?:\s+(?:bill|line|charge|pipe|screen|"
    r"door|machine|payment))?)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[,;]?\s+(?:and\s+(?:so\s+|then\s+)?(?:i(?:'m| am| was|'d| would)|can|could|what)|"
    r"so\s+(?:i|can|could|what|please)|(?:can|could|would) you|what (?:can|should)|please|"
    r"and (?:my (?:name|account|number)|i (?:want|need|would)))\b|\s+-\s|,\s+(?:right|you know)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:said|says|told|tells|thinks?|asked|asks|wondered|heard|read|hope|afraid|worried|might|may|could be|"
    r"would be|would|maybe|perhaps|probably|possibly|if|whether|unless|in case|suppose|imagine|until|"
    r"pretend|wish|once|what happens|make sure)\b[^,;]*$",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:said|says|tells|thinks|thought|claims|reckons|his|her|their|neighbou?rs?|friend|colleague)\b",
    re.IGNORECASE,
)
_BEING = re.compile(
    rf"\b(?:{ENGLISH}|dog|cat|pet|kid|kids|baby|husband|day|week|morning|weather|number)\s+(?:has |have |just |is |was )*"
    r"(?:\w+ly )?(?:died|dies|down|out|dead|missing|late|gone|stopped|stops|wrong|slow|dropped|stuck|broke|keeps)\b",
    re.IGNORECASE,
)
_BROKEN_WORD = re.compile(r"\b(?:somebody|someone|nobody|no one|promised)\b", re.IGNORECASE)
_UNNAMED = re.compile(
    r".*\b(?:a|an|some|another)\s+\w*\s*(?:problems?|issues?|trouble)", re.IGNORECASE
)
_THING_BEFORE = re.compile(
    r"\b(?:my|our|the|this|that)\s+(?!(?:same|way|moment|other|thing|problem)\b)[a-z-]{2,20}(?:\s+[a-z-]{2,20}){0,3}[^.;?]*?,?\s*$",
    re.IGNORECASE,
)
_IT_FIRST = re.compile(r"(?:it|it's)\b", re.IGNORECASE)
MAX_BEFORE_IT = 60  # characters between a thing and the "it" that stands for it


def read(reading: Reading) -> Iterator[Found]:
    """Find problems that the caller reports, and those that are over."""
    found: dict[str, Found] = {}
    for span in statements(reading.text):
        for over in ended(reading, span, [*found]):
            found[over.value] = over
        problem = _problem(reading.text, span)
        if problem:
            found[problem.value] = problem
    yield from found.values()


def _problem(text: str, span: Span) -> Found | None:
    sentence = text[span.start : span.end]
    if is_question(sentence) or is_over(sentence):
        return None
    match = _PROBLEM.search(text, span.start, span.end)
    if match is None:
        return _faulty_thing(text, span)
    if _is_told(text, span, match):
        return None
    start = _with_its_thing(text, span, match.start())
    end = trimmed_end(text, match.end(), span.end, _TAIL)
    value = text[start:end]
    if _UNNAMED.fullmatch(value):
        return None
    if len(value.split()) < SHORTEST_MATTER_WORDS or len(value) > MAX_MATTER_CHARACTERS:
        return _found(text, start, match.end())
    return _found(text, start, end)


def _found(text: str, start: int, end: int) -> Found | None:
    value = text[start:end]
    is_short = len(value.split()) < SHORTEST_MATTER_WORDS and not _IT_FIRST.match(value)
    if is_short or len(value) > MAX_MATTER_CHARACTERS:
        return None
    return Found("open_matter", lower_first(value), start, end, LIKELY)


def _is_told(text: str, span: Span, match: re.Match[str]) -> bool:
    """Somebody else said it, of something else, or it is only supposed."""
    if _BROKEN_WORD.search(match.group()):  # "somebody would ring me, and nobody did"
        return bool(re.search(r"\bif\b", text[span.start : match.start()], re.IGNORECASE))
    said = match.group()
    return bool(
        _TOLD.search(text[span.start : match.start()])
        or _OF_OTHERS.search(said)
        or _BEING.search(said)  # "my father died"
    )


def _with_its_thing(text: str, span: Span, start: int) -> int:
    """Begin with what "it" stands for: "the machine you delivered, it leaks"."""
    if not _IT_FIRST.match(text, start):
        return start
    before = text[max(span.start, start - MAX_BEFORE_IT) : start]
    thing = _THING_BEFORE.search(before)
    return start - len(before) + thing.start() if thing else start


def _faulty_thing(text: str, span: Span) -> Found | None:
    """Read "I'm calling about the leaking dishwasher"."""
    match = _NAMED.search(text, span.start, span.end)
    if match is None or _TOLD.search(text[span.start : match.start()]):
        return None
    return _found(text, match.start("what"), match.end("what"))
