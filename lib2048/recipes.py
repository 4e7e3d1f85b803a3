"""Recipes: ways of learning that proved good, by name, and when to use what they are made of.

    net = find_recipe("hour").network()
    train(net, recipe="hour")

A recipe is a network, a number of games and the options of learning. Take the one whose time you
have:

    "lesson"     TD(0), as the course teaches it. Learn from it what the other ones add.
    "minutes"    The best of four patterns while you have a coffee.
    "hour"       The best of eight patterns in about an hour of one fast core, played greedily.
    "search"     The same hour for a network that looks ahead: play with `downgrade=16384`.

What the options are for:

coherence
    Always, when strength is what you want. Each weight finds a step of its own, so no step need be
    chosen, and what has settled stays. It takes three times the memory.
lambda_
    0.5 beside coherence. A target then looks a few moves ahead, past the network's own mistakes of
    the moment.
restart
    1,000 for strong networks. Late boards are rare: every game has a first thousand moves, few have
    a ten-thousandth. Playing on from the middle of each game makes up for that. A game then takes a
    multiple of its time, so compare by time and not by games.
    With 10, games are played on to the last moves before they end. Such a network plays worse, but
    it knows the boards just before a 32768: four patterns taught so, from eight thousand million
    moves and with nothing shown smaller, made a 32768 with three plies in 27 % of 300 games
    (one training, the experiment "to-the-end"). The short restarts have to be there from the first
    game: added to a training of 1.3 thousand million moves with restarts of 1,000, for as many
    moves again, they brought nothing.
starts
    To teach a network one part of the game. Its games begin with boards that are given, those on
    which another network has just made a 16384, say, and the two play in turns (`lib2048.relay`).
    That is the best way known here to play with search: two networks of eight patterns, taught in
    54 minutes together, the second from a 16384 on with restarts of 10, made a 32768 with three
    plies in 40 % of 1,020 games, and with four, in less than a millisecond for a move on average,
    in 53 % of 240. With a margin of 30,000 four plies took about a quarter of that time, and it
    made one in 49 % of 240; with five plies and this margin it did in 47 % of 144. Nothing was
    shown smaller (one training of each, the experiments "relay-1" and "relay-2"). Another second
    network, of a seed that began as well, made one in 40 % of 510 games with three plies, and in
    49 % of 240 with four and the margin ("relay-again").
    A network that begins on such boards may fall into a bad habit and keep it: see notebook 09.
    What was tried once on the way, and left:

    - A third network for what comes after the 32768, taught for four minutes. From there on, with
      three plies, it made 161,676 points on average in 60 games; the second network, which learns
      to the end of its games, makes 208,932 in 100.
    - To show the second network a 16384 in place of a 32768. Of 10,000 games played greedily 1,271
      came to a 32768, and they made 3,934 ± 6,116 points more with the showing than without.
    - To begin the second network with the weights of the first, each read for tiles twice as large.
      Without learning on, it made a 32768 with three plies in 22.8 % of 400 games begun at a 16384;
      a network that had begun with nothing and learned for 20 minutes did in 45.8 %. When it
      learned on, with its sums of errors cut to a tenth, it lost half of its greedy score in 162
      million moves.
    - Twelve patterns for the second network. After 1,236 million moves it made a 32768 greedily in
      12.7 % of 1,000 games begun at a 16384, and the eight after as many in 12.3 % of their games
      of training; but twelve learn from fewer moves a second.
    - Four patterns for the second network. They made a 32768 with three plies in 15 % of the games
      that had a 16384, after 1,000 million moves; eight patterns in 48 %, after 1,600 million.
    - To look one ply less far after a 4, which is rare. Four plies then took 0.29 ms for a move in
      place of 0.83 and made a 32768 in 45.8 % of 240 games in place of 53.3 %.
    - To look ahead with a margin that counts from what the best action is worth at once. With four
      plies and 20,000 points it made a 32768 in 41 % of 90 games, in which a search of four plies
      without a margin made one in 54 %.
    - To look further where boards are full. From 160 boards with a 16384 and an 8192 it came to a
      32768 in 58.1 % with three plies, and in 55.0 % with four where at most three cells were
      empty.
    - To hand over at an 8192 as well. The network that began there made a 16384 in 56 % of its
      games after 700 million moves, the one that learned whole games in 59 % of those that had come
      so far.
    - To begin with a 16384 and an 8192: it came no sooner to a 32768. Or with a 16384, 8192, 4096
      and 2048: after 325 million moves it made a 32768 with three plies in 56 % of 298 games, the
      network that began at the 16384 in 54 %.
    - Restarts of 100 for the second network: there was no 32768 in its games of training where 10
      had made the first ones.
    - To let it learn first from 2,000 games that the first network plays. It kept the 16384 in the
      corner then and scored more early on, but made no 32768 in its next 400 million moves.
    - Five patterns of four cells beside the eight: they learn sooner what many boards share. After
      155 million moves its games of training brought 94,092 points in place of 86,480, after 472
      million no more than the eight alone. And it made a 32768 in 0.2 % of 600 games then, where
      the eight had made one in 2.1 % of their games of training.
    - To begin with 100,000 as the value of every board. After 316 million moves its games of
      training brought 68,606 points, those that began with nothing 98,869.
    - To look at the board from one side only, with a table for each of the 64 images of the eight
      patterns, as the 16384 stays where it is. After 335 million moves: 48,110 points in place of
      98,737.
    - To teach it on from games that it plays with two plies. With a tenth of the step, 75 million
      moves took the share of greedy games with a 32768 from 19.3 to 10.3 %. With a hundredth, 45
      million changed nothing that 200 games with three plies could tell.
    - The mean of its weights and those of another training, which had come to arrange the tiles in
      another way: with 35 % of the other one's weights it made a 32768 greedily in 12.7 % of 2,000
      games, alone in 19.3 %. The equal mean with a training that arranges them alike was below
      both: with four plies and a margin of 30,000 it made a 32768 in 46.7 % of 300 games begun at a
      16384, this network alone in 51.3 % and the other one in 55.0 %.
    - To practise in play, where games are lost. From each of twelve boards whose tiles lacked no
      more than 512 of 32,768 the second network learned from 70,000 more games, in 3 seconds, with
      steps from 0.05 down to 0.002. Of 60,000 greedy games from there 58.6 % made the 32768 then,
      of 12,000 before 57.6 %. With a lambda of 0.8 it made one in 39 % after that, and with a step
      of 0.3 none any more.
until, prize
    To end the games of training at a tile, where another network plays on; the prize is what that
    end is worth. It helps while time is short: with restarts of 100, a network of eight patterns
    made a 16384 after 400 million moves in 42 % of 2,000 games greedily and in 87 % of 300 with
    three plies, without an end in 34 and in 79 % (one training each). The gain did not last: a
    relay of three networks, the first two taught so, in 36 minutes for all, made a 16384 with three
    plies in 89.0 % of 480 games and a 32768 in 40.8 %, and scored 423,635 points. Another one,
    taught without an end in 41 minutes, made a 16384 in 89.7 % and a 32768 in 39.9 % of 1,020
    games, and scored 439,601 points.
stages
    A tenth of the step for the last tenth of the games lets the weights come to rest. It brought
    the network of "minutes" 7 % (seed 1, 226,242 points without it and 242,002 with it).
downgrade
    When the games get as far as tiles that are rare in training, 16384 for these recipes. The
    network is shown smaller boards from there on, in play, or in learning too. It plays on well
    without ever having learned what comes then. But a chain of tiles that is nearly complete is
    shown as one that is nearer to its end than it is, and most games that come that far end there,
    just before a 32768, with search even more than without.
    Fewer patterns may look ahead better: with three plies, the networks of "minutes" made a 32768
    in 17 % of 500 games (five trainings, from 8 to 24 %), the same four patterns after the moves of
    an hour in 15 % of 400, and the eight of "hour" in 9 % of 1,000 (one training each).
    What helped the eight was to learn plainly, and to be shown smaller boards in play alone: so the
    network of "search" made a 32768 in 18 % of 1,020, from fewer moves, although it plays worse
    than that of "hour" where it does not look ahead.
    Showing every afterstate for itself, and none smaller whose missing tile is below an eighth of
    that tile, was tried once against it, with a training of the 4x6 network from 250 million moves:
    it was no stronger, and made no 32768 at all. So there is no such option.
promote
    The other way to meet large tiles: patterns with tiles never seen begin with the weights of
    those with smaller ones, and learn on as what they are. It brought little in short trainings, so
    no recipe uses it.

"minutes" and "hour" are the experiments of these names in experiments/catalogue_long.py, and
"search" is the experiment "plainly"; what came of them is in records/.
"""

