"""Draw the picture of the README from the real program: `python docs/picture.py` writes docs/pictures/overview.png.

Needs Chromium (for the studio) and pdftoppm (for the first page of a par sheet).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "pictures" / "overview.png"
HEIGHT = 900
MARGIN = 24
COMBINAT = (sys.executable, "-m", "reports")


def draw_sheet(folder: Path) -> Image.Image:
    """Return the first page of the par sheet of TRI-03 at six decks."""
    sheet = folder / "sheet.pdf"
    subprocess.run([*COMBINAT, "parsheet", "TRI-03", "--decks", "6", "--output", str(sheet)], cwd=ROOT, check=True)
    program = shutil.which("pdftoppm") or sys.exit("pdftoppm is missing; install poppler-utils")
    subprocess.run([program, "-png", "-r", "110", "-f", "1", "-l", "1", str(sheet), str(folder / "page")], check=True)
    return Image.open(next(folder.glob("page*.png"))).convert("RGB")


def draw_studio(folder: Path) -> Image.Image:
    """Return the studio with the bet that it opens."""
    command = [*COMBINAT, "studio", "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = None
        while found is None and (line := server.stdout.readline()):
            found = re.search(r"http://\S+", line)
        assert found is not None, "the studio printed no address"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
            page = browser.new_page(viewport={"width": 1320, "height": 720})
            page.goto(found[0])
            page.get_by_text("House edge").first.wait_for()
            page.wait_for_timeout(1500)
            page.screenshot(path=folder / "studio.png")
            browser.close()
    finally:
        server.terminate()
        server.wait()
    return Image.open(folder / "studio.png").convert("RGB")


def main() -> None:
    """Draw both pictures side by side."""
    with tempfile.TemporaryDirectory() as name:
        pictures = [draw_sheet(Path(name)), draw_studio(Path(name))]
    scaled = [picture.resize((picture.width * HEIGHT // picture.height, HEIGHT)) for picture in pictures]
    width = sum(picture.width for picture in scaled) + MARGIN * 3
    canvas = Image.new("RGB", (width, HEIGHT + 2 * MARGIN), "#e8eaed")
    left = MARGIN
    for picture in scaled:
        canvas.paste(picture, (left, MARGIN))
        frame = (left - 1, MARGIN - 1, left + picture.width, MARGIN + HEIGHT)
        ImageDraw.Draw(canvas).rectangle(frame, outline="#9aa0a6")
        left += picture.width + MARGIN
    TARGET.parent.mkdir(exist_ok=True)
    canvas.quantize(128).save(TARGET, optimize=True)
    print(TARGET.relative_to(ROOT), f"{TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
