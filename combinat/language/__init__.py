"""What a rule says: the words and their meaning, the text cut into tokens, parsed into a tree, and put into English."""
