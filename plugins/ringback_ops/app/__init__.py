"""`ringback doctor --app FILE`: whether memory stands right in a Pipecat app.

Read in this order: `source` (the file), `names` (what an expression stands for), `parts` (what
a processor is), `pipelines` (their order), `reading` (all of it together), then the checks:
`places`, `contexts`, `openings`, `endings`, `beside`. Nothing of the app is run or imported.
"""

from __future__ import annotations
