import datetime
import io
import shutil
import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

import combinat
from decks import InputError
from reports.publish.signature_state import signature_states

pytestmark = pytest.mark.slow
PASSPHRASE = "open sesame"


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Test Signer")])
    start = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(7).not_valid_before(start).not_valid_after(start + datetime.timedelta(days=30))
    usage = x509.KeyUsage(True, True, False, False, False, False, False, False, False)
    signed = builder.add_extension(usage, critical=True).sign(key, hashes.SHA256())
    encryption = serialization.BestAvailableEncryption(PASSPHRASE.encode())
    path = tmp_path_factory.mktemp("certificate") / "signer.p12"
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"signer", key, signed, None, encryption))
    return path


@pytest.fixture(scope="session")
def signed_sheet(dossier, certificate, tmp_path_factory):
    output = tmp_path_factory.mktemp("signed") / "signed.pdf"
    answer = combinat.sign(
        dossier / "sheets" / "MINE-1-1D.pdf", certificate=certificate, passphrase=PASSPHRASE, output=output
    )
    assert answer.page == 1
    assert answer.signer.endswith("Test Signer")
    return output


def test_signed_sheet_is_valid_for_verify(signed_sheet):
    answer = combinat.verify(signed_sheet)
    assert answer.agrees, answer.differences
    assert any("signature valid" in note and "issuer not checked" in note for note in answer.notes)


def test_signed_sheet_is_valid_for_pyhanko_with_the_certificate_as_trust_root(signed_sheet):
    (signature,) = PdfFileReader(io.BytesIO(signed_sheet.read_bytes())).embedded_signatures
    status = validate_pdf_signature(signature, ValidationContext(trust_roots=[signature.signer_cert]))
    assert status.bottom_line


@pytest.mark.skipif(shutil.which("pdfsig") is None, reason="poppler-utils is not installed")
def test_signed_sheet_is_valid_for_poppler_and_a_changed_one_is_not(signed_sheet, tmp_path):
    changed = tmp_path / "changed.pdf"
    content = bytearray(signed_sheet.read_bytes())
    content[len(content) // 3] ^= 1
    changed.write_bytes(content)
    reports = [
        subprocess.run(["pdfsig", path], capture_output=True, text=True, check=False).stdout
        for path in (signed_sheet, changed)
    ]
    assert "Signature is Valid." in reports[0]
    assert "Total document signed" in reports[0]
    assert "Signature is Valid." not in reports[1]


@pytest.mark.parametrize("part", ["sheet", "update"])
def test_changed_byte_is_noticed(signed_sheet, dossier, part):
    content = bytearray(signed_sheet.read_bytes())
    original = len((dossier / "sheets" / "MINE-1-1D.pdf").read_bytes())
    index = original // 2 if part == "sheet" else content.index(b"/Contents", original) + 200
    content[index] ^= 1
    assert any(state.is_broken for state in signature_states(bytes(content)))


def test_both_signers_sign_and_rebuild_leaves_their_file_out(signed_sheet, dossier, certificate, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(dossier, copy)
    both = copy / "sheets" / "both.pdf"
    combinat.sign(signed_sheet, certificate=certificate, passphrase=PASSPHRASE, role="reviewed", output=both)
    assert len(signature_states(both.read_bytes())) == 2
    answer = combinat.rebuild(copy)
    assert answer.same
    assert len(answer.signed) == 2
    assert answer.other_files == []


def test_passphrase_comes_from_file_or_environment(dossier, certificate, tmp_path, monkeypatch):
    file = tmp_path / "passphrase"
    file.write_text(f"{PASSPHRASE}\n")
    cover = dossier / "cover.pdf"
    combinat.sign(cover, certificate=certificate, passphrase_file=file, output=tmp_path / "a.pdf")
    monkeypatch.setenv("COMBINAT_PASSPHRASE", PASSPHRASE)
    combinat.sign(cover, certificate=certificate, output=tmp_path / "b.pdf")
    for name in ("a.pdf", "b.pdf"):
        assert (tmp_path / name).read_bytes().startswith(cover.read_bytes())


def test_wrong_input_is_refused_without_the_passphrase(dossier, certificate, tmp_path):
    cover, output = dossier / "cover.pdf", tmp_path / "signed.pdf"
    for file, options in (
        (cover, {"certificate": certificate, "passphrase": "guessed"}),
        (cover, {"certificate": cover, "passphrase": "guessed"}),
        (cover, {"certificate": "", "passphrase": "guessed"}),
        (cover, {"certificate": certificate, "passphrase": "guessed", "role": "king"}),
        (dossier / "checker.html", {"certificate": certificate, "passphrase": "guessed"}),
        (dossier / "absent.pdf", {"certificate": certificate, "passphrase": "guessed"}),
    ):
        with pytest.raises(InputError) as error:
            combinat.sign(file, output=output, **options)
        assert "guessed" not in str(error.value)
    assert not output.exists()
