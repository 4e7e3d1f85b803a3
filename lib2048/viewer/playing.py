"""A page that plays by itself: a compact network in it plays whole games, and advises a reader.

It is one file that needs neither Python nor the net. The network is that of `lib2048.compact`, or
one of yours; JavaScript reads it (script/compact.js) and plays the very games that `lib2048.play`
would play with it.
"""

import base64
from pathlib import Path

from lib2048.board import fours_below
from lib2048.compacting import FILE
from lib2048.draw import board_strip
from lib2048.formats.compact import compact_bytes
from lib2048.learning import board_sides
from lib2048.network import NTupleNetwork
from lib2048.validate import check_seed
from lib2048.viewer.joining import joined
from lib2048.viewer.look import LOOK, SCRIPT, shared_style
from lib2048.viewer.page import write_page

LARGEST = 12_000_000  # bytes of a network; a telephone would hardly open the page
SCHOOL_PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5), (1, 2, 5, 6), (5, 6, 9, 10))
"""Of the network that learns in the page: small, so that it is quick and learns quickly."""
BOARD = 0x0000_0000_0021_0321  # shown where no script runs


def network_for_page(net: NTupleNetwork | None) -> str:
    """A compact network as a page holds it.

    Parameters
    ----------
    net : NTupleNetwork or None
        The network, that of `lib2048.compact` when None.

    Returns
    -------
    str
        The bytes of its compact file, in base 64.

    Raises
    ------
    ValueError
        If it is too large for a page.
    """
    content = FILE.read_bytes() if net is None else compact_bytes(net)
    if len(content) > LARGEST:
        raise ValueError(
            f"a page carries a network of at most {LARGEST / 1e6:.0f} MB, and this one, compact "
            f"as it is, takes {len(content) / 1e6:.1f} MB: take smaller patterns, or show a "
            "recorded game with watch(net).save_html(path)"
        )
    return base64.b64encode(content).decode()


def playing_script() -> str:
    """The script of a page that plays by itself."""
    return joined(SCRIPT / "playpage.js")


def playing_page(
    path: str | Path,
    net: NTupleNetwork | None = None,
    seed: int = 0,
    title: str = "2048, played by a network",
) -> None:
    """Write a page on which a network plays 2048, and a reader too, with its advice.

    The page is one file that can be opened from a disk, without Python or the net. What stands
    behind the # of its address names a game: `#seed=7&move=120`, or `#board=` and 16 hexadecimal
    digits.

    Parameters
    ----------
    path : str or Path
        The file to write.
    net : NTupleNetwork, optional
        The network; that of `lib2048.compact` when None.
    seed : int
        The game that the page shows first.
    title : str
        What stands above the board.

    Raises
    ------
    FileNotFoundError
        If the folder of the file does not exist.
    ValueError
        If the network is too large for a page, or the seed is none.

    Examples
    --------
    >>> import tempfile
    >>> net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     playing_page(f"{folder}/2048.html", net)
    ...     Path(f"{folder}/2048.html").stat().st_size < 500_000
    True
    """
    state = playing_state(net, int(check_seed(seed))) | {"games": [], "data": ""}
    state["name"] = "the network"
    picture = board_strip([BOARD], [title], columns=1)
    write_page(path, title, picture, state, shared_style(), playing_script())


def playing_state(net: NTupleNetwork | None, seed: int) -> dict:
    """What the script of such a page needs besides recorded games.

    Parameters
    ----------
    net : NTupleNetwork or None
        The network, that of `lib2048.compact` when None.
    seed : int
        The game that it plays first.

    Returns
    -------
    dict
        Ready for JSON.
    """
    return {
        "look": LOOK,
        "network": network_for_page(net),
        "seed": str(seed),  # as text, because JavaScript's numbers have 53 bits
        "name": "network of this page",
        "speed": 1,
        "own_key": "playing page",
        "learner": joined(SCRIPT / "learner.js"),
        "school": school_settings(),
    }


def school_settings() -> dict:
    """How a network learns in the page, for script/learning.js."""
    return {
        "patterns": SCHOOL_PATTERNS,
        "sides": [side.ravel().tolist() for side in board_sides()],
        "alpha": 1.0,
        "lambda": 0.5,
        "seed": "1",
        "p4": 0.1,
        "fours": int(fours_below(0.1)),
    }
