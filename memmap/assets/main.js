// The theme follows the editor's, else the system's.
const dark = matchMedia('(prefers-color-scheme: dark)');
function theme() {
  const c = document.body.classList, r = document.documentElement;
  const hosted = /\bvscode-(light|dark|high-contrast)/.test(document.body.className);
  r.toggleAttribute('data-contrast', c.contains('vscode-high-contrast') || c.contains('vscode-high-contrast-light'));
  r.dataset.host = hosted ? 'editor' : 'page';
  r.dataset.theme = (hosted ? c.contains('vscode-dark') || (c.contains('vscode-high-contrast') && !c.contains('vscode-high-contrast-light')) : dark.matches) ? 'dark' : 'light';
}
dark.addEventListener('change', theme);
new MutationObserver(theme).observe(document.body, { attributes: true, attributeFilter: ['class'] });
theme();

// Messages in: {type:'model', page}, {type:'patch', version, functions} (one function a plan, in place of the one
// that is shown), {type:'cursor', line}, {type:'function', name}.
// Messages out: ready, goto {line, name, uri}, compare {on}, shown {name}, rendered {ms, tiles, boxes, version}.
addEventListener('message', (e) => {
  const m = e.data;
  if (!m || typeof m !== 'object') return;
  if (m.type === 'model' && m.page && Array.isArray(m.page.plans)) { state.page = m.page; render(); }
  else if (m.type === 'patch' && Array.isArray(m.functions)) patch(m);
  else if (m.type === 'cursor' && m.line > 0) setCursor(m.line, m.reveal !== false);
  else if (m.type === 'function' && typeof m.name === 'string') { state.fn = m.name; render(); }
});

// patch takes new plans of the shown function alone: in a file of hundreds of functions the rest has not changed.
function patch({ version, functions }) {
  state.page.version = version;
  const shown = state.fn;
  functions.forEach((fn, i) => {
    const all = state.page.plans[i]?.functions || [];
    const at = all.findIndex((f) => idOf(f) === shown);
    if (fn && at >= 0 && all[at].name === fn.name) { all[at] = fn; state.fn = idOf(fn); }
  });
  render();
}

function fromHash() {
  const line = +(/^#L(\d+)$/.exec(location.hash) || [])[1];
  if (line) setCursor(line, true);
}
addEventListener('hashchange', fromHash);

// The room for the map is measured when it changes, not while drawing: that would lay the page out twice.
function measure() {
  const { clientWidth, clientHeight } = ui.scroll;
  if (Math.abs(clientWidth - state.width) < 2 && Math.abs(clientHeight - state.height) < 2) return false;
  state.width = clientWidth; state.height = clientHeight;
  return true;
}
new ResizeObserver(() => { if (measure()) render(); }).observe(ui.scroll);

try { state.page = JSON.parse(document.getElementById('model').textContent); } catch { /* an empty page waits for its first model */ }
measure();
render();
fromHash();
post({ type: 'ready' });
