"""One Struct per answer, with typed exact fields; JSON and its schema are generated from them."""
