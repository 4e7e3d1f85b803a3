"""Random words: the generator that both games draw their tiles, dice and playouts from.

It is splitmix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). The
state goes up by the same odd step for every word, and the word is the state, scrambled. So the n-th
word of a game needs no word before it, and game n of a run can start from a state that depends on
the seed and on n alone: it is the same game whichever thread plays it, and whether or not others
were played before.

    random = stream(seed, game)       where game number `game` begins
    random = random + GOLDEN          one step
    word = mix(random)                64 random bits
"""

from lib2048.kernels import kernel, uint64

GOLDEN = uint64(0x9E37_79B9_7F4A_7C15)
"""The step from one state to the next.

2**64 divided by the golden ratio, to the nearest odd number.
"""


@kernel(forceinline=True)
def mix(word):
    """Scramble a 64-bit word, the finaliser of splitmix64 (uint64)."""
    word = (word ^ (word >> 30)) * uint64(0xBF58_476D_1CE4_E5B9)
    word = (word ^ (word >> 27)) * uint64(0x94D0_49BB_1331_11EB)
    return word ^ (word >> 31)


@kernel()
def stream(seed, game):
    """The random state that game number `game` of a run with this seed starts from (uint64)."""
    return mix(mix(uint64(seed) + GOLDEN) + uint64(game) * GOLDEN)
