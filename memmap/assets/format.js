// Numbers and names in words.
const esc = (s) => String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const num = (n) => String(Math.round(n)).replace(/\B(?=(?:\d{3})+$)/g, ',');
const bytes = (n) => `${num(n)} B`;
const hex = (n) => '0x' + n.toString(16).toUpperCase();

// kib gives a short size: 16 KiB, 16.5 KiB, 96 B. One digit after the point is all that is ever shown.
function kib(n) {
  if (n < 1024) return `${n} B`;
  const [value, unit] = n < 1024 * 1024 ? [n / 1024, 'KiB'] : [n / 1024 / 1024, 'MiB'];
  return `${value % 1 ? value.toFixed(1) : value} ${unit}`;
}

const percent = (used, limit) => (limit > 0 ? `${Math.floor((used * 100) / limit)} %` : '');
const lines = ([a, b]) => (a === b ? `line ${a}` : `lines ${a}–${b}`);

// usage is the head of a panel: exact when there is room, in KiB when there is not.
function usage(space, wide) {
  if (!space.limit) return wide ? bytes(space.used) : kib(space.used);
  if (wide) return `${num(space.used)} / ${bytes(space.limit)}`;
  const k = (n) => (n / 1024).toFixed(n % 1024 ? 1 : 0);
  return `${k(space.used)} / ${k(space.limit)} KiB`;
}

// label shortens a tile's name to what fits in `chars` characters: first the SSA suffix goes, then the end.
function label(name, chars) {
  if (name.length <= chars) return name;
  const short = name.replace(/__ssa_v0(?=_|$)/, '').replace('__ssa_v', '·');
  if (short.length <= chars) return short;
  return chars >= 4 ? short.slice(0, chars - 1) + '…' : '';
}

// code is a source line without the type annotation, which would hide what the statement does.
function code(text) {
  const line = text.trim(), m = /^[\w, ]+: (?=pl\.)/.exec(line);
  if (!m) return line;
  let depth = 0;
  for (let i = m[0].length; i < line.length; i++) {
    if ('[('.includes(line[i])) depth++;
    else if ('])'.includes(line[i])) depth--;
    else if (line[i] === '=' && depth === 0) return m[0].slice(0, -2) + ' ' + line.slice(i);
  }
  return line;
}
