"""What a Python program says to combinat: plain arguments in, exact figures out."""
