"""The formulas behind a sheet's exposure: what is paid for one wager, and which awards are reported."""

from __future__ import annotations

from combinat.analysis.exposure import tax_rules
from reports.render.workbook_facts import Fact, Facts
from reports.render.workbook_inputs import MAX_WAGER
from reports.render.workbook_working import Working

NEVER, YES, NO = "never", "yes", "no"


def add_exposure(pool: Facts, working: Working) -> None:
    """Add what is paid at the largest wager taken, and from which wagers on that is reported."""
    stake, lines = working.inputs.max_wager, working.calculation.settled.analysis.lines
    for place, index in working.calculation.places.items():
        line = lines[place]
        gross, net = working.at("gross", index), working.at("net", index)
        paid, won = line.gross.constant, line.net.constant
        facts = [Fact("paid", f"{gross}*{MAX_WAGER}", paid * stake)]
        for number, rule in enumerate(tax_rules(), 1):
            least, times = rule.times_the_wager, f"Times_{number}"
            facts += [
                Fact(f"pays {number}", f'IF({gross}>={times},"{YES}","{NO}")', YES if paid >= least else NO),
                Fact(f"wins {number}", f'IF({net}>={times},"{YES}","{NO}")', YES if won >= least else NO),
            ]
        for number, rule in enumerate(tax_rules(), 1):
            least, times = rule.times_the_wager, f"Times_{number}"
            found = rule.reported_from / paid if paid >= least else NEVER
            formula = f'IF({gross}>={times},ReportedFrom_{number}/{gross},"{NEVER}")'
            facts.append(Fact(f"reported {number}", formula, found))
        first = tax_rules()[0]
        found = first.withheld_above / won if won >= first.times_the_wager else NEVER
        formula = f'IF({net}>=Times_1,WithheldAbove_1/{net},"{NEVER}")'
        facts.append(Fact("withheld", formula, found))
        pool.add_row("exposure", line.award.name, facts)
    nets = [one.net for one in working.calculation.outcomes if one.ways]
    pool.add_group("exposure", [Fact("stake", MAX_WAGER, stake)])
    pool.add_figure("largest_win", Fact("win", f"INDEX(NetPay,LargestPlace)*{MAX_WAGER}", max(nets) * stake))
    formula = f"INDEX(GrossPay,LargestPlace)*{MAX_WAGER}"
    pool.add_figure("largest_payment", Fact("paid", formula, (max(nets) + 1) * stake))
