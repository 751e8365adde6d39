"""Golden data: hashes of everything that the program writes, recorded before a change and compared after it."""
