import { css } from '../draw';
import { fonts, type Label, type Picture, type Shape } from './shapes';

/** A picture as an SVG file, with real text and without external resources. */
export function svgOf({ width, height, background, title, shapes }: Picture): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${css(background)}"/>`,
    ...shapes.map(written),
    '</svg>\n',
  ].join('\n');
}

function written(shape: Shape): string {
  if (shape.kind === 'label') return label(shape);
  if (shape.kind === 'box') {
    const { x, y, width, height, fill } = shape;
    return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${css(fill)}"/>`;
  }
  const [[x1, y1], [x2, y2]] = [shape.from, shape.to];
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${css(shape.colour)}"/>`;
}

function label({ x, y, text, size, colour, anchor, mono, bold, upright }: Label): string {
  const family = escaped(mono ? fonts.mono : fonts.text);
  const turn = upright ? ` transform="rotate(-90 ${at(x)} ${at(y)})"` : '';
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${at(x)}" y="${at(y)}" font-family="${family}" font-size="${size}"${weight} fill="${css(colour)}" text-anchor="${anchor}"${turn}>${escaped(text)}</text>`;
}

const at = (n: number): string => String(Math.round(n * 100) / 100);

/** Escapes a text for XML. Characters that XML does not allow become U+FFFD. */
const escaped = (text: string): string =>
  Array.from(text, (c) => (isXml(c.codePointAt(0) ?? 0) ? c : '\ufffd'))
    .join('')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');

/** Allowed characters: XML 1.0, section 2.2. */
const isXml = (c: number): boolean =>
  c === 9 || c === 10 || c === 13 || (c >= 0x20 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000;
