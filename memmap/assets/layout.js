// Geometry: from a function's plan and two scales to rectangles. A line is one row high; a value is born in
// the middle of its line and dies in the middle of the line of its last use, so that a tile which takes over
// the bytes of an operand touches it and never covers it.
const GAP = 14, MIN_PANEL = 96, BIGGEST = 230, WIDE = 148, MIN_TILE = 4, PAD = 10, MIN_ROW = 8;

const extent = (space) => Math.max(space.limit, space.used, ...space.boxes.map((b) => (b.address < 0 ? 0 : b.address + b.size)), 1);

// fitBytes finds the pixels per byte at which the panels of `spaces` together are `width` wide.
function fitBytes(spaces, width) {
  const total = (s) => spaces.reduce((sum, sp) => sum + panelWidth(sp, s) + GAP, 0);
  let low = 0, high = width;
  for (let i = 0; i < 60; i++) {
    const mid = (low + high) / 2;
    if (total(mid) > width) high = mid; else low = mid;
  }
  return Math.max(low, BIGGEST / Math.max(...spaces.map(extent))); // narrower than this nothing can be read: scroll instead
}

const panelWidth = (space, scale) => Math.max(MIN_PANEL, extent(space) * scale + PAD);

// ticks are the round addresses to write under a panel's head, a power of two apart, far enough from each
// other and from the limit.
function ticks(space, scale) {
  const end = extent(space), out = [];
  let step = 32;
  while (step * scale < 50) step *= 2;
  for (let at = 0; at <= end; at += step) {
    if (at > 0 && space.limit && Math.abs(at - space.limit) * scale < 64) continue;
    if (at > 0 && at * scale > end * scale - 12 && at !== space.limit) continue;
    out.push(at);
  }
  return out;
}

// shelves gives boxes without addresses (the planner leaves them to a later tool) a place to be drawn at:
// side by side where they live together. Nothing about it is an address, and no axis is drawn.
function shelves(boxes) {
  const placed = [];
  for (const box of boxes) {
    let at = 0;
    for (const p of placed.filter((p) => p.box.firstLine < box.lastLine && box.firstLine < p.box.lastLine).sort((a, b) => a.at - b.at)) {
      if (at + box.size <= p.at) break;
      at = Math.max(at, p.at + p.box.size);
    }
    placed.push({ box, at });
  }
  return placed.map((p) => p.at);
}

// depths tells how many earlier tiles of the box each tile lives together with: views and in-place results
// are drawn inside what they share bytes with.
function depths(tiles) {
  const taken = [];
  return tiles.map((t) => {
    let d = 0;
    while (taken[d] && taken[d].some((o) => o.live[0] < t.live[1] && t.live[0] < o.live[1] && o.live[0] !== o.live[1])) d++;
    (taken[d] ||= []).push(t);
    return d;
  });
}

// place computes the rectangles of one panel. scale is pixels per byte, row pixels per line.
function place(space, first, scale, row) {
  const loose = space.boxes.some((b) => b.address < 0);
  const at = loose ? shelves(space.boxes) : null;
  const y = (line) => (line - first + 0.5) * row;
  return space.boxes.map((box, i) => {
    const x = (loose ? at[i] : box.address) * scale;
    const top = y(box.firstLine), height = Math.max(MIN_TILE, y(box.lastLine) - top, row * 0.5);
    const deep = depths(box.tiles);
    const tiles = box.tiles.map((tile, j) => {
      const inset = Math.min(deep[j] * 5, (tile.size * scale) / 4);
      const ty = y(tile.live[0]);
      return {
        tile, box, space, depth: deep[j], shade: j % 2,
        x: x + (tile.offset || 0) * scale + inset, y: ty,
        w: Math.max(1.5, tile.size * scale - 2 * inset), h: Math.max(MIN_TILE, y(tile.live[1]) - ty, row * 0.5),
      };
    });
    return { box, space, x, y: top, w: Math.max(1.5, box.size * scale), h: height, tiles };
  });
}

// rowSteps is how many lines lie between two line numbers in the margin.
function rowStep(row) {
  for (const n of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]) if (n * row >= 13) return n;
  return 2000;
}
