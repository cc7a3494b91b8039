// Functions that run in the page and judge how it looks.

/** Pairs of texts that overlap on the screen, and labels that leave their tile. */
export function overlaps() {
  const out = [], seen = (r) => r.width > 0 && r.height > 0 && r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth;
  const shrink = (r) => ({ left: r.left + 1, right: r.right - 1, top: r.top + 2.5, bottom: r.bottom - 2.5, width: r.width, height: r.height });
  const head = document.querySelector('.heads').getBoundingClientRect(), scroll = document.querySelector('.scroll').getBoundingClientRect();
  const groups = [
    [...document.querySelectorAll('.panel text')].filter((t) => { const r = t.getBoundingClientRect(); return r.top >= head.bottom && r.bottom <= scroll.bottom; }),
    [...document.querySelectorAll('.margin text:not(.code)')], [...document.querySelectorAll('.heads b, .heads span, .axis text, .plan')],
    [...document.querySelectorAll('header h1, header label:not([hidden]), header button')], [...document.querySelectorAll('footer > span:not(.gap)')],
  ];
  for (const group of groups) {
    const boxes = group.map((e) => [e, shrink(e.getBoundingClientRect())]).filter(([e, r]) => seen(r) && e.textContent.trim()).sort((a, b) => a[1].left - b[1].left);
    boxes.forEach(([a, r], i) => {
      for (let j = i + 1; j < boxes.length && boxes[j][1].left < r.right; j++) {
        const [b, q] = boxes[j];
        if (a.contains(b) || b.contains(a)) continue;
        if (q.top < r.bottom && r.top < q.bottom) out.push(`“${a.textContent}” and “${b.textContent}”`);
      }
    });
  }
  for (const t of document.querySelectorAll('.tile text')) {
    const a = t.getBoundingClientRect(), b = t.parentElement.querySelector('rect').getBoundingClientRect();
    if (a.left < b.left - 1 || a.right > b.right + 2 || a.top < b.top - 3 || a.bottom > b.bottom + 3) out.push(`“${t.textContent}” leaves its tile`);
  }
  return out;
}

/** The least contrast (WCAG) between a tile's name and its fill. */
export function contrast() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (color) => { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
  const light = (c) => { const [r, g, b] = [...c].slice(0, 3).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  let least = Infinity, where = '';
  for (const t of document.querySelectorAll('.tile text:not(.dim)')) {
    const a = light(rgb(getComputedStyle(t).fill)), b = light(rgb(getComputedStyle(t.parentElement.querySelector('rect')).fill));
    const c = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (c < least) { least = c; where = t.textContent; }
  }
  return { least: least === Infinity ? 0 : least, where };
}
