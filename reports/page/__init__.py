"""What a page is made of, before any format: the model, numbers as text, files."""
