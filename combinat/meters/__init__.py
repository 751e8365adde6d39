"""What meters do: the hold in the long run, from one hit to the next, and what explains a published hold."""
