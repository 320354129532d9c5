"""`scripts/bench NAME`: runs one benchmark; alone it lists them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module

from ringback import RingbackError, SystemClock
from ringback_models import ModelError

os.environ.setdefault("LOGURU_AUTOINIT", "False")  # before Pipecat is imported

from ringback_ops.machine import machine_line

BENCHES = (
    "crash",
    "extraction",
    "forget",
    "hot-path",
    "locomo",
    "peers",
    "precision",
    "prefix",
    "preload",
    "recall-scale",
    "vector-search",
    "voice",
)


def main() -> int:
    """Run the benchmark that the command line names."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    names = parser.add_subparsers(dest="name", metavar="NAME", title="benchmarks")
    benches = {
        # One alone: an environment may have what it needs, and not what the others do.
        name: import_module(f"ringback_ops.bench.{name.replace('-', '_')}")
        for name in [one for one in BENCHES if one in sys.argv[1:2]] or BENCHES
    }
    for name, bench in benches.items():
        summary = (bench.__doc__ or "").splitlines()[0]
        options = names.add_parser(name, help=summary, description=summary)
        options.add_argument("--quick", action="store_true", help="the same in under 50 s")
        bench.add_arguments(options)
    arguments = parser.parse_args()
    if arguments.name is None:
        parser.print_help()
        return 0
    at, machine = SystemClock().now_at(), machine_line()
    print(f"{arguments.name}, {at:%Y-%m-%d %H:%M} UTC, {machine}\n", flush=True)
    try:
        figures = benches[arguments.name].run(arguments)
    except (RingbackError, ModelError) as error:
        print(f"scripts/bench: {error}", file=sys.stderr)
        return 1
    head = {"bench": arguments.name, "quick": arguments.quick}
    print(json.dumps({**head, "machine": machine, "at": at.isoformat(), **figures}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
