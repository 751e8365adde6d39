"""Output-independent page model: documents and tables, numbers as text, and safe file writing."""
