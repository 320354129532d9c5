"""What was found in an app, for a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator

from ringback_ops.app.findings import Edit, Finding, Severity
from ringback_ops.app.reading import App

MARKS = {
    Severity.WRONG: "!!",
    Severity.WORTH_KNOWING: "--",
    Severity.NOT_FOLLOWED: "??",
    Severity.RIGHT: "ok",
}
WIDTH = 96


def report_lines(app: App, findings: list[Finding]) -> Iterator[str]:
    """The report, line by line."""
    for pipeline in app.pipelines:
        yield f"{app.source.file}, the pipeline in line {pipeline.line}:"
        for way in pipeline.ways:
            order = " → ".join(
                part.text if len(part.text) < 40 else part.text[:36] + " …" for part in way
            )
            yield from textwrap.wrap(order, WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield ""
    for finding in findings:
        yield from _finding(finding)
    yield ""
    yield _verdict(findings)


def _finding(finding: Finding) -> Iterator[str]:
    head = f"{MARKS[finding.severity]}  line {finding.line}: "
    yield from textwrap.wrap(
        finding.text, WIDTH, initial_indent=head, subsequent_indent=" " * 4, break_long_words=False
    )
    for edit in finding.edits:
        yield from _edit(edit)


def _edit(edit: Edit) -> Iterator[str]:
    if not edit.text:
        yield f"      leave out line {edit.line}"
        return
    yield f"      {edit.where} line {edit.line}:"
    for line in edit.text.splitlines():
        yield f"      |{line}"


def _verdict(findings: list[Finding]) -> str:
    counts = Counter(finding.severity for finding in findings)
    told = [
        f"{counts[severity]} {severity}"
        for severity in (Severity.WRONG, Severity.WORTH_KNOWING, Severity.NOT_FOLLOWED)
        if counts[severity]
    ]
    if not told:
        return "Memory stands right in it."
    return ("Nothing is wrong; " if not counts[Severity.WRONG] else "") + ", ".join(told) + "."
