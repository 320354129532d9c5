"""Has a language model's server read a prompt before it is asked, so that its cache holds it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx

from ringback_voice.llm_endpoint import LlmEndpoint

LONGEST_PRIMING_S = 30.0
"""Some 4,000 tokens on two cores. What takes longer is not ready before the caller has spoken."""

MEASURED_TOKENS = 32
"""Of fewer, the time is that of the connection and of the first word."""


@dataclass(frozen=True, slots=True)
class Primed:
    """What a server said of a prompt that it has read; None for what it does not say."""

    prompt_tokens: int | None
    cached_tokens: int | None
    """Of these, how many its cache held already."""
    took_s: float
    """From the request to its one token."""

    @property
    def tokens_per_s(self) -> float | None:
        """How fast the server reads; None where it read too few to tell, or does not say."""
        if self.prompt_tokens is None or self.cached_tokens is None:
            return None
        read = self.prompt_tokens - self.cached_tokens
        return read / self.took_s if read >= MEASURED_TOKENS else None


class Primer:
    """Sends requests whose answers nobody wants: what counts is that the server has read them.

    One at a time, the newest: a further one breaks off the one under way, and the server
    stops reading within a batch. Any OpenAI-compatible address will do; one that bills what
    it reads bills this too. Lives as long as its owner likes, on one loop; `close()` drops
    the connection, and a later priming opens another. It never raises for want of a server:
    it counts.

    Args:
        endpoint: Where the live requests go; asked for is its `priming`, not whether it has one.
    """

    def __init__(self, endpoint: LlmEndpoint) -> None:
        self._url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
        self._headers = {"Authorization": f"Bearer {endpoint.api_key}"}
        self._further = dict(endpoint.priming or {})
        self._client: httpx.AsyncClient | None = None
        self._under_way: asyncio.Timeout | None = None
        self.counts: Counter[str] = Counter()
        """How often it has `begun`, and how these ended: `primed`, `broken_off`, `failed`."""
        self.trouble = ""
        """How the last failure looked; never what was sent."""

    async def prime(self, request: Mapping[str, Any]) -> Primed | None:
        """Have a request's prompt read.

        Args:
            request: The body that the live request will have, as far as it is known: what
                comes last may be missing. It is sent as it is, for one token of an answer.

        Returns:
            None where it was broken off, by a newer one, by `break_off()` or by its length,
            or where it failed.
        """
        self.break_off()
        self._under_way = mine = asyncio.timeout(LONGEST_PRIMING_S)
        self.counts["begun"] += 1
        try:
            async with mine:
                primed = await self._read({**_for_one_token(request), **self._further})
        except TimeoutError:
            self.counts["broken_off"] += 1
            return None
        except asyncio.CancelledError:
            self.counts["broken_off"] += 1
            raise
        except (httpx.HTTPError, ValueError, TypeError, AttributeError) as error:
            self.counts["failed"] += 1
            self.trouble = _described(error)
            return None
        finally:
            if self._under_way is mine:
                self._under_way = None
        self.counts["primed"] += 1
        return primed

    def break_off(self) -> None:
        """End the priming under way at once; harmless where there is none."""
        if self._under_way is not None:
            with suppress(RuntimeError):  # its time was up in this very moment
                self._under_way.reschedule(asyncio.get_running_loop().time())
            self._under_way = None

    async def close(self) -> None:
        """Break off what is under way and drop the connection. Idempotent."""
        self.break_off()
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _read(self, body: Mapping[str, Any]) -> Primed:
        try:
            return await self._sent(body)
        except httpx.RemoteProtocolError:  # the server had just let the kept connection go
            return await self._sent(body)

    async def _sent(self, body: Mapping[str, Any]) -> Primed:
        if self._client is None:
            tls = await asyncio.to_thread(httpx.create_ssl_context)  # 20 ms; other calls go on
            self._client = httpx.AsyncClient(
                timeout=LONGEST_PRIMING_S, headers=self._headers, verify=tls
            )
        usage: Mapping[str, Any] = {}
        began_at = asyncio.get_running_loop().time()
        async with self._client.stream("POST", self._url, json=body) as answer:
            answer.raise_for_status()
            async for line in answer.aiter_lines():
                if line.startswith("data: {"):
                    usage = json.loads(line.removeprefix("data: ")).get("usage") or usage
        took_s = asyncio.get_running_loop().time() - began_at
        details = usage.get("prompt_tokens_details") or {}
        return Primed(usage.get("prompt_tokens"), details.get("cached_tokens"), took_s)


async def prime_system(endpoint: LlmEndpoint, instruction: str) -> None:
    """Have a system prompt read at start-up, where prompts are read ahead; it is kept from then on.

    Each call's requests begin with it, so the cache holds it from call to call.
    """
    if endpoint.priming is None:
        return
    primer = Primer(endpoint)
    begun = [{"role": "system", "content": instruction}, {"role": "user", "content": ""}]
    await primer.prime({"model": endpoint.model, "messages": begun})
    await primer.close()


def _for_one_token(request: Mapping[str, Any]) -> dict[str, Any]:
    """The same request, streamed, for the shortest answer there is: llama.cpp takes 0 for 1."""
    limit = "max_completion_tokens" if "max_completion_tokens" in request else "max_tokens"
    streamed = {"stream": True, "stream_options": {"include_usage": True}}
    return {**request, **streamed, limit: 1}


def _described(error: Exception) -> str:
    """An error's kind; its text may hold the request."""
    if isinstance(error, httpx.HTTPStatusError):
        return f"HTTP {error.response.status_code}"
    return type(error).__name__
