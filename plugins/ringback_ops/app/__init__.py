"""`ringback doctor --app FILE`: whether memory stands right in a Pipecat app.

Read in this order: `source` and `syntax` (the file), `names` (what an expression stands for),
`parts` (what a processor is), `pipelines` and `ways` (their order), `reading` (all of it
together), `findings` and `mending` (what is said, and the line to write); then the checks, as
`checking` lists them. Nothing of the app is run or imported.
"""

from __future__ import annotations
