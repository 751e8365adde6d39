"""Reference implementations: slow and obvious code that tests compare with."""