import difflib
from dataclasses import dataclass, fields, replace
from typing import Any

from lib2048.network import NTupleNetwork
from lib2048.options import Episodes, Stage, TrainOptions
from lib2048.validate import on_one_line

WAYS_OF_WORKING = ("p4", "threads", "seed", "block", "every", "engine")
"""Options that a recipe leaves to whoever follows it."""


@dataclass(frozen=True)
class Recipe:
    """A way of learning.

    Attributes
    ----------
    patterns : str
        The name of the network it is meant for, of `lib2048.PATTERNS`.
    stages : tuple of Stage
        How many games are learned from, with which step.
    options : TrainOptions
        Everything else about learning.
    """

    patterns: str
    stages: tuple[Stage, ...]
    options: TrainOptions

    @property
    def games(self) -> int:
        """How many games it takes."""
        return sum(stage.games for stage in self.stages)

    @property
    def further_options(self) -> dict[str, Any]:
        """The options that are not what they are by default, as `train` takes them."""
        return {
            option.name: getattr(self.options, option.name)
            for option in fields(TrainOptions)
            if getattr(self.options, option.name) != option.default
        }

    def network(self) -> NTupleNetwork:
        """An untrained network of the kind that the recipe is meant for.

        Examples
        --------
        >>> find_recipe("lesson").network().lookups
        32
        """
        return NTupleNetwork(self.patterns)


