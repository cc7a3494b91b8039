// The page's state and how it becomes elements. Everything is drawn anew from the model; what the reader has
// chosen (function, spaces, zoom, focus, scroll) is kept across updates.
const root = document.getElementById('map');
const editor = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : null;
const saved = (editor && editor.getState()) || {};
const state = {
  page: { title: '', plans: [] },
  fn: saved.fn || '', hidden: new Set(saved.hidden || []),
  zoomX: saved.zoomX || 1, zoomY: saved.zoomY || 1,
  source: saved.source ?? !editor, follow: true, cursor: 0,
  things: [], scale: 1, row: 10, width: 0, height: 0,
};
const keep = () => editor && editor.setState({ fn: state.fn, hidden: [...state.hidden], zoomX: state.zoomX, zoomY: state.zoomY, source: state.source });
const post = (message) => editor && editor.postMessage(message);

root.innerHTML = `<header><h1></h1><label class="pick">Function <select aria-label="Function"></select></label>
<div class="chips" role="group" aria-label="Memory spaces"></div><span class="gap"></span>
<div class="tools" role="toolbar" aria-label="View"><button data-do="source" aria-pressed="false">Source</button><button data-do="compare" title="Draw PYPTO and DSA_RP side by side">Compare</button>
<span class="pair"><button data-do="narrow" aria-label="Fewer pixels a byte" title="Addresses: narrower">−</button><span aria-hidden="true">bytes</span><button data-do="wide" aria-label="More pixels a byte" title="Addresses: wider">+</button></span>
<span class="pair"><button data-do="short" aria-label="Fewer pixels a line" title="Lines: lower">−</button><span aria-hidden="true">lines</span><button data-do="high" aria-label="More pixels a line" title="Lines: higher">+</button></span>
<button data-do="fit" title="All in view (0)">Fit</button></div></header>
<div class="notes" hidden></div>
<main class="scroll" tabindex="0" aria-label="Memory map: arrow keys move from tile to tile, Enter goes to the line"><div class="sheet"><div class="heads"></div><div class="body"><div class="rows"></div><div class="cursor" hidden></div></div></div></main>
<footer aria-hidden="true"></footer><div class="tip" role="tooltip" hidden></div><div class="sr" aria-live="polite"></div>`;
const $ = (selector) => root.querySelector(selector);
const ui = { title: $('h1'), pick: $('select'), chips: $('.chips'), notes: $('.notes'), scroll: $('.scroll'), sheet: $('.sheet'), heads: $('.heads'), body: $('.body'), rows: $('.rows'), cursor: $('.cursor'), tip: $('.tip'), foot: $('footer'), live: $('.sr') };

const overflows = (fn) => fn.spaces.some((s) => s.limit && s.used > s.limit);
const fullest = (fn) => fn.spaces.reduce((best, s) => (s.limit && (!best || s.used / s.limit > best.used / best.limit) ? s : best), null);
// A file may hold several functions of one name: the def's line tells them apart.
const idOf = (fn) => `${fn.name}:${fn.firstLine}`;
const everyFunction = () => [...new Map(state.page.plans.flatMap((p) => p.functions).reverse().map((f) => [idOf(f), f])).values()].reverse();

// chosen returns the function that is shown, of each plan that has it.
function chosen() {
  const all = everyFunction();
  if (!all.some((f) => idOf(f) === state.fn)) {
    const was = all.find((f) => f.name === state.fn.replace(/:\d+$/, '')); // it moved: lines were added above
    const pick = was || all.find(overflows) || all.find((f) => f.spaces.some((s) => s.boxes.length)) || all[0];
    state.fn = pick ? idOf(pick) : '';
  }
  return state.page.plans.map((plan) => ({ plan, fn: plan.functions.find((f) => idOf(f) === state.fn) })).filter((c) => c.fn);
}

