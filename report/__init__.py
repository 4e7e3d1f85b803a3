"""The report: one page of PDF about a training run. run.py makes the run, page.typ is the layout.

`build("full")` writes report/report.pdf and the pictures in figures/; `build("small")` writes report/report-small.pdf
and touches no tracked file.
"""

import json
import tempfile
from pathlib import Path

import typst

from lib2048 import PATTERNS
from lib2048.draw import board_svg, board_text, learning_curve

from .run import NETWORK, ROOT, RULE, SCALES, TEST_SEED, TRAIN_SEED, load_or_run, source_hash

TIMESTAMP = 1_735_689_600  # 2025-01-01 in every PDF, so that equal results give equal files


def build(scale: str = "full", progress: bool = True) -> Path:
    """Make the report at one of SCALES. Returns the path of the PDF."""
    if scale not in SCALES:
        raise ValueError(f"the scale is one of {', '.join(SCALES)}, got {scale!r}")
    log, summary, facts = load_or_run(scale, progress)
    curve = learning_curve(log)
    pictures = {"board.svg": board_svg(facts["board"], facts["lastmove"]), "curve.svg": curve.svg()}
    page = {
        "scale": scale,
        "facts": fact_table(scale, log, summary, facts),
        "statistics": str(summary).expandtabs(8).rstrip(),
        "mean": f"{summary.mean:,.0f}",
        "half": f"{summary.mean_ci[1] - summary.mean:,.0f}",
        "shares": [f"{part:.1%}" for part in summary.share(2048)],
        "test_games": f"{summary.games:,}",
        "games": f"{len(log.scores):,}",
        "block": f"{log.block:,}",
        "ending": f"{facts['score']:,} points after {facts['moves']:,} moves",
        "alt": {"board": board_text(facts["board"], facts["lastmove"]), "curve": curve.alt},
    }
    pdf = ROOT / "report" / ("report.pdf" if scale == "full" else f"report-{scale}.pdf")
    write(pdf, typeset(page, pictures))
    if scale == "full":
        for name, svg in pictures.items():
            write(ROOT / "figures" / name, svg.encode())
    return pdf


def fact_table(scale: str, log, summary, facts: dict) -> list[list[str]]:
    """What was run, on what, and for how long: rows of a name and a text."""
    patterns = PATTERNS[NETWORK["patterns"]]
    names = ", ".join("".join(f"{cell:x}" for cell in pattern) for pattern in patterns)
    speed = log.moves.sum() / log.seconds / 1e6
    return [
        ["Network", f"{NETWORK['patterns']}: patterns {names}; {sum(16 ** len(p) for p in patterns):,} weights"],
        ["Learning", f"TD(0), V({NETWORK['values']}), {RULE['order']}, alpha = {RULE['alpha']}, one thread"],
        ["New tiles", f"a 4 with probability {RULE['p4']}, else a 2"],
        ["Training", f"{len(log.scores):,} games, seed {TRAIN_SEED}: {log.seconds:.1f} s, {speed:.2f} million moves/s"],
        ["Evaluation", f"{summary.games:,} games, greedy (1 ply), seed {TEST_SEED}: {summary.seconds:.1f} s"],
        ["Machine", facts["machine"]],
        ["Versions", facts["versions"]],
        ["Sources", f"lib2048 {source_hash()} (SHA-256, first 12 digits)"],
    ]


def typeset(page: dict, pictures: dict[str, str]) -> bytes:
    """The PDF: page.typ filled with these texts and pictures. Only fonts that come with Typst are used."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, svg in pictures.items():
            (root / name).write_text(svg, encoding="utf-8")
        (root / "page.json").write_text(json.dumps(page), encoding="utf-8")
        template = (Path(__file__).parent / "page.typ").read_text(encoding="utf-8")
        (root / "page.typ").write_text(template, encoding="utf-8")
        return typst.compile(
            str(root / "page.typ"), root=folder, ignore_system_fonts=True, pdf_standards=["ua-1"], timestamp=TIMESTAMP
        )


def write(path: Path, content: bytes) -> None:
    """Write a file to a temporary name and rename it, so that it is never half written."""
    path.parent.mkdir(exist_ok=True)
    partial = path.with_name(path.name + ".tmp")
    partial.write_bytes(content)
    partial.replace(path)
