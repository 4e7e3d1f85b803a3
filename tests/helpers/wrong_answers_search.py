"""Planted faults about measuring, the second game, and the Python course."""

from planting import Fault, plant, wrong
from right_answers_search import (
    get_action_by_bit_length,
    get_action_by_halving,
    get_action_by_logarithms,
    mcts_backup_in_place,
    mcts_backup_on_copies,
    movable_by_neighbours,
    movable_by_walking,
    tuned_in_steps,
    tuned_with_if,
    ucb1_by_math,
    ucb1_by_numpy,
    win_rate_by_counting,
    win_rate_by_filter,
    win_rate_by_mean,
)

# win_rate

plant(
    "win_rate",
    win_rate_by_counting,
    Fault("ended with it", "largest >= tile", "largest == tile", says="exactly this tile"),
    Fault("beyond it", "largest >= tile", "largest > tile", says="the tile itself counts"),
    Fault("lost", "largest >= tile", "largest < tile", says="did not reach the tile were counted"),
    Fault("up to it", "largest >= tile", "largest <= tile", says="up to this tile"),
    Fault("always 2048", "largest >= tile", "largest >= 2048", says="the tile were always 2048"),
    Fault("a count", "reached / len(max_tiles)", "reached", says="the games were counted"),
    Fault("one game more", "len(max_tiles)", "(len(max_tiles) + 1)", says="one off"),
    Fault("one too many", "reached = 0", "reached = 1", says="of 5 games"),
    Fault(
        "different tiles",
        "len(max_tiles)",
        "len(set(max_tiles.tolist()))",
        says="each tile counted once",
    ),
    Fault("without a remainder", "reached / len", "reached // len", says="not //"),
    Fault("in percent", "reached / len", "100 * reached / len", says="in percent"),
    Fault(
        "a return too early",
        "reached += 1\n    return",
        "reached += 1\n            return",
        says="of 5 games",
    ),
)
plant(
    "win_rate",
    win_rate_by_mean,
    Fault(
        "rounded",
        "np.mean(max_tiles >= tile)",
        "np.mean(max_tiles >= tile).round()",
        says="rounded",
    ),
    Fault("the comparison", "np.mean(max_tiles >= tile)", "max_tiles >= tile", says="One number"),
    Fault(
        "any of them",
        "np.mean(max_tiles >= tile)",
        "(max_tiles >= tile).any()",
        says="is a comparison returned",
    ),
)
plant(
    "win_rate",
    win_rate_by_filter,
    Fault(
        "the odds",
        "len(winners) / len(max_tiles)",
        "len(winners) / max(1, len(max_tiles) - len(winners))",
        says="the odds",
    ),
    Fault(
        "sorts",
        "    winners =",
        "    max_tiles.sort()\n    winners =",
        says="It changes its argument 1, max_tiles",
    ),
)

# get_action

plant(
    "get_action",
    get_action_by_logarithms,
    Fault(
        "not converted", "[0, 3, 1, 2][choose(board)]", "choose(board)", says="returned as it is"
    ),
    Fault("the wrong way round", "[0, 3, 1, 2]", "[0, 2, 3, 1]", says="the wrong way round"),
    Fault("left and right", "[0, 3, 1, 2]", "[0, 2, 1, 3]", says="two actions were mixed up"),
    Fault("up and down", "[0, 3, 1, 2]", "[1, 3, 0, 2]", says="two actions were mixed up"),
    Fault("tiles are shown", "choose(board)", "choose(state)", says="shown the tiles"),
    Fault(
        "log2 of 0",
        "int(math.log2(tile)) if tile > 0 else 0",
        "int(math.log2(tile))",
        says="A logarithm",
    ),
    Fault("the natural logarithm", "math.log2(tile)", "math.log(tile)", says="log were natural"),
    Fault("an empty cell is 1", "else 0", "else 1", says="an empty cell got the exponent 1"),
    Fault("columns", "for row in state]", "for row in state.T]", says="rows and columns"),
    Fault("upside down", "for row in state]", "for row in state[::-1]]", says="upside down"),
    Fault("a text", "[0, 3, 1, 2]", "['up', 'right', 'down', 'left']", says="as a text"),
    Fault(
        "changes the state",
        "    board = ",
        "    state[state == 0] = 1\n    board = ",
        says="It changes its argument 1, state",
    ),
    Fault("always up", "[0, 3, 1, 2][choose(board)]", "0", says="the same action"),
    Fault("an empty board", "choose(board)", "choose([[0] * 4] * 4)", says="an empty board"),
)
plant(
    "get_action",
    get_action_by_halving,
    Fault("one too large", "count = 0", "count = 1", says="one too large"),
    Fault(
        "the order of here",
        'course = ["up", "down", "left", "right"]',
        "course = names",
        says="returned as it is",
    ),
)
plant(
    "get_action",
    get_action_by_bit_length,
    Fault("bit lengths", "tile.bit_length() - 1, 0", "tile.bit_length(), 0", says="one too large"),
    Fault("one if too few", "    if action == 2:\n        return 1\n", "", says="which is down"),
)