function render() {
  const began = performance.now();
  const focusKey = keyOf(state.things[document.activeElement?.dataset?.k]);
  const shown = chosen();
  drawBar(shown);
  const spaces = shown.flatMap((c) => c.fn.spaces.filter((s) => !state.hidden.has(s.name)));
  state.things = [];
  if (!shown.length || !spaces.length) {
    ui.heads.innerHTML = '';
    ui.rows.innerHTML = `<p class="empty">${shown.length ? (shown[0].fn.spaces.length ? 'Every space is switched off.' : 'This function keeps nothing in on-chip memory.') : 'No function here keeps tiles in on-chip memory.'}</p>`;
    ui.cursor.hidden = true;
    return;
  }
  const fn = window_(shown.map((c) => c.fn));
  const margin = marginWidth(fn);
  const wide = Math.max(240, state.width - margin - 26 - (shown.length - 1) * 22);
  state.scale = fitBytes(spaces, wide) * state.zoomX;
  const count = fn.lastLine - fn.firstLine + 1;
  const high = state.height - (shown.length > 1 ? 118 : 92);
  state.row = Math.min(Math.max(Math.min(high / count, 34), MIN_ROW) * state.zoomY, 80);
  const register = (thing) => state.things.push(thing) - 1;
  let heads = `<div class="corner" data-w="${margin}"><span>line</span></div>`, rows = `<div class="left">${marginSVG(fn, state.row, margin, sourceShown(fn))}</div>`;
  shown.forEach(({ plan, fn: own }, i) => {
    const ours = { ...own, firstLine: fn.firstLine, lastLine: fn.lastLine };
    const visible = own.spaces.filter((s) => !state.hidden.has(s.name));
    const title = shown.length > 1 ? `<div class="plan">${esc(plan.planner)} <span class="dim">${esc(plan.platform)}</span></div>` : '';
    heads += `<div class="group g${i}" role="group" aria-label="${esc(plan.planner)}">${title}<div class="line">${visible.map((s) => headHTML(s, state.scale, register({ space: s }))).join('')}</div></div>`;
    rows += `<div class="group g${i}">${visible.map((s) => panelSVG(s, ours, state.scale, state.row, register)).join('')}</div>`;
  });
  ui.heads.innerHTML = heads;
  ui.rows.innerHTML = rows;
  for (const e of ui.heads.querySelectorAll('[data-w]')) e.style.width = `${e.dataset.w}px`;
  state.shown = fn;
  drawCursor();
  refocus(focusKey);
  const ms = performance.now() - began;
  root.dataset.ms = ms.toFixed(1);
  if (state.told !== fn.name) post({ type: 'shown', name: state.told = fn.name });
  post({ type: 'rendered', version: state.page.version, ms, tiles: root.querySelectorAll('.tile').length, boxes: root.querySelectorAll('.box').length });
  keep();
}

// sourceShown: the text beside the map gives way when two plans need the width.
const roomForSource = () => state.page.plans.length < 2 || innerWidth >= 1700;
const sourceShown = (fn) => state.source && !!fn.source && roomForSource();

// window_ is the part of the function that is drawn: from just before the first buffer to just after the last,
// so that a dump's block of allocations takes no room.
function window_(fns) {
  const boxes = fns.flatMap((f) => f.spaces.flatMap((s) => s.boxes)), { firstLine, lastLine } = fns[0];
  const from = boxes.length ? Math.max(firstLine, Math.min(...boxes.map((b) => b.firstLine)) - 1) : firstLine;
  const to = boxes.length ? Math.min(lastLine, Math.max(...boxes.map((b) => b.lastLine)) + 1) : lastLine;
  const source = fns.map((f) => f.source).find((s) => s);
  return { ...fns[0], firstLine: from, lastLine: Math.max(from, to), source: source && source.slice(from - firstLine) };
}

const marginWidth = (fn) => (sourceShown(fn) ? Math.min(330, Math.max(180, innerWidth * 0.24)) : 20 + String(fn.lastLine).length * CHAR);
const keyOf = (t) => (t && t.tile ? `${t.space.name} ${t.box.buffer} ${t.tile.name} ${t.tile.line}` : '');

function refocus(key) {
  const tiles = [...root.querySelectorAll('.tile')];
  const again = key && tiles.find((t) => keyOf(state.things[t.dataset.k]) === key);
  const stop = again || tiles[0];
  if (stop) stop.setAttribute('tabindex', '0');
  if (again) again.focus({ preventScroll: true });
}

