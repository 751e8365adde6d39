"""The Python interface: plain arguments in, exact figures out."""
