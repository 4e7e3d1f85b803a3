"""The networks of viewers, of which only the newest viewers keep theirs.

A notebook never forgets a viewer: ipywidgets keeps every widget until it is closed, and `Out` every
result. A network may take hundreds of megabytes, so a cell that makes one and shows it would fill
the memory if it were run a few times. Therefore a viewer only borrows its networks, and what keeps
them is this module, for the newest viewers. A network that a variable holds serves all its viewers.
"""

import weakref

from lib2048.network import NTupleNetwork

KEEPERS = 2  # viewers whose networks are kept

_kept: dict["Networks", list[NTupleNetwork]] = {}  # the viewer that was used last stands last


class Networks:
    """The networks of one viewer.

    Parameters
    ----------
    nets : list of NTupleNetwork or None
        For each game its network, None for a game that comes without one.
    """

    def __init__(self, nets: list[NTupleNetwork | None]):
        self._references = [None if net is None else weakref.ref(net) for net in nets]
        _kept[self] = [net for net in nets if net is not None]
        while len(_kept) > KEEPERS:
            del _kept[next(iter(_kept))]

    def __len__(self) -> int:
        return len(self._references)

    def present(self) -> list[NTupleNetwork | None]:
        """For each game its network, None where there is none or none any more."""
        return [None if reference is None else reference() for reference in self._references]

    def of(self, game: int) -> NTupleNetwork:
        """The network of a game.

        Parameters
        ----------
        game : int
            The number of the game.

        Returns
        -------
        NTupleNetwork
            Its network.

        Raises
        ------
        ValueError
            If the game never had a network, or it was let go.
        """
        reference = self._references[game]
        if reference is None:
            raise ValueError(
                "this game comes without a network, or the viewer is closed; "
                "see watch(trace, net=net)"
            )
        net = reference()
        if net is None:
            raise ValueError(
                f"this viewer's network was let go, because only the {KEEPERS} newest viewers "
                "keep theirs; run the cell again"
            )
        if self in _kept:
            _kept[self] = _kept.pop(self)
        return net

    def release(self) -> None:
        """Let all networks go."""
        _kept.pop(self, None)
        self._references = [None] * len(self)
