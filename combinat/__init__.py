"""What can happen and what it pays."""
