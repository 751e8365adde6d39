"""Reports for people: documents, par sheets, the command line and the studio.

`page` holds what all formats share: the document `model`, and `numerals`, the only module that rounds. `tables` and
`answers` build the tables of each answer, `sheet` assembles a par sheet, `render` has a renderer per format, `publish`
writes files, `cli` is the command line, and `studio` is the browser application.

From Python, sheets are made by `combinat.par_sheet`.
"""
