"""Monte-Carlo tree search as a player."""

import math
import time

import numpy as np

from lib2048.kernels import uint64
from lib2048.random_words import mix
from lib2048.validate import check_not_negative, check_whole
from libewn.findings import Branch, Findings, branches, find
from libewn.game import Game
from libewn.rules import _choices, _winning_move
from libewn.search import _expand, _search, _transplant
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
    Pool,
    Rule,
    _add_node,
    new_pool,
)

FORMULAS = {"ucb1": UCB1, "tuned": TUNED, "as_submitted": AS_SUBMITTED}
PAUSE = 0.02  # seconds between looks at the clock and for Ctrl-C
NEVER = 1 << 62  # playouts for a child that is never reached: no tree
USUAL_SIMULATIONS = 20_000


class MCTS:
    """Monte-Carlo tree search with UCB.

    Parameters
    ----------
    simulations : int, optional
        Playouts a move, up to whole visits; 20,000 where neither they nor seconds are given.
    seconds : float, optional
        Seconds a move. If both are given, whichever ends first counts; the clock is looked at
        between visits.
    tree : bool
        False for plain Monte-Carlo search (MCS), a bandit over the moves without a tree.
    ucb : str
        "ucb1", "tuned" or "as_submitted", see tree.py, with its c, c1 and c2.
    results : str
        "rich" or "plain", see playout.py.
    visit : int
        Playouts each time a node is chosen.
    expand : int
        Playouts from which on a node gets children.
    shortcut : bool
        Play a winning move at once, and an only move without searching.
    pv_k, move_k : float, optional
        Choose along the tree, or at the end, with chances proportional to exp(K value); the best
        when None.
    solve : bool
        Carry proven wins and losses up the tree (MCTS-Solver; Winands, Björnsson and Saito 2008).
    prior : float
        How many playouts the guess from the distances (guessing.py) counts for in a new node.
    reuse : bool
        Keep the part of the tree that the game went on into.
    nodes : int
        Room in the tree, allocated once: 68 bytes each, twice with reuse. A full tree only gathers
        playouts.

    Raises
    ------
    ValueError
        If a parameter is not what it may be.
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
            simulations = USUAL_SIMULATIONS
        if not isinstance(ucb, str) or ucb not in FORMULAS:
            raise ValueError(f'ucb is "ucb1", "tuned" or "as_submitted", got {ucb!r}')
        if results not in ("plain", "rich"):
            raise ValueError(f'results is "rich" or "plain", got {results!r}')
        if simulations is not None:
            simulations = check_whole("simulations", simulations, 1)
        self.simulations = simulations
        self.seconds = None if seconds is None else check_not_negative("seconds", seconds)
        self.move_k = None if move_k is None else check_not_negative("move_k", move_k)
        self.shortcut = bool(shortcut)
        self.reuse = bool(reuse)
        self.rule = Rule(
            variant=0,
            formula=FORMULAS[ucb],
            c=check_not_negative("c", c),
            c1=check_not_negative("c1", c1),
            c2=check_not_negative("c2", c2),
            visit=check_whole("visit", visit, 1, 1 << 20),
            expand=check_whole("expand", expand, 0) if tree else NEVER,
            rich=int(results == "rich"),
            shortcut=self.shortcut,
            heat=math.inf if pv_k is None else check_not_negative("pv_k", pv_k),
            solve=bool(solve),
            prior=check_not_negative("prior", prior),
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
        self.state = uint64(mix(uint64(check_whole("seed", seed)) + uint64(1)))
        self.root: tuple | None = None  # (instance, ply, words) of the root

    def move(self, game: Game) -> tuple[int, int]:
        """The move to play.

        An only move, or one that wins, is played without a search if `shortcut` is on.
        """
        if self.shortcut and game.winner is None:
            obvious = self._obvious_move(game)
            if obvious is not None:
                return obvious
        move = self.search(game).move
        assert move is not None
        return move

    def _obvious_move(self, game: Game) -> tuple[int, int] | None:
        """The only move, or the first one that wins at once."""
        moves = game.legal_moves()
        if len(moves) == 1:
            return moves[0]
        own, opp, _ = game.words
        code = game.variant.code
        choices = _choices(code, own, uint64(game.die - game.variant.first))
        winning = int(_winning_move(code, opp, choices))
        return moves[winning] if winning < len(moves) else None

    def search(self, game: Game) -> Findings:
        """Search the position of a game.

        Returns
        -------
        Findings
            What was found, which is also kept in `findings`.

        Raises
        ------
        ValueError
            If the game is over.
        """
        if game.winner is not None:
            raise ValueError("the game is over, there is no move to search for")
        began = time.perf_counter()
        rule = self.rule._replace(variant=game.variant.code)
        kept = self._set_root(game, rule)
        dice = game.words[2]
        pool = self.pools[0]
        pool.state[0] = self.state
        self._grow(pool, rule, dice, kept, began)
        self.state = uint64(pool.state[0])
        if not pool.links[ROOT, COUNT]:
            _expand(pool, rule, ROOT, dice)
        findings = find(pool, rule, game, kept)
        findings.move = self._choose(findings)
        findings.seconds = time.perf_counter() - began
        self.findings = findings
        self.caps += findings.caps
        return findings

    def _grow(self, pool: Pool, rule: Rule, dice: np.uint64, kept: int, began: float) -> None:
        """Visit until the budget is spent or the root is proven, returning here every PAUSE."""
        total = math.inf if self.simulations is None else kept + self.simulations
        step = rule.visit
        playouts = float(kept)
        while playouts < total and pool.links[ROOT, PROOF] == OPEN:
            tick = time.perf_counter()
            if self.seconds is not None and tick - began + PAUSE / 2 >= self.seconds:
                break
            _search(pool, rule, dice, float(min(total, playouts + step)))
            playouts = float(pool.stats[ROOT, N])
            passed = max(time.perf_counter() - tick, 1e-6)
            step = max(rule.visit, min(2 * step, int(step * PAUSE / passed)))

    def tree(self, game: Game, least: int = 1) -> list[Branch]:
        """The tree of the last search: its nodes with at least `least` playouts.

        Raises
        ------
        ValueError
            If the last search was not of this position.
        """
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
        node = ROOT
        for later in range(back - 1, -1, -1):
            child = self._child(node, game.words_at(later))
            if child is None:
                return None
            node = child
        return node

    def _child(self, node: int, words: tuple) -> int | None:
        """The child of a node that is the position with these words, if there is one."""
        pool = self.pools[0]
        first = pool.links[node, FIRST]
        for child in range(first, first + pool.links[node, COUNT]):
            if pool.words[child, OWN] == words[0] and pool.words[child, OPP] == words[1]:
                return child
        return None

    def _choose(self, findings: Findings) -> tuple[int, int]:
        """The move with the highest mean, proven wins first and proven losses last.

        With move_k it is one by chance, but what is proven is not left to chance.
        """
        means = findings.means
        worths = np.where(np.isnan(means), -1.0, means) + 10.0 * findings.proofs
        best = int(np.argmax(worths))
        unproven = np.where(findings.proofs == 0, means, np.nan)
        if self.move_k is None or findings.proofs[best] > 0 or np.isnan(unproven).all():
            return findings.moves[best]
        chances = np.nan_to_num(np.exp(self.move_k * (unproven - np.nanmax(unproven))))
        self.state = uint64(mix(self.state))
        place = float(self.state) / 2.0**64 * chances.sum()
        return findings.moves[int(np.searchsorted(np.cumsum(chances), place, side="right"))]
