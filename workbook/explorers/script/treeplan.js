// Where the nodes of a tree are drawn: depth from left to right, leaves from top to bottom.

const GAP = 0.5; // rows between the actions of the root, whose names stand there,
const SHARE = 0.05; // and more where rows are small because there are many

/** For each of the first `visible` nodes its depth and its row; and how many rows there are. */
export function plan(nodes, visible) {
  const children = Array.from({ length: visible }, () => []);
  for (let number = 1; number < visible; number += 1) children[nodes[number].parent].push(number);
  const places = Array.from({ length: visible });
  const leaves = children.filter((below) => !below.length).length;
  const gap = GAP + SHARE * leaves;
  let rows = 0;
  function visit(number, depth) {
    const below = children[number].map((child, place) => {
      if (depth === 0 && place) rows += gap;
      return visit(child, depth + 1);
    });
    let row = rows;
    if (below.length) row = (below[0] + below.at(-1)) / 2;
    else rows += 1;
    places[number] = { depth, row };
    return row;
  }
  visit(0, 0);
  return { places, rows };
}
