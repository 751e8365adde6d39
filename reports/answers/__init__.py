"""What each question on the command line is answered with, as a document and as JSON."""
