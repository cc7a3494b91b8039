// What is said about the thing under the pointer or the keyboard focus.
const MEMBERS = 8, REASONS = 6;

const range = (from, size) => `${hex(from)} – ${hex(from + size)}`;
const list = (items, max) => items.slice(0, max).map((i) => `<li>${i}</li>`).join('') + (items.length > max ? `<li class="dim">and ${items.length - max} more</li>` : '');

function boxFacts(box, current) {
  const members = box.tiles.map((t) => `<span class="${t === current ? 'now' : ''}">${esc(t.name)}</span> <span class="dim">${lines(t.live)} · ${kib(t.size)}</span>`);
  return `<dt>buffer</dt><dd><code>${esc(box.buffer)}</code> ${bytes(box.size)}, ${lines([box.firstLine, box.lastLine])}, statements ${box.firstStmt}–${box.lastStmt}</dd>
<dt>members</dt><dd><ul>${list(members, MEMBERS)}</ul></dd>`
    + (box.reasons && box.reasons.length ? `<dt>why</dt><dd><ul>${list(box.reasons.map(esc), REASONS)}</ul></dd>` : '');
}

function overflowFacts(space, end) {
  return space.limit && end > space.limit ? `<p class="bad">${bytes(end - space.limit)} beyond the limit of ${bytes(space.limit)}</p>` : '';
}

function describe(thing) {
  const { space, box, tile, reserved } = thing;
  if (reserved) {
    return `<h2>${esc(reserved.name)}</h2><dl><dt>${esc(space.name)}</dt><dd>${range(reserved.address, reserved.size)}</dd><dt>size</dt><dd>${bytes(reserved.size)} (${kib(reserved.size)})</dd></dl><p>Set aside for the whole function.</p>`;
  }
  if (tile) {
    const at = box.address + (tile.offset || 0);
    return `<h2>${esc(tile.name)}</h2>${tile.type ? `<p class="dim">${esc(tile.type)}</p>` : ''}${box.address < 0 ? '' : overflowFacts(space, at + tile.size)}<dl>
<dt>${esc(space.name)}</dt><dd>${box.address < 0 ? 'no address from this planner' : `${range(at, tile.size)} <span class="dim">(${num(at)} – ${num(at + tile.size)})</span>`}</dd>
<dt>size</dt><dd>${bytes(tile.size)} (${kib(tile.size)})</dd><dt>live</dt><dd>${lines(tile.live)}</dd>${boxFacts(box, tile)}</dl>`;
  }
  if (box) {
    return `<h2>${esc(box.buffer)}</h2>${box.address < 0 ? '' : overflowFacts(space, box.address + box.size)}<dl>
<dt>${esc(space.name)}</dt><dd>${box.address < 0 ? 'no address from this planner' : range(box.address, box.size)}</dd>${boxFacts(box)}</dl>`;
  }
  const free = space.limit - space.used;
  return `<h2>${esc(space.name)}</h2><dl><dt>used</dt><dd>${bytes(space.used)}</dd>`
    + (space.limit ? `<dt>limit</dt><dd>${bytes(space.limit)}</dd><dt>${free < 0 ? 'over by' : 'free'}</dt><dd>${bytes(Math.abs(free))}</dd>` : '')
    + (space.peakLine ? `<dt>peak</dt><dd>line ${space.peakLine}</dd>` : '')
    + (space.lowerBound ? `<dt>at least</dt><dd>${bytes(space.lowerBound)}: no placement can use less</dd>` : '')
    + `<dt>buffers</dt><dd>${space.boxes.length}, tiles ${space.boxes.reduce((n, b) => n + b.tiles.length, 0)}</dd></dl>`;
}

// showTip puts the box of facts near `rect` without covering it or leaving the window.
function showTip(tip, thing, rect) {
  tip.innerHTML = describe(thing);
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight, edge = 8;
  let x = rect.right + 10, y = rect.top;
  if (x + w > innerWidth - edge) x = rect.left - w - 10;
  if (x < edge) { x = Math.max(edge, Math.min(rect.left, innerWidth - w - edge)); y = rect.bottom + 10; }
  if (y + h > innerHeight - edge) y = Math.max(edge, innerHeight - h - edge);
  tip.style.left = `${Math.max(edge, x)}px`;
  tip.style.top = `${Math.max(edge, y)}px`;
}
