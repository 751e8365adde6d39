"""The certificate of best play: every state is checked, and it belongs to one sheet."""

import hashlib
import json

import pytest

from combinat.study import build_study
from combinat.verifier import SheetError, verify, verify_file
from combinat.verifier.sheet import CERTIFICATE, fingerprint
from decks import Shoe
from reports.sheet.par_sheet import build_par_sheet
from tests.sheets import WITH_FEW_RANKS, find_paytable

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sheet():
    """Return a sheet of a parlay whose hands of blackjack have few ranks."""
    paytable = find_paytable(f"HM-2{WITH_FEW_RANKS}")
    return build_par_sheet(build_study(paytable, Shoe(1, paytable.bet.pack), other_decks=False))


def with_certificate(payload, content):
    """Return a sheet that names another certificate."""
    payload = json.loads(json.dumps(payload))
    states = sum(map(len, json.loads(content)["states"].values()))
    payload["option"]["certificate"] = {"sha256": hashlib.sha256(content).hexdigest(), "states": states}
    return payload | {"data_sha256": fingerprint(payload)}


def test_every_state_is_checked(sheet, tmp_path):
    path = tmp_path / "HM-2.json"
    path.write_text(json.dumps(sheet.payload), encoding="utf-8")
    path.with_suffix(".certificate").write_bytes(sheet.certificate)
    verdict, _ = verify_file(str(path))
    assert verdict.agrees
    states = sheet.payload["option"]["certificate"]["states"]
    assert verdict.figures[CERTIFICATE] > states > 100
    assert "option.certificate" not in verdict.not_checked


def test_false_states_are_named(sheet):
    content = json.loads(sheet.certificate)
    false_value, false_action, missing = content["states"]["10"], content["states"]["A"], content["states"]["2"]
    name, text = next((name, text) for name, text in false_value.items() if text.startswith("hit"))
    false_value[name] = text + "7"
    name, text = next((name, text) for name, text in false_action.items() if text.startswith("hit"))
    false_action[name] = text.replace("hit", "stand")
    missing.popitem()
    forged = json.dumps(content).encode()
    verdict = verify(with_certificate(sheet.payload, forged), certificate=forged)
    wrong = [text for text in verdict.differences if text.startswith("certificate")]
    assert any("against 10" in text for text in wrong)
    assert any("against A" in text for text in wrong)
    assert any("every hand against 2" in text for text in wrong)


def test_certificate_of_another_sheet_is_refused(sheet):
    with pytest.raises(SheetError, match="SHA-256"):
        verify(json.loads(json.dumps(sheet.payload)), certificate=b"{}")
