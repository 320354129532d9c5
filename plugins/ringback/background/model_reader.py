"""Has a language model read what the rules have read before, beside the calls and at a cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ringback.background.workplace import Workplace
from ringback.core import extraction, hearing, modelled, promotion
from ringback.core.again import decided_again
from ringback.core.modelled.asking import ANSWER_TOKENS, Request
from ringback.model_ports import hold_of
from ringback.protocols import Filler
from ringback.records import (
    CallView,
    Candidate,
    Decision,
    Job,
    ModelUse,
    Status,
    content_id,
)
from ringback.settings import ReadingPolicy

ANSWERS_KEPT = 256  # of jobs that are tried again; the oldest go


class ModelReader:
    """Reads calls with a language model: a whole-picture pass and a detail pass.

    Lives as long as its memory. What it finds goes through the same checks, policy and
    rules of correction as what the rules find. What it costs is added up per call, and no
    call costs more than its caps. Answers of a job that fails half-way are kept, so that
    trying again asks no question twice.

    Args:
        at: Where it works; its settings have policy and caps.
        model: Fills in what it is asked.
    """

    def __init__(self, at: Workplace, model: Filler) -> None:
        self._at = at
        self._keeping = at.keeping
        self._model = model
        self._answered: dict[str, modelled.Answer] = {}
        self.counts = {"requests": 0, "repaired": 0, "lost": 0, "no_json": 0, "capped": 0}
        """Since it was made: what was asked, mended, cut off, no answer at all, not asked."""

    async def is_due(self, view: CallView) -> bool:
        """Whether a running call is to be read now; one that has ended always is in the end."""
        policy = self._at.settings.reading_policy
        if policy is ReadingPolicy.END or not view.turns:
            return False
        use = await self._keeping.model_use(view.call.tenant, view.call.id)
        new = sum(turn.position > use.read_to for turn in view.turns)
        return new >= (self._at.settings.reading_turns if policy is ReadingPolicy.WINDOW else 1)

    async def read(self, job: Job) -> tuple[Decision, ...]:
        """Read what has not been read of a job's call, and decide on what it says."""
        view = await self._keeping.call(job.tenant, job.call_id)
        if view is None or not view.turns:
            await self._keeping.settle(job, ())
            return ()
        found = await self._found(view)
        decisions = await decided_again(lambda: self._decide(job, found))
        # Not before it is written: a job that fails here is read again from the same place.
        if await self._is_unchanged(view):
            read_to = ModelUse(read_to=view.turns[-1].position)
            await self._keeping.note_use(job.tenant, job.call_id, read_to)
        self._answered.clear()
        return decisions

    async def _is_unchanged(self, view: CallView) -> bool:
        """What was read still stands; else nothing was written, and another job reads it again."""
        now = await self._keeping.call(view.call.tenant, view.call.id)
        return now is not None and now.turns[: len(view.turns)] == view.turns

    async def _found(self, view: CallView) -> tuple[Candidate, ...]:
        turns = tuple(
            turn if turn.position >= 0 else replace(turn, position=at)
            for at, turn in enumerate(hearing.heard(view.turns).turns)
        )
        use = await self._keeping.model_use(view.call.tenant, view.call.id)
        rules = await self._at.thinking.about(
            lambda: extraction.extract(turns, call=view.call, schema=self._at.schema)
        )
        found: list[Candidate] = []
        for request in modelled.requests(turns, self._at.schema, since=use.read_to):
            for part, answer in await self._answers(view, request):
                found += modelled.candidates(
                    answer.items, part, turns, call=view.call, schema=self._at.schema, known=rules
                )
        return tuple(found)

    async def _answers(
        self, view: CallView, request: Request
    ) -> Sequence[tuple[Request, modelled.Answer]]:
        """The answer to a request; of one that was cut off, those to its halves as well."""
        answer, is_cut = await self._asked(view, request)
        halves = modelled.halves(request) if is_cut and answer.lost else ()
        again = [one for half in halves for one in [(half, (await self._asked(view, half))[0])]]
        return [(request, answer), *again]

    async def _asked(self, view: CallView, request: Request) -> tuple[modelled.Answer, bool]:
        name = content_id(view.call.tenant, view.call.id, request.instruction, request.text)
        if name in self._answered:
            return self._answered[name], False
        if not await self._may_ask(view):
            self.counts["capped"] += 1
            return modelled.Answer(), False
        completion = await self._at.give_way.beside(
            lambda: self._model.fill(
                request.instruction, request.text, shape=request.shape, max_tokens=ANSWER_TOKENS
            ),
            hold=hold_of(self._model),
        )
        cost = ModelUse(1, completion.prompt_tokens, completion.completion_tokens)
        await self._keeping.note_use(view.call.tenant, view.call.id, cost)
        answer = modelled.read_answer(completion.text)
        self.counts["requests"] += 1
        self.counts["repaired"] += answer.repaired
        self.counts["lost"] += answer.lost
        self.counts["no_json"] += not answer.is_json
        if len(self._answered) >= ANSWERS_KEPT:
            self._answered.pop(next(iter(self._answered)))
        self._answered[name] = answer
        return answer, completion.is_cut

    async def _may_ask(self, view: CallView) -> bool:
        use = await self._keeping.model_use(view.call.tenant, view.call.id)
        return self._at.settings.allows(use)

    async def _decide(self, job: Job, found: Sequence[Candidate]) -> tuple[Decision, ...]:
        view = await self._keeping.call(job.tenant, job.call_id)
        if view is None:
            await self._keeping.settle(job, ())
            return ()
        call = view.call
        basis = await self._keeping.basis(job.tenant, caller_id=call.caller_id, call_id=call.id)
        whose = {"caller_id": call.caller_id} if call.caller_id else {"call_id": call.id}
        known = await self._keeping.facts(job.tenant, **whose, statuses=tuple(Status))
        decisions = await self._at.thinking.about(
            lambda: promotion.decide(
                found,
                known,
                call=call,
                recorded_at=self._at.clock.now_at(),
                schema=self._at.schema,
                turns=view.turns,
            )
        )
        await self._keeping.settle(job, decisions, basis=basis)
        return decisions
