"""What `doctor --app` takes the processors of a pipeline for, however an app writes them down."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from ringback import UsageError
from ringback_ops.app.reading import App

pytestmark = pytest.mark.unit

HEAD = """
from pipecat.pipeline.parallel_pipeline import ParallelPipeline
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.cartesia.tts import CartesiaTTSService as Voice
"""
PLAIN = ["input", "speech recognition", "user aggregator", "language model", "speech synthesis"]
PLAIN += ["output", "assistant aggregator"]
SHORT = ["user aggregator", "language model", "assistant aggregator"]

WRITTEN = {
    "as one list": (
        """
        def build(transport, stt, llm, tts):
            pair = LLMContextAggregatorPair(LLMContext())
            return Pipeline([
                transport.input(), stt, pair.user(), llm, tts, transport.output(), pair.assistant(),
            ])
        """,
        PLAIN,
    ),
    "by what made them, under names that say nothing": (
        """
        async def build(t):
            a, b = LLMContextAggregatorPair(LLMContext())
            x = DeepgramSTTService()
            y: object = OpenAILLMService()
            z = Voice()
            return Pipeline(processors=[t.input(), x, a, y, z, t.output(), b])
        """,
        PLAIN,
    ),
    "in self, with annotated parameters": (
        """
        class Bot:
            def __init__(self, transport, answering: OpenAILLMService):
                self.transport, self.answering = transport, answering
                self.pair = LLMContextAggregatorPair(LLMContext())

            def build(self, ears: DeepgramSTTService, mouth: Voice):
                return Pipeline([
                    self.transport.input(), ears, self.pair.user(), self.answering, mouth,
                    self.transport.output(), self.pair.assistant(),
                ])
        """,
        PLAIN,
    ),
    "by helper functions and what they are given": (
        """
        def voice():
            return Voice()

        def chain(*, hearing, thinking):
            return [*hearing, thinking]

        def build(transport):
            pair = LLMContextAggregatorPair(LLMContext())
            first = chain(hearing=(transport.input(), DeepgramSTTService()), thinking=pair.user())
            last = [voice(), transport.output()] + [pair.assistant()]
            return Pipeline(first + [OpenAILLMService()] + last)
        """,
        PLAIN,
    ),
    "in a list that grows": (
        """
        def build(transport, stt, llm, tts):
            pair = LLMContextAggregatorPair(LLMContext())
            parts = [transport.input()]
            parts.append(stt)
            parts = parts + [pair.user()]
            parts += [llm]
            parts.extend((tts, transport.output()))
            if pair:
                parts.append(pair.assistant())
            return Pipeline(parts)
        """,
        PLAIN,
    ),
    "in a list of self, filled by other methods": (
        """
        class Bot:
            def __init__(self, transport, stt):
                self.parts = [transport.input(), stt]
                self.pair = LLMContextAggregatorPair(LLMContext())
                self.think(OpenAILLMService())

            def think(self, model):
                self.parts += [self.pair.user(), model]

            def build(self, transport):
                self.parts.extend([Voice(), transport.output()])
                self.parts.append(self.pair.assistant())
                return Pipeline(self.parts)
        """,
        PLAIN,
    ),
    "with conditions, and without what is None": (
        """
        def build(transport, stt, llm, tts, loud):
            pair = LLMContextAggregatorPair(LLMContext())
            out = [tts, transport.output()] if loud else []
            found = [transport.input(), stt if loud else None, pair.user(), llm, *out]
            return Pipeline([one for one in found if one] + [pair.assistant()])
        """,
        PLAIN,
    ),
    "as pipelines in a pipeline": (
        """
        def build(transport, stt, llm, tts):
            pair = LLMContextAggregatorPair(LLMContext())
            hearing = Pipeline([transport.input(), stt, pair.user()])
            speaking = Pipeline([tts, transport.output()])
            return Pipeline([hearing, llm, speaking, pair.assistant()])
        """,
        PLAIN,
    ),
    "in a record of services": (
        """
        from dataclasses import dataclass

        @dataclass
        class Services:
            model: object
            hearing: object

        def build():
            services = Services(OpenAILLMService(), hearing=DeepgramSTTService())
            more = {"voice": Voice()}
            pair = LLMContextAggregatorPair(LLMContext())
            return Pipeline([
                services.hearing, pair.user(), services.model, more["voice"], pair.assistant()
            ])
        """,
        [PLAIN[1], *PLAIN[2:5], PLAIN[6]],
    ),
    "as classes of the app's own": (
        """
        class Ours(OpenAILLMService):
            pass

        def build():
            pair = LLMContextAggregatorPair(LLMContext())
            return Pipeline([pair.user(), Ours(), pair.assistant()])
        """,
        SHORT,
    ),
    "in a pipeline that a caller in the file fills": (
        """
        def run(processors):
            return PipelineWorker(Pipeline(processors))

        def main(llm):
            pair = LLMContextAggregatorPair(LLMContext())
            run([pair.user(), llm, pair.assistant()])
        """,
        SHORT,
    ),
}


def read(tmp_path: Path, text: str) -> App:
    file = tmp_path / "bot.py"
    file.write_text(HEAD + textwrap.dedent(text))
    return App.read(file)


@pytest.mark.parametrize("how", WRITTEN)
def test_processors_are_known_however_they_are_written_down(how: str, tmp_path: Path):
    text, roles = WRITTEN[how]

    (pipeline,) = read(tmp_path, text).pipelines

    assert [[part.role for part in way] for way in pipeline.ways] == [roles]


def test_branches_are_ways_of_their_own(tmp_path: Path):
    app = read(
        tmp_path,
        """
        def branch(llm):
            pair = LLMContextAggregatorPair(LLMContext())
            return [pair.user(), llm]

        def build(fast_llm, kind_llm, tts):
            branches = [branch(fast_llm), branch(kind_llm)]
            return Pipeline([ParallelPipeline(*branches, [tts]), NullFilter()])
        """,
    )

    (pipeline,) = app.pipelines
    assert [[part.text for part in way] for way in pipeline.ways] == [
        ["pair.user()", "llm", "NullFilter()"],
        ["pair.user()", "llm", "NullFilter()"],
        ["tts", "NullFilter()"],
    ]
    first, second = (way[0].of for way in pipeline.ways[:2])
    assert first != second  # one function, called twice, makes two pairs


def test_what_is_appended_under_a_condition_says_so(tmp_path: Path):
    app = read(
        tmp_path,
        """
        def build(llm, recorder, keep):
            parts = [llm]
            if keep:
                parts.append(recorder)
            return Pipeline(parts)
        """,
    )

    assert [part.when for part in app.pipelines[0].parts] == ["", "keep"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("make_parts(llm)", "make_parts(llm)"),
        ("[llm, *plugins.parts]", "plugins.parts"),
        ("[wrap(one) for one in (llm, llm)]", "[wrap(one) for one in (llm, llm)]"),
        ("endless", "other"),
    ],
)
def test_what_the_file_does_not_say_is_a_gap_and_no_guess(given: str, said: str, tmp_path: Path):
    app = read(
        tmp_path,
        f"""
        from elsewhere import make_parts, plugins, wrap

        def build(llm):
            endless = other
            other = endless
            return Pipeline({given})
        """,
    )

    assert [gap.text for gap in app.pipelines[0].gaps] == [said]


def test_a_list_that_is_made_of_itself_is_a_gap(tmp_path: Path):
    app = read(
        tmp_path,
        """
        class Bot:
            def think(self, llm):
                self.parts = self.parts + [llm]

            def build(self):
                return Pipeline(self.parts)
        """,
    )

    assert [gap.text for gap in app.pipelines[0].gaps] == ["self.parts"]


def test_more_ways_than_anybody_would_build_are_a_gap(tmp_path: Path):
    branching = "ParallelPipeline([a], [b], [c]), " * 5

    app = read(tmp_path, f"def build(a, b, c, llm): return Pipeline([{branching} llm])")

    assert len(app.pipelines[0].ways) == 64
    assert len(app.pipelines[0].gaps) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "from bots import make\nworker = PipelineWorker(make())",
            "line 11: its pipeline is made by make() of bots",
        ),
        (
            "import bots\nasync def main(runner):\n    bot = bots.make()\n    await runner.add_workers(bot.worker)",
            "line 13: its pipeline is made by make() of bots",
        ),
        ("print('no bot')", "no pipeline in"),
    ],
)
def test_a_file_without_a_pipeline_says_where_it_is(text: str, says: str, tmp_path: Path):
    with pytest.raises(UsageError, match=says.replace("(", r"\(").replace(")", r"\)")):
        read(tmp_path, text)
