/* Regular expressions of tokenizer files, compiled so that matching takes linear time. */
import { t, fail, ok, type Result } from '../../../text';
import { parseClass } from './classes';
import { escaped, WORD } from './escapes';
import { isLinear } from './linear';
import { searcher, type Search } from './matcher';
import { character, peek, Refusal, refuse, type Parser } from './parser';
import * as piece from './piece';
import { regExpSource, type Piece } from './piece';
import { programOf } from './program';

/** Deepest nesting of groups: more than real patterns need, and safe for the stack. */
const deepest = 200;

/**
 * A compiled pattern. JavaScript's own RegExp is used (`native`) where it needs at most linear time; other patterns run as a program
 * (matcher.ts).
 */
export type Pattern = { readonly native: RegExp } | { readonly searchIn: (text: string) => Search };

/**
 * Compiles a pattern in Oniguruma's syntax, which tokenizer files use. Syntax that is unknown, or that JavaScript would match differently,
 * is a Problem with its offset in the pattern.
 */
export function compilePattern(source: string): Result<Pattern> {
  const read = readPattern(source);
  if (!read.ok) return read;
  if (isLinear(read.value)) return ok({ native: new RegExp(regExpSource(read.value), 'gv') });
  const program = programOf(read.value);
  if (!program) return refused(t('its counts written out, it is too long'), 0, source);
  return ok({ searchIn: (text) => searcher(program, text, shown(source)) });
}

/** Parses a pattern into its syntax tree. */
export function readPattern(source: string): Result<Piece> {
  const parser: Parser = { source, at: 0, depth: 0, fold: false };
  try {
    const whole = alternatives(parser);
    if (parser.at < source.length) refuse(parser, t('unmatched )'));
    return ok(whole);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(error.message, error.at, source);
  }
}

const refused = (message: string, at: number, source: string): Result<never> =>
  fail({ code: 'pattern-unsupported', message: t('{0} (character {1} of {2})', message, at, shown(source)) });

/** The pattern as it is in the file, cut to a length that fits a message. */
const shown = (source: string): string => JSON.stringify(source.length > 200 ? `${source.slice(0, 200)}…` : source);

function alternatives(parser: Parser): Piece {
  const branches = [branch(parser)];
  while (peek(parser) === '|') {
    parser.at++;
    branches.push(branch(parser));
  }
  return piece.choice(...branches);
}

function branch(parser: Parser): Piece {
  const parts: Piece[] = [];
  const start = parser.at;
  while (!['', '|', ')'].includes(peek(parser))) parts.push(quantified(parser, atom(parser)));
  // Case-insensitively, Oniguruma equates some pairs with one letter (`ss` with ß, `fi` with ﬁ); JavaScript does not.
  const pair = parser.fold ? /ss|st|f[fil]/i.exec(parser.source.slice(start, parser.at)) : null;
  if (pair) refuse({ at: start + pair.index }, t('(?i:{0}) is not supported', pair[0]));
  return piece.sequence(...parts);
}

/** Applies `+`, `*`, `?` or `{n,m}`, then `?` (lazy) or `+` (possessive, only for the first three). */
function quantified(parser: Parser, repeated: Piece): Piece {
  const rest = parser.source.slice(parser.at, parser.at + 24);
  const found = /^(?:([*+?])([?+])?|\{(?=,?\d)(\d*)(,?)(\d*)\}(\?)?)/.exec(rest);
  if (!found) return repeated;
  const [all, sign, mode, from, comma, to, lazy] = found;
  if (lazy && !comma) refuse(parser, t('{0} is not supported', all));
  const least = sign ? (sign === '+' ? 1 : 0) : Number(from || '0');
  const most = sign ? (sign === '?' ? 1 : Infinity) : comma ? Number(to || 'Infinity') : least;
  if (most < least) refuse(parser, t('{0} is out of order', all));
  parser.at += all.length;
  const isLazy = mode === '?' || lazy !== undefined;
  const made: Piece = { kind: 'repeat', piece: repeated, least, most, lazy: isLazy };
  return quantified(parser, mode === '+' ? { kind: 'atomic', piece: made } : made);
}

function atom(parser: Parser): Piece {
  const c = peek(parser);
  if (c === '(') return group(parser);
  if (c === '[') return piece.character(parseClass(parser));
  if (c === '\\') return escape(parser);
  if (/[*+?]/.test(c)) refuse(parser, t('{0} repeats nothing', c));
  const made = signs[c] ?? piece.character(character(parser, c));
  parser.at += c.length;
  return made;
}

const START: Piece = { kind: 'start' };
const END: Piece = { kind: 'end' };
const newline = piece.character('\\u{a}');
const lineStart = piece.sequence(piece.look(newline, { behind: true }), piece.look(END, { negated: true }));

/** In Oniguruma, ^ and $ match at line boundaries. */
const signs: { readonly [sign: string]: Piece } = {
  '.': piece.character('[^\\n]'),
  '^': piece.choice(START, lineStart),
  $: piece.look(piece.choice(newline, END)),
};

const groupStarts = ['(?:', '(?=', '(?!', '(?<=', '(?<!', '(?>', '(?i:'];

function group(parser: Parser): Piece {
  const { source, fold } = parser;
  const start = groupStarts.find((candidate) => source.startsWith(candidate, parser.at)) ?? '(';
  if (start === '(' && source[parser.at + 1] === '?')
    refuse(parser, t('{0} is not supported', source.slice(parser.at, parser.at + 3)));
  if (parser.depth === deepest) refuse(parser, t('more than {0} groups in each other are not supported', deepest));
  parser.at += start.length;
  parser.fold = fold || start === '(?i:';
  parser.depth++;
  const inside = alternatives(parser);
  if (peek(parser) !== ')') refuse(parser, t(') expected'));
  parser.at++;
  parser.depth--;
  parser.fold = fold;
  return grouped(start, inside);
}

function grouped(start: string, inside: Piece): Piece {
  if (start === '(?>') return { kind: 'atomic', piece: inside };
  const isLook = /[=!]$/.test(start);
  return isLook ? piece.look(inside, { behind: start.includes('<'), negated: start.endsWith('!') }) : inside;
}

const word = piece.character(WORD);
const edge = piece.choice(
  piece.sequence(piece.look(word, { behind: true, negated: true }), piece.look(word)),
  piece.sequence(piece.look(word, { behind: true }), piece.look(word, { negated: true })),
);
const optional = (one: Piece): Piece => ({ kind: 'repeat', piece: one, least: 0, most: 1, lazy: false });

const anchors: { readonly [escape: string]: Piece } = {
  A: START,
  z: END,
  Z: piece.look(piece.sequence(optional(newline), END)),
  b: edge,
  B: piece.look(edge, { negated: true }),
};

function escape(parser: Parser): Piece {
  const anchor = anchors[parser.source.charAt(parser.at + 1)];
  if (anchor === undefined) return piece.character(escaped(parser));
  parser.at += 2;
  return anchor;
}
