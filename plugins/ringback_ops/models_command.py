"""`ringback models`: list, fetch and verify model files."""

from __future__ import annotations

import argparse

from ringback_models import (
    ModelSettings,
    TqdmReporter,
    fetch_model,
    load_manifest,
    missing,
    plans_line,
    resolve,
    verify,
)
from ringback_pipelines.part_names import DEFAULT_MODELS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="every known model, its size, licence, and whether it is here")
    fetch = actions.add_parser("fetch", help="fetch models; without a name, the default ones")
    fetch.add_argument("names", nargs="*", metavar="NAME")
    fetch.add_argument("--again", action="store_true", help="also when it is here already")
    check = actions.add_parser("verify", help="hash every byte of the models that are here")
    check.add_argument("names", nargs="*", metavar="NAME")
    path = actions.add_parser("path", help="print the folder of a model that is here")
    path.add_argument("name", metavar="NAME")


def run(arguments: argparse.Namespace) -> int:
    """Do the action; without one, list."""
    if arguments.action == "fetch":
        return _fetch(arguments.names, again=arguments.again)
    if arguments.action == "verify":
        return _verify(arguments.names)
    if arguments.action == "path":
        print(resolve(arguments.name, fetch=False))
        return 0
    return _list()


def _list() -> int:
    manifest, settings = load_manifest(), ModelSettings.from_environment()
    absent = {plan.model.name for plan in missing(manifest.names, settings)}
    print(f"{'model':26}{'role':10}{'MB':>7}  {'licence':13}{'here':6}")
    for name in manifest.names:
        model = manifest.model(name)
        here = "no" if name in absent else "yes"
        default = " (default)" if name in DEFAULT_MODELS else ""
        size = f"{model.size_bytes / 1e6:,.0f}"
        print(f"{name:26}{model.role:10}{size:>7}  {model.licence:13}{here}{default}")
    print(f"\nkept in {settings.folder}")
    return 0


def _fetch(names: list[str], *, again: bool) -> int:
    wanted = names or list(DEFAULT_MODELS)
    plans = missing(wanted)
    if plans:
        print(f"{', '.join(plan.model.name for plan in plans)}: {plans_line(plans)}", flush=True)
    for name in wanted:
        if again:
            settings, model = ModelSettings.from_environment(), load_manifest().model(name)
            folder = fetch_model(model, settings, TqdmReporter(), again=True)
        else:
            folder = resolve(name, reporter=TqdmReporter())
        print(f"{name}: verified, in {folder}")
    return 0


def _verify(names: list[str]) -> int:
    manifest = load_manifest()
    absent = {plan.model.name for plan in missing(manifest.names)}
    here = [name for name in manifest.names if name not in absent]
    for name in names or here:
        verify(manifest.model(name), resolve(name, fetch=False), reporter=TqdmReporter(), deep=True)
        print(f"{name}: every byte is as the manifest says")
    if not (names or here):
        print("no model is here yet: ringback models fetch")
    return 0
