// Pointer, wheel and keyboard.
const thingAt = (target) => {
  const e = target.closest?.('[data-k]');
  return e && { e, thing: state.things[e.dataset.k] };
};

// lineOf is the line that a thing stands for.
const lineOf = (t) => (t.tile ? t.tile.line : t.box ? t.box.firstLine : t.reserved ? 0 : t.space ? t.space.peakLine || 0 : 0);

function goTo(line, name) {
  if (!line) return;
  post({ type: 'goto', line, name, uri: state.page.uri });
  if (!editor) history.replaceState(null, '', `#L${line}`);
  setCursor(line, false);
  ui.live.textContent = `line ${line}`;
}

ui.scroll.addEventListener('pointermove', (e) => {
  if (drag) return;
  const hit = thingAt(e.target);
  if (!hit) { if (!ui.scroll.contains(document.activeElement) || document.activeElement === ui.scroll) ui.tip.hidden = true; return; }
  if (hit.e.dataset.k === ui.tip.dataset.k && !ui.tip.hidden) return;
  ui.tip.dataset.k = hit.e.dataset.k;
  const x = e.clientX, y = e.clientY;
  showTip(ui.tip, hit.thing, { left: x - 6, right: x + 6, top: y + 6, bottom: y + 12 });
});
ui.scroll.addEventListener('pointerleave', () => { ui.tip.hidden = true; });
ui.scroll.addEventListener('focusin', (e) => {
  const hit = thingAt(e.target);
  if (!hit || !hit.e.matches(':focus-visible')) return;
  ui.tip.dataset.k = hit.e.dataset.k;
  showTip(ui.tip, hit.thing, hit.e.getBoundingClientRect());
});
ui.scroll.addEventListener('focusout', () => { ui.tip.hidden = true; });

let drag = null, moved = false;
ui.scroll.addEventListener('pointerdown', (e) => {
  if (e.button !== 0) return;
  drag = { x: e.clientX, y: e.clientY, left: ui.scroll.scrollLeft, top: ui.scroll.scrollTop };
  moved = false;
});
addEventListener('pointermove', (e) => {
  if (!drag) return;
  const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
  if (!moved && Math.hypot(dx, dy) < 5) return;
  moved = true;
  ui.tip.hidden = true;
  root.classList.add('panning');
  ui.scroll.scrollLeft = drag.left - dx;
  ui.scroll.scrollTop = drag.top - dy;
});
addEventListener('pointerup', () => { drag = null; root.classList.remove('panning'); });
addEventListener('pointercancel', () => { drag = null; root.classList.remove('panning'); });

ui.scroll.addEventListener('click', (e) => {
  if (moved) return;
  const margin = e.target.closest?.('.margin text');
  if (margin) return goTo(+margin.dataset.line);
  const hit = thingAt(e.target);
  if (hit) goTo(lineOf(hit.thing), hit.thing.tile?.name);
});

// zoom keeps what is at the point (x, y) of the window where it is: the byte and
// the line in the panel under the point, or in the one nearest to it.
function zoom(fx, fy, x, y) {
  const box = ui.scroll.getBoundingClientRect(), head = ui.heads.offsetHeight, left = ui.rows.firstElementChild?.offsetWidth || 0;
  x ??= box.left + (box.width + left) / 2; y ??= box.top + (box.height + head) / 2;
  const panels = () => [...ui.rows.querySelectorAll('.panel')].map((p) => p.getBoundingClientRect());
  const far = (r) => Math.max(r.left - x, x - r.right, 0);
  const old = panels(), nearest = old.reduce((best, r, i) => (far(r) < far(old[best]) ? i : best), 0);
  const at = old.length && { byte: (x - old[nearest].left) / state.scale, line: (y - old[nearest].top) / state.row };
  state.zoomX = Math.min(64, Math.max(0.25, state.zoomX * fx));
  state.zoomY = Math.min(32, Math.max(0.02, state.zoomY * fy));
  render();
  const now = panels()[nearest];
  if (!at || !now) return;
  ui.scroll.scrollLeft += now.left + at.byte * state.scale - x;
  ui.scroll.scrollTop += now.top + at.line * state.row - y;
}
ui.scroll.addEventListener('wheel', (e) => {
  if (!e.ctrlKey && !e.metaKey) return;
  e.preventDefault();
  const f = Math.exp(-e.deltaY / 300);
  zoom(e.shiftKey ? 1 : f, f, e.clientX, e.clientY);
}, { passive: false });

