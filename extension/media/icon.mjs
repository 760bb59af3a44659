// Draws icon.png (256×256): a causal attention matrix, bright where a query found its key. Run `node extension/media/icon.mjs`
// after a change. No image library: samples are averaged for smooth edges and written as a PNG by hand.
import { writeFileSync } from 'node:fs';
import * as zlib from 'node:zlib';

const size = 256;
const samples = 4;
const background = [30, 32, 48];
const hidden = [48, 51, 72];
const outline = [255, 255, 255];

// Weights of a row sum to 1; what is hidden from a query stays empty.
const weights = [[1], [0.3, 0.7], [0.12, 0.63, 0.25], [0.42, 0.08, 0.2, 0.3]];
const colours = [
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];
const chosen = { row: 2, column: 1 };
const pitch = 50;
const cell = 44;
const margin = 31;

function mix(a, b, t) {
  return a.map((v, i) => v + ((b[i] ?? 0) - v) * t);
}

function colourOf(weight) {
  const at = Math.min(0.999, weight) * (colours.length - 1);
  const i = Math.floor(at);
  return mix(colours[i], colours[i + 1], at - i);
}

/** Is (x, y) inside a square with rounded corners? */
function inSquare(x, y, left, top, side, radius) {
  const dx = Math.abs(x - left - side / 2) - (side / 2 - radius);
  const dy = Math.abs(y - top - side / 2) - (side / 2 - radius);
  if (dx > radius || dy > radius) return false;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) <= radius;
}

/** Red, green, blue, alpha of one point. */
function pointAt(x, y) {
  if (!inSquare(x, y, 0, 0, size, 48)) return [0, 0, 0, 0];
  const row = Math.min(3, Math.max(0, Math.floor((y - margin + 3) / pitch)));
  const column = Math.min(3, Math.max(0, Math.floor((x - margin + 3) / pitch)));
  const [left, top] = [margin + column * pitch, margin + row * pitch];
  const isChosen = row === chosen.row && column === chosen.column;
  if (!inSquare(x, y, left - (isChosen ? 3 : 0), top - (isChosen ? 3 : 0), cell + (isChosen ? 6 : 0), 8)) {
    return [...background, 255];
  }
  if (isChosen && !inSquare(x, y, left + 4, top + 4, cell - 8, 4)) return [...outline, 255];
  const weight = weights[row]?.[column];
  return [...(weight === undefined ? hidden : colourOf(weight)), 255];
}

function pixelAt(x, y) {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < samples * samples; i++) {
    const [r, g, b, a] = pointAt(x + ((i % samples) + 0.5) / samples, y + (Math.floor(i / samples) + 0.5) / samples);
    sum[0] += r * a;
    sum[1] += g * a;
    sum[2] += b * a;
    sum[3] += a;
  }
  const alpha = sum[3];
  const rgb = sum.slice(0, 3).map((v) => (alpha ? Math.round(v / alpha) : 0));
  return [...rgb, Math.round(alpha / (samples * samples))];
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

/** zlib.crc32 came with Node 20.15; PNG's checksum is the same polynomial. */
function crc(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes);
  let c = -1;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  }
  return ~c >>> 0;
}

/** A PNG with a table of its colours, of which there are at most 256: half as large as one that says each pixel's four bytes. */
function png() {
  const colours = new Map();
  const rows = [];
  for (let y = 0; y < size; y++) {
    rows.push(0);
    for (let x = 0; x < size; x++) {
      const pixel = pixelAt(x, y);
      const key = pixel.join();
      if (!colours.has(key)) colours.set(key, { at: colours.size, pixel });
      rows.push(colours.get(key).at);
    }
  }
  if (colours.size > 256) throw new Error(`${colours.size} colours`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const pixels = [...colours.values()].map(({ pixel }) => pixel);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(pixels.flatMap(([r, g, b]) => [r, g, b]))),
    chunk('tRNS', Buffer.from(pixels.map(([, , , alpha]) => alpha))),
    chunk('IDAT', zlib.deflateSync(Buffer.from(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

writeFileSync(new URL('icon.png', import.meta.url), png());