@wrong("get_action", "remembers the first board", says="an earlier call")
def get_action_with_a_memory(state, score, choose, first=[]):  # noqa: B006
    """The environment is set up in the first call, and not again."""
    if not first:
        first.append([[max(int(tile).bit_length() - 1, 0) for tile in row] for row in state])
    return [0, 3, 1, 2][choose(first[0])]


# movable

plant(
    "movable",
    movable_by_neighbours,
    Fault(
        "the die moves always",
        "    if die in cubes:\n",
        "    if True:\n",
        says="even when it is captured",
    ),
    Fault(
        "neighbours too",
        "return [die]",
        "return sorted([die] + [c for c in cubes if abs(c - die) == 1])",
        says="not its neighbours",
    ),
    Fault(
        "nothing without the cube",
        "lower[-1:] + higher[:1]",
        "[]",
        says="unless the cube on the die",
    ),
    Fault(
        "the lower one",
        "lower[-1:] + higher[:1]",
        "lower[-1:] or higher[:1]",
        says="only the lower",
    ),
    Fault(
        "the higher one",
        "lower[-1:] + higher[:1]",
        "higher[:1] or lower[-1:]",
        says="only the higher",
    ),
    Fault("all", "lower[-1:] + higher[:1]", "lower + higher", says="all lower and higher"),
    Fault(
        "the farthest", "lower[-1:] + higher[:1]", "lower[:1] + higher[-1:]", says="the farthest"
    ),
    Fault(
        "the higher first",
        "lower[-1:] + higher[:1]",
        "higher[:1] + lower[-1:]",
        says="The lower cube",
    ),
    Fault("a number", "return [die]", "return die", says="A list is asked for"),
    Fault(
        "the nearer",
        "lower[-1:] + higher[:1]",
        "[min(cubes, key=lambda cube: abs(cube - die))]",
        says="only the nearer",
    ),
    Fault("a text", "lower[-1:] + higher[:1]", "str(lower[-1:] + higher[:1])", says="a text (str)"),
)
plant(
    "movable",
    movable_by_walking,
    Fault(
        "one step",
        "0 <= cube <= 5",
        "cube in (die - 1, die + 1) and cube in cubes",
        says="only die - 1 and die + 1",
    ),
    Fault("without 0 and 5", "0 <= cube <= 5", "1 <= cube <= 4", says="the nearest of each"),
    Fault("downwards", "(-1, 1)", "(1, -1)", says="The lower cube comes first"),
)

# ucb1

plant(
    "ucb1",
    ucb1_by_math,
    Fault("log10", "math.log(total)", "math.log10(total)", says="log10"),
    Fault("log2", "math.log(total)", "math.log2(total)", says="log2"),
    Fault("no root", "math.sqrt(math.log(total) / n)", "math.log(total) / n", says="square root"),
    Fault(
        "a root of the logarithm",
        "math.sqrt(math.log(total) / n)",
        "math.sqrt(math.log(total)) / n",
        says="the logarithm alone",
    ),
    Fault("no logarithm", "math.log(total)", "total", says="the logarithm were left out"),
    Fault(
        "c under the root", "c * math.sqrt(math.log", "math.sqrt(c * math.log", says="c stood under"
    ),
    Fault("a 2 under the root", "math.sqrt(math.log", "math.sqrt(2 * math.log", says="a 2 under"),
    Fault(
        "always the root of 2",
        "c * math.sqrt(math.log",
        "math.sqrt(2 * math.log",
        says="c were always sqrt(2)",
    ),
    Fault(
        "n and total",
        "math.log(total) / n",
        "math.log(n) / total",
        says="n and total were exchanged",
    ),
    Fault("no c", "c * math", "math", says="c were left out"),
    Fault("no mean", "mean + c", "c", says="the mean were left out"),
    Fault("taken off", "mean + c", "mean - c", says="the term were taken off"),
    Fault("the mean divided", "mean + c", "mean / n + c", says="still to be divided"),
    Fault("0 for the unknown", "return math.inf", "return 0", says="must come first"),
    Fault("the mean for the unknown", "return math.inf", "return mean", says="must come first"),
    Fault("a large number", "return math.inf", "return 1e6", says="must come first"),
    Fault("None for the unknown", "return math.inf", "return None", says="must come first"),
    Fault(
        "divided by 0", "    if n == 0:\n        return math.inf\n", "", says="by which nothing can"
    ),
)
plant(
    "ucb1",
    ucb1_by_numpy,
    Fault("n + 1", "/ n) if n > 0 else np.inf", "/ (n + 1))", says="1 were added to n"),
    Fault(
        "rounded",
        "mean + c * np.sqrt(np.log(total) / n)",
        "round(mean + c * np.sqrt(np.log(total) / n), 2)",
        says="ln total",
    ),
)

