"""The sections of a par sheet, a module for each few that belong together; the sheet puts them in order."""
