"""A language model behind an OpenAI-compatible address."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from typing import Any

import httpx

from ringback.errors import InferenceError, InferenceUnavailableError
from ringback.protocols import Completion, Hold

REFUSALS = (400, 404, 422, 501)  # what servers say to a response format that they do not know
TIMEOUT_S = 60.0  # prose for a summary, on a small machine, beside a live call


class _RefusedError(InferenceError):
    """The server takes no response format; it is asked without one from then on."""


class OpenAiGenerator:
    """Writes prose and fills in JSON through `/chat/completions`; a `Generator` and a `Filler`.

    Holds no connection between requests; any number of tasks may use it.

    Args:
        base_url: Up to and including the version, e.g. `http://localhost:11434/v1`.
        model: The name that the server knows the model by.
        api_key: Sent as bearer token.
        hold: Has the server's process stand still while a caller waits for a reply, e.g.
            `LlamaServer.hold`. Then this sets no time limit: memory does, and counts no time
            in which the server was held. None: a request that is in the way is broken off.
    """

    def __init__(
        self, base_url: str, model: str, *, api_key: str = "none", hold: Hold | None = None
    ) -> None:
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._model = model
        self._headers = {"Authorization": f"Bearer {api_key}"}
        self._knows_shapes = True
        self._hold = hold
        self._tls: ssl.SSLContext | None = None

    @property
    def hold(self) -> Hold | None:
        """What holds the server; see `Holdable`."""
        return self._hold

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        """Answer an instruction about a text.

        Raises:
            InferenceUnavailableError: Nobody answers, or with an error.
            InferenceError: It answers with nothing.
        """
        return (await self._asked(instruction, text, {"max_tokens": max_tokens})).text

    async def fill(
        self, instruction: str, text: str, *, shape: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """Answer an instruction about a text in a JSON schema's shape.

        A server that refuses shapes is asked without one from then on: the instruction
        says what to write.

        Raises:
            InferenceUnavailableError: Nobody answers, or with an error.
            InferenceError: It answers with nothing.
        """
        wish: dict[str, Any] = {"max_tokens": max_tokens}
        if self._knows_shapes:
            schema = {"name": "facts", "schema": shape, "strict": True}
            wanted = {**wish, "response_format": {"type": "json_schema", "json_schema": schema}}
            try:
                return await self._asked(instruction, text, wanted)
            except _RefusedError:
                self._knows_shapes = False
        return await self._asked(instruction, text, wish)

    async def _certificates(self) -> ssl.SSLContext:
        """Read once, off the loop: that takes 20 ms, and calls go on meanwhile."""
        if self._tls is None:
            self._tls = await asyncio.to_thread(httpx.create_ssl_context)
        return self._tls

    async def _asked(self, instruction: str, text: str, wish: Mapping[str, Any]) -> Completion:
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": instruction},
                {"role": "user", "content": text},
            ],
            "temperature": 0,
            **wish,
        }
        limit_s = TIMEOUT_S if self._hold is None else None
        try:
            tls = await self._certificates()
            async with httpx.AsyncClient(
                timeout=limit_s, headers=self._headers, verify=tls
            ) as client:
                answer = await client.post(self._url, json=body)
                if answer.status_code in REFUSALS and "response_format" in wish:
                    raise _RefusedError("it takes no shapes")
                answer.raise_for_status()
                return _completion(answer.json())
        except httpx.HTTPError as error:
            # The error's own text may hold the request: speech.
            raise InferenceUnavailableError(f"no answer: {type(error).__name__}") from None
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise InferenceError("the model's answer has no text") from None


def _completion(answer: Any) -> Completion:
    choice = answer["choices"][0]
    text, use = choice["message"]["content"], answer.get("usage") or {}
    if not isinstance(text, str) or not text.strip():
        raise InferenceError("the model's answer is empty")
    return Completion(
        text=text.strip(),
        is_cut=choice.get("finish_reason") == "length",
        prompt_tokens=int(use.get("prompt_tokens") or 0),
        completion_tokens=int(use.get("completion_tokens") or 0),
    )
