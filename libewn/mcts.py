"""Monte-Carlo tree search as a player."""

import math
import time

import numpy as np

from lib2048.kernels import U
from lib2048.random_words import mix
from libewn.findings import Branch, Findings, branches, find
from libewn.game import Game
from libewn.rules import _choices, _winning_move
from libewn.search import _expand, _search, _transplant
from libewn.start import check_whole
from libewn.tree import (
    AS_SUBMITTED,
    COUNT,
    FIRST,
    NODE_BYTES,
    OPEN,
    OPP,
    OWN,
    PROOF,
    ROOT,
    TUNED,
    UCB1,
    N,
    Rule,
    _add_node,
    new_pool,
)

FORMULAS = {"ucb1": UCB1, "tuned": TUNED, "as_submitted": AS_SUBMITTED}
PAUSE = 0.02  # seconds between looks at the clock and for Ctrl-C
NEVER = 1 << 62  # playouts for a child that is never reached: no tree


class MCTS:
    """Monte-Carlo tree search with UCB.

    simulations: playouts a move, up to whole visits; or seconds a move, whichever ends first if
    both are given. The
        clock is looked at between visits.
    tree: False for plain Monte-Carlo search (MCS), a bandit over the moves without a tree. ucb:
    "ucb1", "tuned" or "as_submitted" (see tree.py), with its c, c1 and c2. results: "rich" or
    "plain" (see playout.py). visit: playouts each time a node is chosen. expand: playouts from
    which a node gets children. shortcut: play a winning move at once, and an only move without
    searching. pv_k, move_k: choose along the tree, or at the end, with chances proportional to
    exp(K value); None for the best. solve: carry proven wins and losses up the tree (MCTS-Solver;
    Winands, Bjornsson and Saito 2008). prior: how many playouts the guess from the distances
    (guess.py) counts for in a new node's mean. reuse: keep the part of the tree that the game went
    on into. nodes: room in the tree, allocated once (68 bytes each, twice with reuse); a full tree
    only gathers playouts.
    """

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        tree: bool = True,
        ucb: str = "ucb1",
        c: float = 0.6,
        c1: float = 1.414,
        c2: float = 0.25,
        results: str = "rich",
        visit: int = 25,
        expand: int = 200,
        shortcut: bool = True,
        pv_k: float | None = None,
        move_k: float | None = None,
        solve: bool = False,
        prior: float = 0.0,
        reuse: bool = False,
        nodes: int = 1 << 18,
    ):
        if simulations is None and seconds is None:
            simulations = 20_000
        self.simulations = (
            None if simulations is None else check_whole("simulations", simulations, 1)
        )
        self.seconds = None if seconds is None else _check_number("seconds", seconds)
        if not isinstance(ucb, str) or ucb not in FORMULAS:
            raise ValueError(f'ucb is "ucb1", "tuned" or "as_submitted", got {ucb!r}')
        if results not in ("plain", "rich"):
            raise ValueError(f'results is "rich" or "plain", got {results!r}')
        self.move_k = None if move_k is None else _check_number("move_k", move_k)
        self.shortcut, self.reuse = bool(shortcut), bool(reuse)
        self.rule = Rule(
            variant=0,
            formula=FORMULAS[ucb],
            c=_check_number("c", c),
            c1=_check_number("c1", c1),
            c2=_check_number("c2", c2),
            visit=check_whole("visit", visit, 1, 1 << 20),
            expand=check_whole("expand", expand, 0) if tree else NEVER,
            rich=int(results == "rich"),
            shortcut=self.shortcut,
            heat=math.inf if pv_k is None else _check_number("pv_k", pv_k),
            solve=bool(solve),
            prior=_check_number("prior", prior),
        )
        nodes = check_whole("nodes", nodes, 16, 1 << 27)
        self.pools = [new_pool(nodes) for _ in range(1 + self.reuse)]
        self.findings: Findings | None = None
        self.caps = np.zeros(2, np.int64)  # Findings.caps, added up over all searches
        self.start(0)

    @property
    def bytes(self) -> int:
        """The most memory the tree takes."""
        return sum(len(pool.stats) * NODE_BYTES for pool in self.pools)

    def start(self, seed: int) -> None:
        """Begin a new game: forget the tree, and draw random numbers anew."""
        self.state = U(mix(U(check_whole("seed", seed)) + U(1)))
        self.root: tuple | None = None  # (instance, ply, words) of the root

    def move(self, game: Game) -> tuple[int, int]:
        """The move to play.

        An only move, or one that wins, is played without a search if `shortcut` is on.
        """
        moves = game.legal_moves()
        if self.shortcut and moves:
            if len(moves) == 1:
                return moves[0]
            own, opp, _ = game.words
            choices = _choices(game.variant.code, own, U(game.die - game.variant.first))
            winning = int(_winning_move(game.variant.code, opp, choices))
            if winning < len(moves):
                return moves[winning]
        return self.search(game).move

    def search(self, game: Game) -> Findings:
        """Search the position of a game.

        Returns what is found, which is also kept in `findings`.
        """
        if game.winner is not None:
            raise ValueError("the game is over, there is no move to search for")
        began = time.perf_counter()
        rule = self.rule._replace(variant=game.variant.code)
        kept = self._set_root(game, rule)
        pool, dice = self.pools[0], game.words[2]
        pool.state[0] = self.state
        total = math.inf if self.simulations is None else kept + self.simulations
        step, now = rule.visit, float(kept)
        while now < total and pool.links[ROOT, PROOF] == OPEN:
            tick = time.perf_counter()
            if self.seconds is not None and tick - began + PAUSE / 2 >= self.seconds:
                break
            _search(pool, rule, dice, float(min(total, now + step)))
            now = float(pool.stats[ROOT, N])
            passed = max(time.perf_counter() - tick, 1e-6)
            step = max(rule.visit, min(2 * step, int(step * PAUSE / passed)))
        self.state = U(pool.state[0])
        if not pool.links[ROOT, COUNT]:
            _expand(pool, rule, ROOT, dice)
        self.findings = find(pool, rule, game, kept)
        self.caps += self.findings.caps
        self.findings.move = self._choose(self.findings)
        self.findings.seconds = time.perf_counter() - began
        return self.findings

    def tree(self, game: Game, least: int = 1) -> list[Branch]:
        """The tree of the last search, which was of this position: its nodes with at least `least` playouts."""
        if self.root is None or self.root != (game.instance, game.ply, game.words):
            raise ValueError(
                f"the last search was of another position than that at ply {game.ply} of this game"
            )
        return branches(self.pools[0], game, check_whole("least", least))

    def _set_root(self, game: Game, rule: Rule) -> int:
        """Make the position of a game the root. Returns the playouts it has already."""
        node = self._known(game) if self.reuse else None
        if node is not None:
            _transplant(self.pools[0], self.pools[1], node)
            self.pools.reverse()
        else:
            self.pools[0].used[0] = 0
            _add_node(self.pools[0], *game.words[:2], OPEN, 0.0)
        self.root = (game.instance, game.ply, game.words)
        return int(self.pools[0].stats[ROOT, N])

    def _known(self, game: Game) -> int | None:
        """The node of the position of a game, if the tree has it."""
        if self.root is None or game.variant.name == "classic" or self.root[0] != game.instance:
            return None
        back = game.ply - self.root[1]
        if not 0 <= back <= len(game.history) or game.words_at(back) != self.root[2][:2]:
            return None
        pool, nodes = self.pools[0], [ROOT]
        for later in range(back - 1, -1, -1):
            own, opp = game.words_at(later)
            links = pool.links[nodes[0]]
            nodes = [
                child
                for child in range(links[FIRST], links[FIRST] + links[COUNT])
                if pool.words[child, OWN] == own and pool.words[child, OPP] == opp
            ]
            if not nodes:
                return None
        return nodes[0]

    def _choose(self, found: Findings) -> tuple[int, int]:
        """The move with the highest mean, proven wins first and proven losses last; or one by chance with move_k."""
        worth = np.where(np.isnan(found.means), -1.0, found.means) + 10.0 * found.proofs
        best = int(np.argmax(worth))
        unsure = np.where(
            found.proofs == 0, found.means, np.nan
        )  # what is proven is not left to chance
        if self.move_k is None or found.proofs[best] > 0 or np.isnan(unsure).all():
            return found.moves[best]
        chances = np.nan_to_num(np.exp(self.move_k * (unsure - np.nanmax(unsure))))
        self.state = U(mix(self.state))
        place = float(self.state) / 2.0**64 * chances.sum()
        return found.moves[int(np.searchsorted(np.cumsum(chances), place, side="right"))]


def _check_number(name: str, value) -> float:
    if isinstance(value, bool | np.bool_ | str):
        raise ValueError(f"{name} is a number of at least 0, got {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not number >= 0 or math.isinf(number):
        raise ValueError(f"{name} is a number of at least 0, got {value!r}")
    return number
