"""What is said in the benchmark of peers: three earlier calls, and the one that is measured."""

from __future__ import annotations

from dataclasses import dataclass

CALLER, AGENT = "user", "assistant"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A call before the measured one."""

    days_ago: int
    said: tuple[tuple[str, str], ...]
    """A role and what it said."""


@dataclass(frozen=True, slots=True)
class Line:
    """What the caller says in one turn of the measured call."""

    text: str
    needs: str = ""
    """Said in an earlier call, and needed to answer; "" where no memory is."""


EARLIER = (
    Earlier(
        41,
        (
            (CALLER, "Hello, my name is Dana Whitfield and my account number is 4821."),
            (AGENT, "Thank you, Dana. What can I do for you?"),
            (CALLER, "My broadband drops every evening at about nine o'clock."),
            (AGENT, "I am sorry. An engineer will come and look at it on 22 October."),
            (CALLER, "Good. We moved in spring, by the way, I live at 17 Alder Street now."),
            (AGENT, "I have noted 17 Alder Street."),
            (CALLER, "My husband works at home on Thursdays, so a Thursday is best for us."),
            (AGENT, "The engineer will come on a Thursday then."),
        ),
    ),
    Earlier(
        27,
        (
            (CALLER, "It is Dana again. Your engineer Tomas changed the socket in the hall."),
            (AGENT, "And has it helped?"),
            (CALLER, "No, the line drops as before, and all the lights go red."),
            (AGENT, "Then I will send you a new router by courier within two days."),
            (CALLER, "Please text me when it is sent, I never read my emails."),
            (AGENT, "You will get a text."),
        ),
    ),
    Earlier(
        13,
        (
            (CALLER, "Hello, Dana Whitfield. The router has not arrived."),
            (AGENT, "It is order 77120. The courier has returned it, I will have it sent again."),
            (CALLER, "And invoice 9051 is for 61 dollars, that is more than I pay."),
            (AGENT, "19 dollars of it are a late fee. I will ask whether it can be taken off."),
            (CALLER, "Thank you, please do."),
        ),
    ),
)

LINES = (
    Line("Hello, this is Dana, I am calling about my broadband again.", "every evening"),
    Line("The router is still not here, what was the number of that order?", "77120"),
    Line("Which street will the courier bring it to?", "17 Alder Street"),
    Line("Okay."),
    Line("If an engineer has to come again, which day suits us best?", "Thursday"),
    Line("Who was it that changed the socket in our hall?", "Tomas"),
    Line("What does an engineer cost after the first year?"),
    Line("My last invoice was too high, how much was it?", "61 dollars"),
    Line("And how much of that was the late fee?", "19 dollars"),
    Line("How will you let me know when it is sent?", "text"),
    Line("Which account number do you have for me?", "4821"),
    Line("Thank you, that is all that I wanted to ask today."),
)
