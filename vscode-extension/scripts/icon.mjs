// Draws media/icon.png (256 × 256): a small memory map, buffers on a byte axis under a limit line. No dependency.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { fileURLToPath } from 'node:url';

const N = 256, SS = 4; // size; samples a pixel and axis
// Rounded rectangles: x, y, width, height, radius, colour; later ones lie on top.
const shapes = [
  [0, 0, 256, 256, 52, [21, 24, 29]],
  [34, 40, 188, 176, 10, [33, 39, 47]],
  [34, 56, 54, 46, 6, [106, 165, 242]], [34, 108, 54, 92, 6, [74, 126, 201]],
  [94, 40, 40, 84, 6, [232, 171, 58]], [94, 130, 40, 50, 6, [189, 134, 32]],
  [140, 72, 46, 60, 6, [63, 192, 156]], [140, 138, 46, 78, 6, [38, 148, 117]],
  [192, 96, 46, 66, 6, [255, 138, 76]],
  [206, 26, 5, 204, 2.5, [227, 231, 236]],
];
const inside = ([x, y, w, h, r], px, py) => {
  const dx = Math.max(x + r - px, 0, px - (x + w - r)), dy = Math.max(y + r - py, 0, py - (y + h - r));
  return dx * dx + dy * dy <= r * r;
};
const raw = Buffer.alloc((N * 4 + 1) * N);
for (let y = 0; y < N; y++) {
  for (let x = 0; x < N; x++) {
    let r = 0, g = 0, b = 0, a = 0;
    for (let s = 0; s < SS * SS; s++) {
      const px = x + ((s % SS) + 0.5) / SS, py = y + (Math.floor(s / SS) + 0.5) / SS;
      const top = shapes.findLast((q) => inside(q, px, py));
      if (top) { r += top[5][0]; g += top[5][1]; b += top[5][2]; a++; }
    }
    const o = y * (N * 4 + 1) + 1 + x * 4;
    if (a) raw.set([r / a, g / a, b / a, (a * 255) / (SS * SS)].map(Math.round), o);
  }
}
const crcTable = Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });
const crc = (buf) => { let c = 0xffffffff; for (const v of buf) c = crcTable[(c ^ v) & 255] ^ (c >>> 8); return (c ^ 0xffffffff) >>> 0; };
const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type), data]), out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0); body.copy(out, 4); out.writeUInt32BE(crc(body), body.length + 4);
  return out;
};
const head = Buffer.alloc(13);
head.writeUInt32BE(N, 0); head.writeUInt32BE(N, 4); head.set([8, 6, 0, 0, 0], 8);
const file = path.join(path.dirname(fileURLToPath(import.meta.url)), '../media/icon.png');
fs.writeFileSync(file, Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', zlib.deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))]));
