"""The tools of a call, as a Pipecat context takes them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pipecat.adapters.llm.schemas.direct_function import DirectFunction, tool_options
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import TTSSpeakFrame
from pipecat.services.llm_service import FunctionCallHandler, FunctionCallParams

from ringback import UsageError
from ringback.call_tools import CallTools

FILLER_MS = 400  # before something is said meanwhile; most answers come sooner

OwnTools = ToolsSchema | Sequence[FunctionSchema | DirectFunction]


def memory_tools(tools: CallTools, own: OwnTools = (), *, filler: str = "") -> ToolsSchema:
    """Put the tools of a call beside an app's own, for `context(tools=…)`.

    Each carries its handler: Pipecat registers it with whatever language model the context
    comes to. Words of the caller while one runs do not cancel it (`cancel_on_interruption` is
    off); its answer then comes as Pipecat's async tools do.

    Args:
        tools: Of the call that the context is of.
        own: The app's.
        filler: Said when a tool has not answered after `FILLER_MS`, e.g. "One moment.";
            nothing is said without. It does not go into the context.

    Raises:
        UsageError: The app has a tool of the same name.
    """
    schemas = [
        FunctionSchema(
            name=one.name,
            description=one.description,
            properties={name: dict(what) for name, what in one.properties.items()},
            required=list(one.required),
            handler=_handler(tools, filler),
        )
        for one in tools.definitions
    ]
    given = own if isinstance(own, ToolsSchema) else ToolsSchema(standard_tools=list(own))
    taken = {one.name for one in given.standard_tools} & {one.name for one in schemas}
    if taken:
        raise UsageError(f"the app has a tool of its own called {', '.join(sorted(taken))}")
    return ToolsSchema(
        standard_tools=[*_as_given(given), *schemas], custom_tools=given.custom_tools
    )


def _as_given(own: ToolsSchema) -> list[Any]:
    """Schemas, and the functions themselves where the app gave functions: those run."""
    functions = {one.name: one.function for one in own.direct_functions}
    return [functions.get(one.name, one) for one in own.standard_tools]


def _handler(tools: CallTools, filler: str) -> FunctionCallHandler:
    async def use(params: FunctionCallParams) -> None:
        async with asyncio.TaskGroup() as meanwhile:
            filling = meanwhile.create_task(_fill(params, filler))
            answer = await tools.use(params.function_name, params.arguments)
            filling.cancel()
        await params.result_callback(answer)

    handler: FunctionCallHandler = tool_options(cancel_on_interruption=False)(use)
    return handler


async def _fill(params: FunctionCallParams, filler: str) -> None:
    if filler:
        await asyncio.sleep(FILLER_MS / 1000)
        await params.llm.push_frame(TTSSpeakFrame(filler, append_to_context=False))