def last_tenth_slowly(games: int) -> tuple[Stage, ...]:
    """Temporal coherence throughout; for the last tenth of the games a tenth of the step.

    Examples
    --------
    >>> last_tenth_slowly(100)
    (Stage(games=90, alpha=1.0, coherence=True), Stage(games=10, alpha=0.1, coherence=True))
    """
    last_tenth = games // 10
    return Stage(games - last_tenth, 1.0, True), Stage(last_tenth, 0.1, True)


RECIPES = {
    "lesson": Recipe("4x6", (Stage(100_000, 0.1),), TrainOptions()),
    "minutes": Recipe(
        "4x6",
        last_tenth_slowly(100_000),
        TrainOptions(lambda_=0.5, restart=1_000, downgrade=16_384),
    ),
    "hour": Recipe(
        "8x6",
        last_tenth_slowly(150_000),
        TrainOptions(lambda_=0.5, restart=1_000, downgrade=16_384),
    ),
    "search": Recipe(
        "8x6",
        last_tenth_slowly(240_000),
        TrainOptions(lambda_=0.5, restart=1_000),
    ),
}


def find_recipe(name: str) -> Recipe:
    """The recipe of this name.

    Parameters
    ----------
    name : str
        A name of `RECIPES`.

    Returns
    -------
    Recipe

    Raises
    ------
    ValueError
        If there is none; the message suggests one.

    Examples
    --------
    >>> find_recipe("hour").games
    150000
    """
    if isinstance(name, str) and name in RECIPES:
        return RECIPES[name]
    near = difflib.get_close_matches(str(name), RECIPES, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(RECIPES)}"
    raise ValueError(f"no recipe is called {name!r}; {hint}")


def follow(
    name: str, episodes: Episodes | None, options: TrainOptions
) -> tuple[Episodes, TrainOptions]:
    """The stages and options of a recipe, and of the options given those that it leaves open.

    Raises
    ------
    ValueError
        If there is no such recipe, or something is given that it says itself.
    """
    recipe = find_recipe(name)
    for part_of_a_game in ("starts", "until"):
        if getattr(options, part_of_a_game) is not None:
            raise ValueError(
                f"recipe={name!r} learns from whole games, got {part_of_a_game} as well: give the "
                "recipe's stages and options in its place, as find_recipe has them"
            )
    if episodes is not None:
        raise ValueError(f"recipe={name!r} says itself how many games, got episodes={episodes!r}")
    for option in fields(TrainOptions):
        given = getattr(options, option.name)
        if option.name not in WAYS_OF_WORKING and given != option.default:
            raise ValueError(
                f"recipe={name!r} says {option.name} itself, got {option.name}={on_one_line(given)}"
            )
    left_open = {option: getattr(options, option) for option in WAYS_OF_WORKING}
    return recipe.stages, replace(recipe.options, **left_open)
