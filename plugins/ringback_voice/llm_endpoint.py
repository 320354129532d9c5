"""Where a language model answers: any OpenAI-compatible address, local or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
from openai import AsyncOpenAI

from ringback import InferenceUnavailableError, UsageError

HEALTH_TIMEOUT_S = 5.0  # a server on this machine or network answers its model list in this time
LOCAL_KEY = "none"  # servers on one's own machine ask for no key, clients must send one


@dataclass(frozen=True, slots=True)
class LlmEndpoint:
    """An OpenAI-compatible chat endpoint."""

    base_url: str
    """Up to and including the version, e.g. `http://localhost:11434/v1`."""
    model: str
    """The name the server knows the model by."""
    api_key: str = LOCAL_KEY
    """Sent as bearer token."""
    priming: Mapping[str, Any] | None = None
    """Further fields of a request that only has its prompt read; None: no such requests are sent
    here. Somebody may bill them, so whoever names an address says so: `{}` where there are none."""

    context_tokens: int | None = None
    """Of one request, prompt and answer together; None where it is not known."""

    def __repr__(self) -> str:
        return f"LlmEndpoint({self.base_url!r}, {self.model!r})"  # never the key


async def find_endpoint(
    base_url: str, *, model: str | None = None, api_key: str = LOCAL_KEY
) -> LlmEndpoint:
    """Ask an address which models it has, before any call depends on it.

    Args:
        base_url: The address; `/v1` is added when the path is empty.
        model: The model wanted; None takes the first that the server lists.
        api_key: Sent as bearer token.

    Raises:
        UsageError: The address is no HTTP address, or the server lists other models.
        InferenceUnavailableError: Nobody answers there, or it answers with an error.
    """
    url = _with_version(base_url)
    names = await _listed_models(url, api_key)
    if model is None and not names:
        raise UsageError(f"{url} lists no model: load one there, or name one with --llm-model")
    if model is not None and names and not any(_same_model(model, name) for name in names):
        raise UsageError(f"{url} has no model {model!r}; it lists: {', '.join(names[:8])}")
    return LlmEndpoint(url, model or names[0], api_key)


async def is_healthy(endpoint: LlmEndpoint) -> bool:
    """Tell whether the endpoint answers its model list now."""
    try:
        await _listed_models(endpoint.base_url, endpoint.api_key)
    except InferenceUnavailableError:
        return False
    return True


def _same_model(wanted: str, listed: str) -> bool:
    return listed in (wanted, f"{wanted}:latest")  # Ollama lists its default tag


def _with_version(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"{base_url!r} is no http(s) address of a language model")
    return base_url.rstrip("/") + ("/v1" if parts.path in ("", "/") else "")


async def _listed_models(url: str, api_key: str) -> list[str]:
    headers = {"Authorization": f"Bearer {api_key}"}
    try:
        async with httpx.AsyncClient(timeout=HEALTH_TIMEOUT_S, headers=headers) as client:
            answer = await client.get(f"{url}/models")
            answer.raise_for_status()
            listed = answer.json()["data"]
            return [str(model["id"]) for model in listed]
    except httpx.HTTPStatusError as error:
        code = error.response.status_code
        raise InferenceUnavailableError(f"{url}/models answered HTTP {code}") from error
    except httpx.HTTPError as error:
        raise InferenceUnavailableError(
            f"no language model answers at {url} ({type(error).__name__}): is the server running?"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InferenceUnavailableError(
            f"{url}/models did not answer as an OpenAI-compatible server does"
        ) from error


def load_client(endpoint: LlmEndpoint) -> None:
    """Load what OpenAI's client loads with its first request, which a caller would wait for.

    A tenth of a second; call it in a thread.
    """
    client = AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key)
    client.platform_headers()
    _ = client.chat.completions
