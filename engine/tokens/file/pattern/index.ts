import { t } from '../../../text/l10n';
import { fail, ok, type Result } from '../../../text/problems';
import { parseClass } from './classes';
import { escaped, WORD } from './escapes';
import { character, peek, Refusal, refuse, type Parser } from './parser';

/**
 * Patterns in tokenizer files are written for Oniguruma; this writes them for JavaScript (flags `gv`). What it does not
 * know, or what could match otherwise there, is a Problem with its place in the pattern: nothing is passed through unread.
 */
export function compilePattern(source: string): Result<RegExp> {
  const parser: Parser = { source, at: 0, groups: 0, fold: false };
  try {
    const written = alternatives(parser);
    if (parser.at < source.length) refuse(parser, t('unmatched )'));
    return ok(new RegExp(written, 'gv'));
  } catch (error) {
    const { message, at } = error instanceof Refusal ? error : { message: String(error), at: 0 };
    return fail({
      code: 'pattern-unsupported',
      message: t('{0} (character {1} of {2})', message, at, JSON.stringify(source)),
    });
  }
}

function alternatives(parser: Parser): string {
  const branches = [branch(parser)];
  while (peek(parser) === '|') {
    parser.at++;
    branches.push(branch(parser));
  }
  return branches.join('|');
}

function branch(parser: Parser): string {
  let written = '';
  const start = parser.at;
  while (!['', '|', ')'].includes(peek(parser))) written += quantified(parser, atom(parser));
  // Without regard to case, Oniguruma takes some pairs as one letter (`ss` as ß, `fi` as ﬁ); JavaScript does not.
  const pair = parser.fold ? /ss|st|f[fil]/i.exec(parser.source.slice(start, parser.at)) : null;
  if (pair) refuse({ at: start + pair.index }, t('(?i:{0}) is not supported', pair[0]));
  return written;
}

/** `+`, `*`, `?`, `{n,m}`, then `?` for lazy, or `+` for possessive, which only the first three can be. */
function quantified(parser: Parser, piece: string): string {
  const rest = parser.source.slice(parser.at, parser.at + 24);
  const found = /^(?:([*+?])([?+])?|\{(?=,?\d)(\d*)(,?)(\d*)\}(\?)?)/.exec(rest);
  if (!found) return piece;
  const [all, sign, mode, from, comma, to, lazy] = found;
  if (lazy && !comma) refuse(parser, t('{0} is not supported', all));
  parser.at += all.length;
  if (sign && mode === '+') return quantified(parser, atomic(parser, `(?:${piece})${sign}`));
  const count = sign ?? `{${from || '0'}${comma}${to}}`;
  return quantified(parser, `(?:(?:${piece})${count}${(mode ?? lazy) ? '?' : ''})`);
}

/** What matched once is never given back: a look-ahead does not backtrack, and what it captured is taken. */
function atomic(parser: Parser, piece: string): string {
  const name = `a${++parser.groups}`;
  return `(?:(?=(?<${name}>${piece}))\\k<${name}>)`;
}

function atom(parser: Parser): string {
  const c = peek(parser);
  if (c === '(') return group(parser);
  if (c === '[') return parseClass(parser);
  if (c === '\\') return escape(parser);
  if (/[*+?]/.test(c)) refuse(parser, t('{0} repeats nothing', c));
  const written = signs[c] ?? character(parser, c);
  parser.at += c.length;
  return written;
}

/** Oniguruma's ^ and $ are those of lines. */
const signs: { readonly [sign: string]: string } = { '.': '[^\\n]', '^': '(?:^|(?<=\\n)(?!$))', $: '(?=\\n|$)' };

const groupStarts = ['(?:', '(?=', '(?!', '(?<=', '(?<!', '(?>', '(?i:'];

function group(parser: Parser): string {
  const { source, fold } = parser;
  const start = groupStarts.find((candidate) => source.startsWith(candidate, parser.at)) ?? '(';
  if (start === '(' && source[parser.at + 1] === '?')
    refuse(parser, t('{0} is not supported', source.slice(parser.at, parser.at + 3)));
  parser.at += start.length;
  parser.fold = fold || start === '(?i:';
  const inside = alternatives(parser);
  if (peek(parser) !== ')') refuse(parser, t(') expected'));
  parser.at++;
  parser.fold = fold;
  if (start === '(?>') return atomic(parser, inside);
  return `${start === '(' || start === '(?i:' ? '(?:' : start}${inside})`;
}

const EDGE = `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`;

const anchors: { readonly [escape: string]: string } = {
  A: '^',
  z: '$',
  Z: '(?=\\n?$)',
  b: EDGE,
  B: `(?!${EDGE})`,
};

function escape(parser: Parser): string {
  const anchor = anchors[parser.source.charAt(parser.at + 1)];
  if (anchor === undefined) return escaped(parser);
  parser.at += 2;
  return anchor;
}
