/** What stands in brackets, in braces and between bars. */
import type { Expression } from '../tree';
import { deeper, peek, take, unread, type Parser } from './parser';
import type { Token } from './tokens';

const closing: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '⟨': '⟩',
  '⌊': '⌋',
  '|': '|',
  '‖': '‖',
};

/** `‖x‖`: up to the next bar, if there is one. */
export function norm(parser: Parser, token: Token): Expression | undefined {
  const next = parser.tokens[parser.at + 1];
  // `A || B`: a bar that nothing stands behind.
  if (token.text === '|' && next?.kind === 'sign' && next.text === '|') return undefined;
  // `{|V| \times d}`: one name between bars, of which the first stands behind nothing that it could divide.
  const isOfName = parser.tokens[parser.at + 2]?.text === token.text && !/^(?:name|number|close|end-group)$/.test(parser.tokens[parser.at - 1]?.kind ?? ''); // prettier-ignore
  parser.at++;
  const from = parser.at;
  const name = isOfName ? deeper(parser, () => parser.rules.atom(parser)) : undefined;
  const bar = name && take(parser, 'sign', token.text);
  if (name && bar) return { kind: 'norm', of: name, range: { start: token.start, end: bar.end } };
  parser.at = from;
  const closes = parser.tokens
    .slice(from, from + 40)
    .some((next) => next.text === token.text && next.kind === token.kind);
  if (!closes) return unread(token);
  const of = deeper(parser, () => parser.rules.sum(parser));
  const end = take(parser, 'sign', token.text);
  if (of && end) return { kind: 'norm', of, range: { start: token.start, end: end.end } };
  parser.at = from;
  return unread(token);
}

export function bracketed(parser: Parser, token: Token): Expression {
  parser.at++;
  const from = parser.at;
  const before = parser.apart;
  parser.apart = token.text === '[' && hasBarsBetween(parser);
  const inner = deeper(parser, () => parser.rules.lines(parser));
  parser.apart = before ?? false;
  const of =
    inner?.kind === 'list' && token.text === '[' && hasSemicolon(parser, from)
      ? { ...inner, joined: true as const }
      : inner;
  const end = peek(parser);
  const closes = end?.kind === 'close';
  if (closes) parser.at++;
  const range = { start: token.start, end: closes ? end.end : (of?.range.end ?? token.end) };
  const isNorm = closing[token.text] === end?.text && /[‖|]/.test(token.text);
  if (isNorm && of) return { kind: 'norm', of, range };
  return { kind: 'group', of: of ?? { kind: 'list', items: [], range }, open: token.text, range };
}

/** Between the items themselves, not within what they hold. */
function hasSemicolon({ tokens, at }: Parser, from: number): boolean {
  let depth = 0;
  for (let i = from; i < at; i++) {
    const { kind, text } = tokens[i] ?? {};
    if (kind === 'open' || kind === 'begin-group') depth++;
    else if (kind === 'close' || kind === 'end-group') depth--;
    else if (depth === 0 && kind === 'sign' && /^[;‖]$/.test(text ?? '')) return true;
  }
  return false;
}

/** `[a ‖ b]`: bars between, none at an end, where they would be those of a norm. */
function hasBarsBetween({ tokens, at }: Parser): boolean {
  let depth = 0;
  let bars = 0;
  const isBarAt = (i: number): boolean => tokens[i]?.kind === 'sign' && tokens[i]?.text === '‖';
  for (let i = at; i < Math.min(tokens.length, at + 400); i++) {
    const { kind } = tokens[i] ?? {};
    if (kind === 'open' || kind === 'begin-group') depth++;
    else if (kind === 'end-group') depth--;
    else if (kind === 'close' && depth-- === 0) return bars > 0 && !isBarAt(at) && !isBarAt(i - 1);
    else if (depth === 0 && isBarAt(i)) bars++;
  }
  return false;
}

/** Braces are not seen: what stands in them has their range. */
export function grouped(parser: Parser, token: Token): Expression {
  parser.at++;
  const of = deeper(parser, () => parser.rules.lines(parser));
  const end = take(parser, 'end-group');
  const range = { start: token.start, end: end?.end ?? of?.range.end ?? token.end };
  if (!of) return { kind: 'list', items: [], range };
  return of.kind === 'symbol' || of.kind === 'number' ? { ...of, range } : { kind: 'group', of, open: '', range };
}
