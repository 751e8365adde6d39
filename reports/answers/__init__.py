"""Answers of the commands, each as a document and as JSON."""
