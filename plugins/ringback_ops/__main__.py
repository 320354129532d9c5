"""`python -m ringback_ops` is the `ringback` command."""

from __future__ import annotations

from ringback_ops.cli import main

if __name__ == "__main__":
    main()