const STEP = 1.3;
const commands = {
  narrow: () => zoom(1 / STEP, 1), wide: () => zoom(STEP, 1), short: () => zoom(1, 1 / STEP), high: () => zoom(1, STEP),
  fit: fitAll,
  source: () => { state.source = !state.source; render(); },
  compare: () => post({ type: 'compare', on: state.page.plans.length < 2 }),
};
// fitAll brings every line and every byte into the window.
function fitAll() {
  state.zoomX = state.zoomY = 1;
  const fn = state.shown, high = ui.scroll.clientHeight - ui.heads.offsetHeight - 12;
  const need = fn ? high / (fn.lastLine - fn.firstLine + 1) : MIN_ROW;
  if (need < MIN_ROW) state.zoomY = need / MIN_ROW;
  render();
  ui.scroll.scrollTo(0, 0);
}
root.addEventListener('click', (e) => {
  const button = e.target.closest('button');
  if (!button) return;
  if (button.dataset.do) commands[button.dataset.do]();
  if (button.dataset.space) {
    const s = button.dataset.space;
    if (!state.hidden.delete(s)) state.hidden.add(s);
    render();
  }
});
ui.pick.addEventListener('change', () => { state.fn = ui.pick.value; render(); ui.scroll.scrollTo(0, 0); });

// next finds the tile nearest to `from` in a direction; what lies straight ahead counts most.
function next(from, dx, dy) {
  const a = from.getBoundingClientRect();
  let best = null, least = Infinity;
  for (const t of root.querySelectorAll('.tile')) {
    if (t === from) continue;
    const b = t.getBoundingClientRect();
    const ahead = dx ? (b.left - a.left) * dx : (b.top - a.top) * dy;
    if (ahead < 0.75) continue;
    const aside = dx ? Math.max(0, b.top - a.bottom, a.top - b.bottom) : Math.max(0, b.left - a.right, a.left - b.right);
    const cost = ahead + 4 * aside;
    if (cost < least) { least = cost; best = t; }
  }
  return best;
}

function focusTile(t) {
  for (const o of root.querySelectorAll('.tile[tabindex="0"]')) o.setAttribute('tabindex', '-1');
  t.setAttribute('tabindex', '0');
  t.focus({ preventScroll: true });
  const r = t.getBoundingClientRect(), s = ui.scroll.getBoundingClientRect(), head = ui.heads.offsetHeight + 6, left = (ui.rows.firstElementChild?.offsetWidth || 0) + 6;
  const fit = (from, size, low, high) => (from < low ? from - low : from + Math.min(size, high - low) > high ? from + Math.min(size, high - low) - high : 0);
  ui.scroll.scrollBy(fit(r.left, r.width, s.left + left, s.right - 12), fit(r.top, r.height, s.top + head, s.bottom - 12));
  showTip(ui.tip, state.things[t.dataset.k], t.getBoundingClientRect());
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
ui.scroll.addEventListener('keydown', (e) => {
  const tile = e.target.closest('.tile');
  if (ARROWS[e.key] && !e.ctrlKey && !e.altKey && !e.metaKey) {
    const to = tile ? next(tile, ...ARROWS[e.key]) : root.querySelector('.tile');
    if (to) { focusTile(to); e.preventDefault(); }
  } else if (tile && (e.key === 'Enter' || e.key === ' ')) {
    const t = state.things[tile.dataset.k];
    goTo(lineOf(t), t.tile.name);
    e.preventDefault();
  } else if (e.key === 'Escape') ui.tip.hidden = true;
});
addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.('select')) return;
  const f = { '+': STEP, '=': STEP, '-': 1 / STEP }[e.key];
  if (f) zoom(f, f); else if (e.key === '0') fitAll(); else return;
  e.preventDefault();
});
