"""For whoever designs a paytable: what was overlooked, and how published figures compare with ours."""