# tuned

plant(
    "tuned",
    tuned_in_steps,
    Fault(
        "no cap",
        "min(variance + c1 * math.sqrt(L), c2)",
        "variance + c1 * math.sqrt(L)",
        says="the cap c2 were left out",
    ),
    Fault("the cap alone", "min(variance + c1 * math.sqrt(L), c2)", "c2", says="the cap c2 always"),
    Fault("max", "min(variance", "max(variance", says="min, not max"),
    Fault(
        "the variance alone",
        "variance + c1 * math.sqrt(L)",
        "variance",
        says="the variance stood alone",
    ),
    Fault("no variance", "variance + c1", "c1", says="the variance were left out"),
    Fault("a deviation", "variance + c1", "math.sqrt(variance) + c1", says="root of the variance"),
    Fault("c1 L", "c1 * math.sqrt(L)", "c1 * L", says="root in the cap"),
    Fault("the root of L", "math.sqrt(L * cap)", "math.sqrt(L) * cap", says="over L alone"),
    Fault(
        "c under the root", "c * math.sqrt(L * cap)", "math.sqrt(c * L * cap)", says="c stood under"
    ),
    Fault("ucb1", "math.sqrt(L * cap)", "math.sqrt(L)", says="this were ucb1"),
    Fault("log10", "math.log(total)", "math.log10(total)", says="log10"),
    Fault("no mean", "mean + c", "c", says="the mean were left out"),
    Fault("taken off", "mean + c", "mean - c", says="the term were taken off"),
    Fault("no root", "math.sqrt(L * cap)", "L * cap", says="the root were left out"),
    Fault("n and total", "math.log(total) / n", "math.log(n) / total", says="the smaller counts"),
)
plant(
    "tuned",
    tuned_with_if,
    Fault("the cap the wrong way", "bound > c2", "bound < c2", says="min, not max"),
    Fault("nothing", "return mean", "mean", says="Is there a return"),
)

# mcts_backup

plant(
    "mcts_backup",
    mcts_backup_on_copies,
    Fault("the same for all", "        total = visit - total\n", "", says="The sides take turns"),
    Fault(
        "turned at the leaf",
        "        totals[level] += total\n        total = visit - total\n",
        "        total = visit - total\n        totals[level] += total\n",
        says="the leaf itself got",
    ),
    Fault("the sign", "visit - total", "-total", says="the sign of total"),
    Fault("1 - total", "visit - total", "1 - total", says="1 - total were handed up"),
    Fault(
        "the root first", "range(len(ns) - 1, -1, -1)", "range(len(ns))", says="the root came first"
    ),
    Fault(
        "without the root",
        "range(len(ns) - 1, -1, -1)",
        "range(len(ns) - 1, 0, -1)",
        says="the root were left out",
    ),
    Fault("the leaf alone", "range(len(ns) - 1, -1, -1)", "[len(ns) - 1]", says="only the leaf"),
    Fault("1 more", "ns[level] += visit", "ns[level] += 1", says="n grew by 1"),
    Fault("ns stay", "        ns[level] += visit\n", "", says="the ns did not change"),
    Fault("totals stay", "        totals[level] += total\n", "", says="the totals did not change"),
    Fault(
        "totals are set",
        "totals[level] += total",
        "totals[level] = total",
        says="the totals were set",
    ),
    Fault(
        "totals first", "return ns, totals", "return totals, ns", says="The order is (ns, totals)"
    ),
    Fault("pairs", "return ns, totals", "return list(zip(ns, totals))", says="pairs of a node"),
    Fault(
        "means",
        "return ns, totals",
        "return ns, [t / n for n, t in zip(ns, totals)]",
        says="means were returned",
    ),
    Fault("the totals alone", "return ns, totals", "return totals", says="Two lists"),
)
plant(
    "mcts_backup",
    mcts_backup_in_place,
    Fault("in place only", "    return ns, totals", "    ns, totals", says="Is there a return"),
)

plant(
    "win_rate",
    win_rate_by_mean,
    Fault(
        "two digits",
        "np.mean(max_tiles >= tile)",
        "round(float(np.mean(max_tiles >= tile)), 2)",
        says="the share were rounded",
    ),
    Fault(
        "the tile as an exponent", ">= tile", ">= np.log2(tile)", says="log2(tile) were compared"
    ),
)
plant(
    "ucb1",
    ucb1_by_math,
    Fault(
        "a root of n alone",
        "math.sqrt(math.log(total) / n)",
        "math.log(total) / math.sqrt(n)",
        says="the root covered n alone",
    ),
)
