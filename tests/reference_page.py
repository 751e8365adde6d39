"""The examples of the rule language's reference page."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
EXAMPLES = [
    (word, rule, deal, int(ways.replace(",", "")), int(cycle.replace(",", "")))
    for word, rule, deal, ways, cycle in re.findall(
        r"^\| `(.+?)` \| .* \| `(.+?)` \| `(.+?)` \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.MULTILINE
    )
]
