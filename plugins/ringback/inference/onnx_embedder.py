"""Sentence vectors from a small ONNX model, on one thread of this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ringback.errors import InferenceError, UsageError
from ringback.inference.model_thread import ModelThread
from ringback.text import is_cjk

Vectors = npt.NDArray[np.float32]

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
MAX_TOKENS = 256  # of one text; what comes later does not count
MAX_CHARACTERS = 8_000  # looked at for them: long pastes are not tokenized whole
BATCH_TEXTS = 16
BATCH_TOKENS = 128  # padded; 40-90 ms, the longest that a question waits for other work
DIGEST_DIGITS = 12  # of the model's hash, in its name


class _Encoding(Protocol):
    """What a tokenizer makes of one text."""

    ids: list[int]


class OnnxEmbedder:
    """Mean-pooled, normalised sentence vectors; an `Embedder`.

    Loads its model when it is made, which takes a moment: make it before the loop runs or
    in a thread. One thread of its own computes; it ends with `close()`, which whoever
    made the embedder calls. Any number of tasks may use it. A question waits for one
    batch at most, however much other work is queued.

    Args:
        folder: Holds `model.onnx`, which returns token vectors, and `tokenizer.json`.
        text_prefix: Put before each text that is kept, where the model was trained so.
        query_prefix: Put before each question.
        likeness_from: The cosine of two texts with nothing in common, and of two that say
            the same, for this model; the default is all-MiniLM-L6-v2's.
        reads_cjk: It was trained on Chinese, Japanese and Korean too. Without, such texts
            get no vectors: an English model finds all of them alike.

    Raises:
        UsageError: The extra is not installed, or the folder lacks a file.
        InferenceError: A file is not a model's or not a tokenizer's.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        text_prefix: str = "",
        query_prefix: str = "",
        likeness_from: tuple[float, float] = (0.1, 0.7),
        reads_cjk: bool = False,
    ) -> None:
        folder = Path(folder).absolute()
        _require_files(folder)
        self._tokenizer = _loaded_tokenizer(folder / TOKENIZER_FILE)
        self._session = _loaded_session(folder / MODEL_FILE)
        self._inputs = [given.name for given in self._session.get_inputs()]
        self._text_prefix, self._query_prefix = text_prefix, query_prefix
        self._likeness_from, self._reads_cjk = likeness_from, reads_cjk
        self._dimensions = int(self._vectors([self._encoded("")]).shape[1])
        self._name = _name_of(folder, text_prefix, query_prefix)
        self._thread = ModelThread(f"ringback-embedder:{folder.name}")

    @property
    def name(self) -> str:
        """Model, revision and pooling; vectors of two names are never compared."""
        return self._name

    @property
    def dimensions(self) -> int:
        """Numbers in each vector."""
        return self._dimensions

    @property
    def likeness_from(self) -> tuple[float, float]:
        """As it was given."""
        return self._likeness_from

    def reads(self, text: str) -> bool:
        """It has learnt the script of this text."""
        return self._reads_cjk or not is_cjk(text)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Turn what is kept into vectors, batch by batch; questions go in between.

        Returns:
            float32 [n, dimensions], unit norm, in the order of the texts.

        Raises:
            ClosedError: It was closed.
            InferenceError: The model cannot, or too much work waits.
        """
        return await self._embedded(texts, self._text_prefix, is_urgent=False)

    async def embed_query(self, texts: Sequence[str]) -> Vectors:
        """Turn questions into vectors, before any other work.

        Returns:
            float32 [n, dimensions], unit norm, comparable with those of `embed`.

        Raises:
            ClosedError: It was closed.
            InferenceError: The model cannot, or too much work waits.
        """
        return await self._embedded(texts, self._query_prefix, is_urgent=True)

    def close(self) -> None:
        """End the thread without waiting for it; work that waits is refused. Idempotent."""
        self._thread.close()

    async def _embedded(self, texts: Sequence[str], prefix: str, *, is_urgent: bool) -> Vectors:
        rows: list[Vectors] = []
        at = 0
        while at < len(texts):
            # Handed over one by one: what is not in the queue yet cannot hold up a question.
            part = [prefix + text for text in texts[at : at + BATCH_TEXTS]]
            found = await self._thread.run(partial(self._batch, part), is_urgent=is_urgent)
            rows.append(found)
            at += len(found)
        return np.concatenate(rows) if rows else np.empty((0, self._dimensions), np.float32)

    def _batch(self, texts: Sequence[str]) -> Vectors:
        """Embed as many of the first texts as make one batch, one at least."""
        return self._vectors(list(_first_batch(self._encoded(text) for text in texts)))

    def _encoded(self, text: str) -> _Encoding:
        # A lone surrogate, as a broken transcript may have, is not UTF-8.
        clean = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()
        try:
            encoding: _Encoding = self._tokenizer.encode(clean)
        except Exception as error:  # noqa: BLE001 - the library raises nothing narrower
            raise InferenceError(f"the tokenizer failed: {type(error).__name__}") from None
        return encoding

    def _vectors(self, batch: Sequence[_Encoding]) -> Vectors:
        ids = np.zeros((len(batch), max(len(text.ids) for text in batch)), np.int64)
        mask = np.zeros_like(ids)
        for row, text in enumerate(batch):
            ids[row, : len(text.ids)] = text.ids
            mask[row, : len(text.ids)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            tokens = self._session.run(None, {name: given[name] for name in self._inputs})[0]
            return _pooled(tokens, mask)
        except Exception as error:  # noqa: BLE001 - the runtime raises nothing narrower
            # Its text may quote what it was given.
            raise InferenceError(f"the embedding model failed: {type(error).__name__}") from None


def _first_batch(encodings: Iterator[_Encoding]) -> Iterator[_Encoding]:
    """Yield from the start what fits into one batch, padded; the first in any case."""
    longest = 0
    for count, encoding in enumerate(encodings, 1):
        longest = max(longest, len(encoding.ids))
        if count > 1 and longest * count > BATCH_TOKENS:
            return
        yield encoding


def _pooled(tokens: Vectors, mask: npt.NDArray[np.int64]) -> Vectors:
    """Average the token vectors that count, and bring the result to length one.

    Args:
        tokens: float32 [n, tokens, dimensions].
        mask: int64 [n, tokens], 1 for tokens of the text.
    """
    weights = mask[:, :, np.newaxis].astype(np.float32)
    means = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    unit: Vectors = (means / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit


def _require_files(folder: Path) -> None:
    for file in (MODEL_FILE, TOKENIZER_FILE):
        if not (folder / file).is_file():
            raise UsageError(f"no embedding model in {folder}: {file} is not there")


def _loaded_tokenizer(path: Path) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise UsageError("no embeddings here: pip install 'ringback[vectors]'") from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise InferenceError(f"{path} cannot be loaded: it is not a tokenizer's") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    return tokenizer


def _loaded_session(path: Path) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise UsageError("no embeddings here: pip install 'ringback[vectors]'") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what goes wrong is raised
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise InferenceError(f"{path} cannot be loaded: it is not a model's") from error


def _name_of(folder: Path, text_prefix: str, query_prefix: str) -> str:
    """Name what a vector depends on; the folder's own name only helps a reader."""
    parts = [(folder / file).read_bytes() for file in (MODEL_FILE, TOKENIZER_FILE)]
    parts += [text_prefix.encode(), query_prefix.encode()]
    digest = hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts))
    return f"{folder.name}@{digest.hexdigest()[:DIGEST_DIGITS]}/mean-{MAX_TOKENS}"
