// What the two sides and their moves are called.

export const SIDES = ["Red", "Blue"];

// by side, then by the number of the way: Red goes right and down, Blue left and up
export const ARROWS = [
  ["→", "↓", "↘", "↗"],
  ["←", "↑", "↖", "↙"],
];
export const WAYS = [
  ["right", "down", "down-right", "up-right"],
  ["left", "up", "up-left", "down-left"],
];

export function isOver(ply) {
  return ply.winner !== undefined;
}

/** Whose turn it is, or who has won. */
export function standing(ply) {
  if (isOver(ply)) return `${SIDES[ply.winner]} has won by ${ply.by}`;
  if (ply.isPending) return `${SIDES[ply.mover]} thinks`;
  return `${SIDES[ply.mover]}, die ${ply.die}`;
}

/** The move that was played in a position, null where none was (yet). */
export function playedMove(ply) {
  return ply.move === undefined ? null : named(ply.moves[ply.move]);
}

/** A move as it comes from Python, with names for its parts. */
export function named([cube, way, from, to]) {
  return { cube, way, from, to };
}

/** The share of a position's playouts that went to each move, or null where nobody searched. */
export function shares(ply) {
  if (!ply.visits) return null;
  const total = ply.visits.reduce((sum, visits) => sum + visits, 0);
  return total ? ply.visits.map((visits) => visits / total) : null;
}
