"""Examples of the rule language's reference page; a deal may name its pack."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
EXAMPLES = [
    (word, rule, deal, int(ways.replace(",", "")), int(cycle.replace(",", "")))
    for word, rule, deal, ways, cycle in re.findall(
        r"^\| `(.+?)` \| .* \| `(.+?)` \| `(.+?)` \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.MULTILINE
    )
]


def split_pack(example: str) -> tuple[str, str]:
    """Return the deal of an example and its pack."""
    deal, _, pack = example.partition(" from ")
    return deal, pack or "standard"
