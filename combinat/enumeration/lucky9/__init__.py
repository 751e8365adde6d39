"""Lucky 9: a round with decisions in it, exact for any shoe, under best play."""
