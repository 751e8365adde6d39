"""The formulas behind a sheet's exposure: what is paid for one wager, and which awards are reported."""

from __future__ import annotations

from combinat.analysis.exposure import tax_rules
from reports.render.workbook_facts import Fact, Facts
from reports.render.workbook_inputs import MAX_WAGER
from reports.render.workbook_working import Working
from reports.sheet.sections.exposed import PAID, WIN
from reports.sheet.sections.exposure import STAKE, TAXED

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
            found = rule.reported_from / paid if paid >= least else NEVER
            formula = f'IF({gross}>={times},ReportedFrom_{number}/{gross},"{NEVER}")'
            facts.append(Fact(f"reported {rule.years}", formula, found))
        first = tax_rules()[0]
        facts += [
            Fact("pays", f'IF({gross}>=Times_1,"{YES}","{NO}")', YES if paid >= first.times_the_wager else NO),
            Fact("wins", f'IF({net}>=Times_1,"{YES}","{NO}")', YES if won >= first.times_the_wager else NO),
        ]
        found = first.withheld_above / won if won >= first.times_the_wager else NEVER
        formula = f'IF({net}>=Times_1,WithheldAbove_1/{net},"{NEVER}")'
        facts.append(Fact("withheld", formula, found))
        pool.add_row(TAXED, line.award.name, facts)
    nets = [one.net for one in working.calculation.outcomes if one.ways]
    pool.add_figure(STAKE, "", Fact(STAKE, MAX_WAGER, stake))
    basis = str(working.calculation.study.wager_basis)
    pool.add_figure(WIN, basis, Fact(WIN, f"INDEX(NetPay,LargestPlace)*{MAX_WAGER}", max(nets) * stake))
    formula = f"INDEX(GrossPay,LargestPlace)*{MAX_WAGER}"
    pool.add_figure(PAID, basis, Fact(PAID, formula, (max(nets) + 1) * stake))
