import { t } from '../../../text';
import { character, hex, peek, refuse, type Parser } from './parser';

const WORD_IN_CLASS = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]';
/** Outside classes, Oniguruma also counts these fractions and superscripts of Latin-1 as word characters. */
export const WORD = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}²³¹¼-¾]';

const shorthands: { readonly [escape: string]: string } = {
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: WORD_IN_CLASS,
  W: `[^${WORD_IN_CLASS}]`,
  h: '[0-9A-Fa-f]',
  H: '[^0-9A-Fa-f]',
};

const controls: { readonly [escape: string]: string } = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
};

/** An escape outside classes that denotes a character or a set of characters. */
export function escaped(parser: Parser): string {
  const word = /^\\(?:w|p\{Word\})/i.exec(parser.source.slice(parser.at, parser.at + 8))?.[0];
  if (word === undefined) return escapedInClass(parser);
  parser.at += word.length;
  return word[1] === 'W' || word[1] === 'P' ? `[^${WORD}]` : WORD;
}

/** An escape in a class. */
export function escapedInClass(parser: Parser): string {
  const rest = parser.source.slice(parser.at, parser.at + 48);
  const property = /^\\(?<kind>[pP])\{(?<caret>\^?)(?<name>[^}]*)\}/.exec(rest);
  if (property) return propertyEscape(parser, property[0], property.groups ?? {});
  const code = /^\\(?:x\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))/.exec(rest);
  if (code) return codeEscape(parser, code[0], code[1] ?? code[2] ?? code[3] ?? '');
  parser.at++;
  const c = peek(parser);
  const control = controls[c];
  const known = shorthands[c] ?? (control === undefined ? undefined : hex(control));
  if (known === undefined && (c === '' || /[0-9A-Za-z]/.test(c))) refuse(parser, t('\\{0} is not supported', c));
  const written = known ?? character(parser, c);
  parser.at += c.length;
  return written;
}

function codeEscape(parser: Parser, all: string, digits: string): string {
  const value = Number.parseInt(digits, 16);
  if (value > 0x10ffff) refuse(parser, t('{0}: no such character', all));
  const written = character(parser, String.fromCodePoint(value));
  parser.at += all.length;
  return written;
}

function propertyEscape(parser: Parser, all: string, { kind, caret, name = '' }: { [group: string]: string }): string {
  const written = propertySource(name);
  // Case folding would extend such classes, but differently in Oniguruma and JavaScript.
  const folds = parser.fold && /^(?:l[ult]|upper|lower)/i.test(name);
  if (folds) refuse(parser, t('{0} is not supported in (?i:…)', all));
  if (written === undefined) refuse(parser, t('{0} is not supported', all));
  parser.at += all.length;
  return (kind === 'P') === (caret === '^') ? written : `[^${written}]`;
}

/** Classes with a POSIX name. */
export const posixClasses: { readonly [name: string]: string } = {
  alpha: '\\p{Alphabetic}',
  alnum: '[\\p{Alphabetic}\\p{Nd}]',
  digit: '\\p{Nd}',
  lower: '\\p{Lowercase}',
  upper: '\\p{Uppercase}',
  space: '\\p{White_Space}',
  blank: '[\\t\\p{Zs}]',
  punct: '[\\p{P}\\p{S}]',
  cntrl: '\\p{Cc}',
  word: WORD_IN_CLASS,
  xdigit: '[0-9A-Fa-f]',
};

/** `\p{…}` in JavaScript's syntax, from a category, property, script (`Han`) or POSIX name; undefined if unknown. */
function propertySource(name: string): string | undefined {
  if (/^punct$/i.test(name)) return '\\p{P}';
  const posix = posixClasses[name.toLowerCase()];
  if (posix !== undefined || !/^[A-Za-z_]+$/.test(name)) return posix;
  return [`\\p{${name}}`, `\\p{Script=${name}}`].find(compiles);
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'v').flags === 'v';
  } catch {
    return false;
  }
}
