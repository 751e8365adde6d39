"""One Struct per question, from which commands, HTTP bodies and Python functions derive.

A field states its type, its default and, in an `Option`, one sentence of description and its unit. Nothing else lists
options: `reports.cli.request_command` builds commands from requests, and `combinat.api` turns them into functions.
"""
