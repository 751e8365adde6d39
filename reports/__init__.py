"""What a person reads.

`documents` decides which figures stand where, in the terms of `model`; `numerals` is the only place that rounds;
`render` writes each format; `payload` gives JSON its exact values; `sheets` and `files` write par sheets; `cli` is the
command line, over `asking`, which turns what was typed into analyses.
"""
