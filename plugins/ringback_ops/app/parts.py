"""What a processor of a pipeline is, by what made it or, failing that, by its name."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from enum import StrEnum

from ringback_ops.app.names import Names, Value, Visit
from ringback_ops.app.syntax import Syntax, argument


class Role(StrEnum):
    """What a processor does for memory's sake."""

    INPUT = "input"
    STT = "speech recognition"
    EARS = "ears"
    USER = "user aggregator"
    MEMORY = "memory"
    LLM = "language model"
    REALTIME = "speech-to-speech model"
    PRIMING = "priming"
    TTS = "speech synthesis"
    OUTPUT = "output"
    RECORDER = "recorder"
    ASSISTANT = "assistant aggregator"
    OTHER_MEMORY = "another memory"
    OTHER = "something else"
    UNKNOWN = "unknown"
    GAP = "not followed"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One processor at its place."""

    role: Role
    text: str
    """As it stands in the file."""
    node: ast.expr
    made: Value
    """What made it, where that is known."""
    of: Value | None = None
    """The pair or the call that it belongs to."""
    when: str = ""
    """The condition that it is there under; empty for always."""
    added_to: str = ""
    """The list that it is appended to; empty where it stands in one."""

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.node.lineno


PAIRS = ("LLMContextAggregatorPair", "create_context_aggregator")
OPENINGS = ("open_call", "PipecatCall")
CLASSES = {
    "AudioBufferProcessor": Role.RECORDER,
    "Ears": Role.EARS,
    "LLMAssistantAggregator": Role.ASSISTANT,
    "LLMUserAggregator": Role.USER,
    "LLMSwitcher": Role.LLM,
    "LLMWithBackend": Role.LLM,
    "LangchainProcessor": Role.LLM,
    "MemoryProcessor": Role.MEMORY,
    "Priming": Role.PRIMING,
    "StrandsAgentsProcessor": Role.LLM,
}
KINDS = (  # class names, the first that fits
    (re.compile(r"(Realtime|Live|Sonic|Ultravox)\w*LLMService$"), Role.REALTIME),
    (re.compile(r"LLM(Service)?$"), Role.LLM),
    (re.compile(r"STT(Service)?$"), Role.STT),
    (re.compile(r"TTS(Service)?$"), Role.TTS),
    (
        re.compile(r"(?i)mem0|supermemory|memobase|zep(?:[A-Z]|$)|memory(service|processor)"),
        Role.OTHER_MEMORY,
    ),
)
WORDS = (  # of a name whose value the file does not say, the first that fits
    ("llm", Role.LLM),
    ("stt", Role.STT),
    ("asr", Role.STT),
    ("tts", Role.TTS),
    ("audiobuffer", Role.RECORDER),
    ("recorder", Role.RECORDER),
    ("mem0", Role.OTHER_MEMORY),
    ("assistant", Role.ASSISTANT),
    ("user", Role.USER),
)


class Roles:
    """Tells what the elements of a file's pipelines are.

    Args:
        syntax: Of the file.
        names: Of the file.
    """

    def __init__(self, syntax: Syntax, names: Names) -> None:
        self._syntax = syntax
        self._names = names

    def part(self, node: ast.expr, seen_from: Visit | None, *, when: str, added_to: str) -> Part:
        """Tell what an element is."""
        found = [self._told(value, node) for value in self._names.follow(node, seen_from)]
        known = [one for one in found if one[0] not in (Role.UNKNOWN, Role.OTHER)]
        role, made, of = (known or found)[0]
        return Part(role, " ".join(ast.unparse(node).split()), node, made, of, when, added_to)

    def _told(self, value: Value, named: ast.expr) -> tuple[Role, Value, Value | None]:
        node = value.node
        if isinstance(node, ast.Subscript) and (pair := self._pair(node.value, value.seen_from)):
            index = node.slice.value if isinstance(node.slice, ast.Constant) else None
            return (Role.USER if index == 0 else Role.ASSISTANT), value, pair
        if not isinstance(node, ast.Call):
            return self._by_name(value, named), value, None
        method = node.func if self._syntax.definition(node) is None else None
        if isinstance(method, ast.Attribute) and (found := self._method(node, method, value)):
            return found
        role = self.of_class(self._syntax.called(node))
        if role is None and self._syntax.called(node) == "ServiceSwitcher":
            return self._switched(value), value, None
        if role is None:
            return self._by_name(value, named), value, None
        return role, value, None

    def of_class(self, name: str) -> Role | None:
        """What a class makes; a class of the file is what its base is; None: nothing known."""
        if name in CLASSES:
            return CLASSES[name]
        own = self._syntax.class_named(name)
        for base in own.bases if own else ():
            role = self.of_class(self._syntax.full_name(base).rpartition(".")[2])
            if role not in (None, Role.OTHER):
                return role
        found = next((role for pattern, role in KINDS if pattern.search(name)), None)
        if own is not None and found is not Role.OTHER_MEMORY:
            return Role.OTHER
        return found or (Role.OTHER if name[:1].isupper() and name != "ServiceSwitcher" else None)

    def _method(
        self, node: ast.Call, method: ast.Attribute, value: Value
    ) -> tuple[Role, Value, Value | None] | None:
        """What `transport.input()`, `pair.user()`, `memory.ears()` make."""
        ends = {"input": Role.INPUT, "output": Role.OUTPUT}
        if method.attr in ends and not node.args:
            return ends[method.attr], value, None
        pairs = {"user": Role.USER, "assistant": Role.ASSISTANT}
        ours = {"ears": Role.EARS, "processor": Role.MEMORY, "priming": Role.PRIMING}
        role = pairs.get(method.attr) or ours.get(method.attr)
        if role is None:
            return None
        owner = self._names.follow(method.value, value.seen_from)[0]
        made = self._syntax.called(owner.node)
        if made not in (PAIRS if method.attr in pairs else OPENINGS) and self._is_told(owner.node):
            return Role.OTHER, value, None
        return role, value, owner

    def _is_told(self, node: ast.expr) -> bool:
        """The file says what made it: a class, by its name."""
        return self._syntax.called(node)[:1].isupper()

    def _pair(self, node: ast.expr, seen_from: Visit | None) -> Value | None:
        found = self._names.follow(node, seen_from)
        return next((one for one in found if self._syntax.called(one.node) in PAIRS), None)

    def _switched(self, value: Value) -> Role:
        """What a `ServiceSwitcher` switches between."""
        call = value.node
        services = argument(call, "services", 0) if isinstance(call, ast.Call) else None
        for one in self._names.follow(services, value.seen_from) if services is not None else ():
            for element in getattr(one.node, "elts", []):
                return self.part(element, one.seen_from, when="", added_to="").role
        return Role.UNKNOWN

    def _by_name(self, value: Value, named: ast.expr) -> Role:
        """What something is called, where nothing says what it is."""
        annotated = self.of_class(self._syntax.annotation(value.node))
        if annotated not in (None, Role.OTHER):  # `FrameProcessor` says less than the name
            return annotated
        called = value.node.func if isinstance(value.node, ast.Call) else value.node
        for name in (ast.unparse(named), ast.unparse(called)):
            words = set(re.split(r"[^a-z0-9]+", name.rpartition("self.")[2].lower()))
            for word, role in WORDS:
                if word in words:
                    return role
        return Role.UNKNOWN
