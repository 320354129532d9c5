"""A language model behind an OpenAI-compatible address."""

from __future__ import annotations

import httpx

from ringback.errors import InferenceError, InferenceUnavailableError

TIMEOUT_S = 60.0  # prose for a summary, on a small machine, beside a live call


class OpenAiGenerator:
    """Writes prose through `/chat/completions`; a `Generator`.

    Holds no connection between requests; any number of tasks may use it.

    Args:
        base_url: Up to and including the version, e.g. `http://localhost:11434/v1`.
        model: The name that the server knows the model by.
        api_key: Sent as bearer token.
    """

    def __init__(self, base_url: str, model: str, *, api_key: str = "none") -> None:
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._model = model
        self._headers = {"Authorization": f"Bearer {api_key}"}

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        """Answer an instruction about a text.

        Raises:
            InferenceUnavailableError: Nobody answers, or with an error.
            InferenceError: It answers with nothing.
        """
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": instruction},
                {"role": "user", "content": text},
            ],
            "max_tokens": max_tokens,
            "temperature": 0,
        }
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_S, headers=self._headers) as client:
                answer = await client.post(self._url, json=body)
                answer.raise_for_status()
                written = answer.json()["choices"][0]["message"]["content"]
        except httpx.HTTPError as error:
            # The error's own text may hold the request: speech.
            raise InferenceUnavailableError(f"no answer: {type(error).__name__}") from None
        except (ValueError, KeyError, IndexError, TypeError):
            raise InferenceError("the model's answer has no text") from None
        if not isinstance(written, str) or not written.strip():
            raise InferenceError("the model's answer is empty")
        return written.strip()
