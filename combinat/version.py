"""The version of the program, stated once: for the package, the command line, sheets and the documentation."""

VERSION = "0.2.0"
