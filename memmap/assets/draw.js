// SVG text of panels, heads and the line margin. Only attributes and classes: the page's policy forbids inline styles.
const CHAR = 6.62, FONT = 11, HATCH = 10; // width and height of the 11 px monospace letters that labels are set in

const attrs = (o) => Object.entries(o).map(([k, v]) => ` ${k}="${typeof v === 'number' ? +v.toFixed(2) : esc(v)}"`).join('');
const el = (name, o, inner = '') => `<${name}${attrs(o)}>${inner}</${name}>`;

// caption writes a tile's name into its rectangle, along it or upright, or not at all: never where one of the
// tiles `above` it, drawn later, covers it.
function caption(r, above) {
  const small = r.h < FONT + 4, flat = r.h >= FONT - 2 ? label(r.tile.name, Math.floor((r.w - 8) / CHAR)) : '';
  const tall = r.w >= FONT + 3 ? label(r.tile.name, Math.floor((r.h - 8) / CHAR)) : '';
  const free = (x, y, w, h) => !above.some((o) => o.x < x + w && x < o.x + o.w && o.y < y + h && y < o.y + o.h);
  if (flat && flat.length >= Math.min(tall.length, 8) && free(r.x + 4, r.y + 1, flat.length * CHAR + 2, Math.min(13, r.h - 1))) {
    const size = kib(r.tile.size);
    let out = el('text', { x: r.x + 5, y: r.y + Math.min(13, r.h / 2 + (small ? 3.2 : 4)), ...(small && { class: 'small' }) }, esc(flat));
    if (r.h >= 30 && r.w >= size.length * CHAR + 10 && free(r.x + 4, r.y + 15, size.length * CHAR + 2, 13)) out += el('text', { x: r.x + 5, y: r.y + 26, class: 'dim' }, size);
    return out;
  }
  const x = r.x + r.w / 2 + 4, y = r.y + 5;
  if (!tall || !free(x - 11, y - 2, 14, tall.length * CHAR + 4)) return '';
  return el('text', { 'text-anchor': 'end', transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(-90)` }, esc(tall));
}

const reads = (r) => `${r.tile.name}, ${r.space.name}, ` + (r.box.address < 0 ? 'no address'
  : `${hex(r.box.address + (r.tile.offset || 0))} to ${hex(r.box.address + (r.tile.offset || 0) + r.tile.size)}`)
  + `, ${bytes(r.tile.size)}, ${lines(r.tile.live)}, buffer ${r.box.buffer}${r.box.overflow ? ', beyond the limit' : ''}`;

// hatch fills a rectangle with diagonals, drawn one by one: a pattern would be found by its address in the
// document, which does not hold in every host.
function hatch(x, w, h) {
  let d = '';
  for (let i = HATCH; i < w + h; i += HATCH) {
    const x0 = Math.max(0, i - h), x1 = Math.min(w, i);
    d += `M${(x + x0).toFixed(1)} ${Math.min(h, i - x0).toFixed(1)}L${(x + x1).toFixed(1)} ${Math.max(0, i - x1).toFixed(1)}`;
  }
  return el('path', { class: 'hatch', d });
}

// panelSVG draws one space. `register` gives each thing that can be pointed at a number.
function panelSVG(space, fn, scale, row, register) {
  const width = panelWidth(space, scale), height = (fn.lastLine - fn.firstLine + 1) * row;
  const end = extent(space) * scale, limit = space.limit * scale;
  const loose = space.boxes.some((b) => b.address < 0);
  let out = el('rect', { class: 'floor', x: 0, y: 0, width: space.limit ? limit : end, height });
  if (space.limit && end > limit + 0.5) out += el('rect', { class: 'beyond', x: limit, y: 0, width: end - limit, height });
  const step = rowStep(row);
  let grid = '';
  for (let n = Math.ceil(fn.firstLine / step) * step; n <= fn.lastLine; n += step) {
    const y = ((n - fn.firstLine + 0.5) * row).toFixed(1);
    grid += `M0 ${y}H${end.toFixed(1)}`;
  }
  out += el('path', { class: 'grid', d: grid });
  for (const r of space.reserved || []) {
    const k = register({ reserved: r, space });
    const w = Math.max(2, r.size * scale), tag = label(r.name, Math.floor((height - 16) / CHAR));
    out += el('g', { class: 'reserved', 'data-k': k }, el('rect', { x: r.address * scale, y: 0, width: w, height }) + hatch(r.address * scale, w, height)
      + (w >= 15 ? el('rect', { class: 'plate', x: r.address * scale + w / 2 - 8, y: 6, width: 16, height: tag.length * CHAR + 10, rx: 3 })
        + el('text', { transform: `translate(${(r.address * scale + w / 2 - 4).toFixed(1)} 11) rotate(90)` }, esc(tag)) : ''));
  }
  if (space.peakLine) {
    const y = ((space.peakLine - fn.firstLine + 0.5) * row).toFixed(1);
    out += el('path', { class: 'peak', d: `M0 ${y}H${end.toFixed(1)}` }) + el('path', { class: 'mark', d: `M${(end + 2).toFixed(1)} ${y}l7 -4v8z` });
  }
  // The limit goes over the buffers and under the tiles, whose names it must not cross; a tile's part beyond it is marked anyway.
  const placed = place(space, fn.firstLine, scale, row);
  for (const b of placed) out += el('rect', { class: 'box' + (b.box.overflow ? ' over' : ''), 'data-k': register(b), x: b.x + 0.5, y: b.y, width: Math.max(1, b.w - 1), height: b.h, rx: 3 });
  if (space.limit && !loose) out += el('line', { class: 'limit', x1: limit, x2: limit, y1: 0, y2: height });
  for (const b of placed) {
    const tiles = b.tiles.toSorted((p, q) => p.depth - q.depth); // what shares bytes lies on top of what it shares with
    tiles.forEach((t, i) => { out += tileSVG(t, tiles.slice(i + 1).filter((o) => o.depth > t.depth), limit, space.limit > 0 && !loose, register); });
  }
  return `<svg class="panel s-${esc(space.name)}" role="group" aria-label="${esc(space.name)}: ${esc(usage(space, true))}" width="${width.toFixed(1)}" height="${height.toFixed(1)}">${out}</svg>`;
}

function tileSVG(r, above, limit, bounded, register) {
  const k = register(r);
  const x = r.x + 1, y = r.y + 0.75, w = Math.max(1, r.w - 2), h = Math.max(2.5, r.h - 1.5);
  let out = el('rect', { x, y, width: w, height: h, rx: Math.min(2.5, w / 3) });
  const over = x + w - limit;
  if (bounded && over > 0.5) out += el('rect', { class: 'spill', x: Math.max(x, limit), y, width: Math.min(over, w), height: h });
  return el('g', { class: `tile c${r.shade}${r.box.overflow ? ' over' : ''}`, 'data-k': k, 'data-line': r.tile.line, role: 'button', tabindex: '-1', 'aria-label': reads(r) }, out + caption(r, above));
}

// headHTML is what stands above a panel: name, usage, a bar and the address axis.
function headHTML(space, scale, k) {
  const width = panelWidth(space, scale), over = space.limit > 0 && space.used > space.limit;
  const part = space.limit ? Math.min(1, space.used / space.limit) : 0;
  const loose = space.boxes.some((b) => b.address < 0);
  let axis = '';
  if (!loose) {
    for (const at of ticks(space, scale)) {
      const x = at * scale;
      axis += el('line', { x1: x + 0.5, x2: x + 0.5, y1: 17, y2: 22 }) + el('text', { x: at ? x : 0, y: 12, 'text-anchor': at ? 'middle' : 'start' }, at ? kib(at).replace(' KiB', 'K').replace(' MiB', 'M') : '0');
    }
    if (space.limit) {
      const x = space.limit * scale;
      axis += el('line', { class: 'limit', x1: x, x2: x, y1: 15, y2: 22 })
        + el('text', { class: 'limit', x: x + (x < 40 ? -x : 3), y: 12, 'text-anchor': x < 40 ? 'start' : 'end' }, x < 40 ? '' : kib(space.limit));
    }
  }
  const peak = space.peakLine ? `peak at line ${space.peakLine}` : '';
  return `<div class="head s-${esc(space.name)}${over ? ' over' : ''}" data-k="${k}" data-w="${width.toFixed(1)}">
<div class="row1"><b>${esc(space.name)}</b><span class="pct">${loose ? (width > WIDE ? 'sizes only' : 'sizes') : percent(space.used, space.limit)}</span></div>
<div class="row2"><span>${esc(loose ? kib(space.used) : usage(space, width >= WIDE))}</span>${width >= 250 ? `<span class="peak">${peak}</span>` : ''}</div>
<svg class="bar" width="${(width - PAD).toFixed(1)}" height="3" aria-hidden="true">${el('rect', { class: 'all', width: width - PAD, height: 3, rx: 1.5 })}${el('rect', { class: 'used', width: (width - PAD) * part, height: 3, rx: 1.5 })}</svg>
<svg class="axis" width="${width.toFixed(1)}" height="22" aria-hidden="true">${axis}</svg></div>`;
}

// marginSVG is the column of line numbers, with the source text when there is one to show.
function marginSVG(fn, row, width, withSource) {
  const step = withSource && fn.source ? Math.max(1, rowStep(row)) : rowStep(row), digits = String(fn.lastLine).length;
  const right = 10 + digits * CHAR;
  let out = '';
  for (let n = fn.firstLine; n <= fn.lastLine; n++) {
    if (n % step && !(step > 1 && n === fn.firstLine && step - (n % step) > step / 2)) continue;
    const y = (n - fn.firstLine + 0.5) * row + 4;
    if (y < 9) continue;
    const text = withSource && fn.source ? code(fn.source[n - fn.firstLine] || '').slice(0, 80) : '';
    out += el('text', { x: right, y, 'text-anchor': 'end', 'data-line': n }, n)
      + (text ? el('text', { class: 'code', x: right + 10, y, 'data-line': n }, esc(text)) : '');
  }
  return `<svg class="margin" width="${width}" height="${((fn.lastLine - fn.firstLine + 1) * row).toFixed(1)}" aria-hidden="true">${out}</svg>`;
}