function drawBar(shown) {
  ui.title.textContent = state.page.title;
  const all = everyFunction();
  const options = all.map((fn) => {
    const top = fullest(fn);
    const text = [fn.name, fn.kind, top && `${top.name} ${percent(top.used, top.limit)}`].filter(Boolean).join(' · ');
    return `<option value="${esc(idOf(fn))}">${overflows(fn) ? '⚠ ' : ''}${esc(text)}</option>`;
  }).join('');
  if (ui.pick.dataset.drawn !== options) { ui.pick.innerHTML = options; ui.pick.dataset.drawn = options; }
  ui.pick.value = state.fn;
  ui.pick.parentElement.hidden = all.length < 2;
  const spaces = [...new Map(shown.flatMap((c) => c.fn.spaces).map((s) => [s.name, s])).values()];
  const chips = spaces.map((s) => `<button class="chip s-${esc(s.name)}" data-space="${esc(s.name)}" aria-pressed="${!state.hidden.has(s.name)}" title="Show or hide ${esc(s.name)}"><i></i>${esc(s.name)}</button>`).join('');
  if (ui.chips.dataset.drawn !== chips) {
    const focused = document.activeElement?.dataset?.space;
    ui.chips.innerHTML = ui.chips.dataset.drawn = chips;
    if (focused) ui.chips.querySelector(`[data-space="${CSS.escape(focused)}"]`)?.focus();
  }
  const source = $('[data-do=source]');
  source.hidden = !shown.some((c) => c.fn.source) || !roomForSource();
  source.setAttribute('aria-pressed', state.source);
  const compare = $('[data-do=compare]');
  compare.hidden = !editor;
  compare.setAttribute('aria-pressed', state.page.plans.length > 1);
  const one = shown[0]?.fn, notes = shown.flatMap(({ plan, fn }) => [...(fn.notes || []).map((t) => ['bad', shown.length > 1 ? `${plan.planner}: ${t}` : t]),
    ...(fn.approximate || []).map((t) => ['', `≈ ${t}`])]);
  ui.notes.hidden = !one || !notes.length;
  ui.notes.innerHTML = notes.slice(0, 3).map(([c, t]) => `<p class="${c}" title="${esc(t)}">${esc(t)}</p>`).join('');
  ui.foot.innerHTML = `<span><i class="k-tile"></i>tile</span><span><i class="k-box"></i>its buffer</span><span><i class="k-ring"></i>reserved</span><span><i class="k-limit"></i>limit</span><span><i class="k-peak"></i>peak</span><span><i class="k-over"></i>overflow</span>
<span class="gap"></span><span class="keys"><kbd>Tab</kbd> <kbd>←↑↓→</kbd> move <kbd>Enter</kbd> go to line <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · Ctrl+wheel zoom · drag to pan</span>
<span>${esc(state.page.plans.map((p) => `${p.planner} on ${p.platform}`).join('  |  '))}</span>`;
}

// drawCursor marks the line of the editor's cursor (or of the page's address) and the tiles born there.
function drawCursor() {
  const fn = state.shown, line = state.cursor;
  const inside = fn && line >= fn.firstLine && line <= fn.lastLine;
  ui.cursor.hidden = !inside;
  for (const t of root.querySelectorAll('.tile.at')) t.classList.remove('at');
  if (!inside) return;
  const h = Math.max(3, state.row);
  ui.cursor.style.top = `${(line - fn.firstLine + 0.5) * state.row - h / 2}px`;
  ui.cursor.style.height = `${h}px`;
  for (const t of root.querySelectorAll(`.tile[data-line="${line}"]`)) t.classList.add('at');
}

function setCursor(line, reveal) {
  state.cursor = line;
  if (state.follow) {
    const here = state.page.plans[0]?.functions.find((f) => f.firstLine <= line && line <= f.lastLine && f.spaces.length);
    if (here && idOf(here) !== state.fn) { state.fn = idOf(here); render(); }
  }
  drawCursor();
  if (!reveal || ui.cursor.hidden) return;
  const top = parseFloat(ui.cursor.style.top) + ui.heads.offsetHeight, s = ui.scroll;
  if (top < s.scrollTop + ui.heads.offsetHeight || top > s.scrollTop + s.clientHeight - 30) s.scrollTop = top - s.clientHeight / 2;
}
