"""All that is looked at in an app, in one list."""

from __future__ import annotations

from pathlib import Path

from ringback_ops.app.findings import Finding, in_order
from ringback_ops.app.places import check_places
from ringback_ops.app.reading import App


def check(app: App) -> list[Finding]:
    """Look at an app; the gravest findings first."""
    found = [one for pipeline in app.pipelines for one in check_places(app, pipeline)]
    return in_order(found)
