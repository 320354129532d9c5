"""All that is looked at in an app, in one list."""

from __future__ import annotations

from ringback_ops.app.beside import check_beside, check_names, check_waits
from ringback_ops.app.contexts import check_contexts, check_history, check_summariser
from ringback_ops.app.endings import check_endings
from ringback_ops.app.findings import Finding, in_order
from ringback_ops.app.kept import check_kept
from ringback_ops.app.openings import check_openings
from ringback_ops.app.places import check_places
from ringback_ops.app.reading import App

OF_PIPELINE = (check_places, check_contexts, check_beside, check_kept)
OF_APP = (check_openings, check_history, check_summariser, check_endings, check_names, check_waits)


def check(app: App) -> list[Finding]:
    """Look at an app; the gravest findings first."""
    inside = [
        one for pipeline in app.pipelines for look in OF_PIPELINE for one in look(app, pipeline)
    ]
    around = [one for look in OF_APP for one in look(app)]
    return in_order([*inside, *around])
