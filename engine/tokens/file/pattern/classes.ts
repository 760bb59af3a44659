import { t } from '../../../text';
import { escapedInClass, posixClasses } from './escapes';
import { character, hex, peek, refuse, type Parser } from './parser';

/** Deepest nesting of classes: more than real patterns need, and safe for the stack. */
const deepest = 50;

/** `[…]` with ranges, escapes, classes inside, POSIX names and `&&`. */
export function parseClass(parser: Parser, depth = 0): string {
  const { source } = parser;
  if (depth > deepest) refuse(parser, t('more than {0} classes in each other are not supported', deepest));
  parser.at++;
  const negated = source[parser.at] === '^';
  if (negated) parser.at++;
  const operands = [''];
  for (let first = true; first || source[parser.at] !== ']'; first = false) {
    if (parser.at >= source.length) refuse(parser, t('] expected'));
    if (source.startsWith('&&', parser.at)) {
      parser.at += 2;
      operands.push('');
    } else {
      operands[operands.length - 1] += item(parser, depth);
    }
  }
  parser.at++;
  if (operands.includes('')) refuse(parser, t('a class without characters is not supported'));
  const inside = operands.length === 1 ? operands[0] : operands.map((operand) => `[${operand}]`).join('&&');
  return `[${negated ? '^' : ''}${inside}]`;
}

function item(parser: Parser, depth: number): string {
  const posix = /^\[:(\^?)([a-z]+):\]/.exec(parser.source.slice(parser.at, parser.at + 16));
  if (posix) return posixClass(parser, posix[0], posix[1] === '^', posix[2] ?? '');
  if (peek(parser) === '[') return parseClass(parser, depth + 1);
  const from = single(parser);
  if (peek(parser) !== '-' || /[\][]/.test(parser.source.charAt(parser.at + 1))) return from.written;
  parser.at++;
  const to = single(parser);
  if (from.character === undefined || to.character === undefined)
    return refuse(parser, t('a range of classes is not supported'));
  return range(parser, from.character, to.character);
}

function posixClass(parser: Parser, all: string, negated: boolean, name: string): string {
  const written = posixClasses[name];
  if (written === undefined || (parser.fold && /upper|lower/.test(name)))
    refuse(parser, t('{0} is not supported', all));
  parser.at += all.length;
  return negated ? `[^${written}]` : written;
}

/** A single character, or an escape that denotes several. */
function single(parser: Parser): { written: string; character?: string } {
  const c = peek(parser);
  if (c !== '\\') {
    const written = character(parser, c);
    parser.at += c.length;
    return { written, character: c };
  }
  const code = /^\\u\{([0-9a-f]+)\}$/.exec(escapedInClass({ ...parser, fold: false }))?.[1];
  const written = escapedInClass(parser);
  return code === undefined ? { written } : { written, character: String.fromCodePoint(Number.parseInt(code, 16)) };
}

function range(parser: Parser, from: string, to: string): string {
  if (to < from) refuse(parser, t('{0}-{1} is out of order', from, to));
  const written = `${hex(from)}-${hex(to)}`;
  if (!parser.fold) return written;
  if (to > '\u007f') refuse(parser, t('(?i:[{0}-{1}]) is not supported', from, to));
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
  const inside = (c: string): boolean => c >= from && c <= to;
  const folded = letters.filter((c) => inside(c) || inside(c.toUpperCase()));
  return written + folded.map((c) => character(parser, c)).join('');
}
