"""A language model service that lets its connections go when its pipeline ends."""

from __future__ import annotations

from pipecat.services.openai.llm import OpenAILLMService


class ClosingLLMService(OpenAILLMService):
    """Pipecat's service for OpenAI's kind of address; its connections end with its pipeline.

    Pipecat's own keeps them until the server lets go, or the process ends: one for each call.
    """

    async def cleanup(self) -> None:
        """What the service does, and close its client."""
        await super().cleanup()
        await self._client.close()
