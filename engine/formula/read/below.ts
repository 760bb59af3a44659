/** What is written above and below an atom: indices, powers, primes, transposes. */
import type { Expression } from '../tree';
import { chained, deeper, isNext, peek, symbolOf, take, TooDeep, unread, type Parser } from './parser';
import { scripted } from './scripts';
import type { Token } from './tokens';

export interface Scripts {
  sub?: Expression | undefined;
  sup?: Expression | undefined;
  transposed: boolean;
  small?: boolean;
  primes: number;
}

export function scripts(parser: Parser, base: Expression): Expression {
  let made = base;
  for (let turn = 0; ; turn++) {
    if (turn > chained) throw new TooDeep();
    const found: Scripts = { transposed: false, primes: 0 };
    const end = readScripts(parser, found);
    if (end === undefined) return made;
    made = scripted(made, found, { start: base.range.start, end });
  }
}

/** Until one comes twice: then it belongs to the whole. */
export function readScripts(parser: Parser, found: Scripts): number | undefined {
  let end: number | undefined;
  for (;;) {
    const token = peek(parser);
    if (token?.kind === 'prime' && !found.transposed) {
      found.primes++;
      parser.at++;
      end = token.end;
    } else if (token?.kind === 'transpose') {
      if (found.transposed) return end;
      found.transposed = true;
      parser.at++;
      end = token.end;
    } else if (token?.kind === 'sub' && !found.sub) {
      parser.at++;
      found.sub = signBelow(parser) ?? script(parser);
      end = found.sub?.range.end ?? token.end;
    } else if (token?.kind === 'sup' && !found.sup && !found.transposed) {
      parser.at++;
      end = superscript(parser, found) ?? token.end;
    } else return end;
  }
}

function superscript(parser: Parser, found: Scripts): number | undefined {
  const braced = isNext(parser, 'begin-group');
  const inner = parser.tokens[parser.at + (braced ? 1 : 0)];
  const after = parser.tokens[parser.at + (braced ? 2 : 1)];
  const alone = !braced || after?.kind === 'end-group';
  if (inner && alone && (inner.kind === 'transpose' || (/^[Tt]$/.test(inner.text) && inner.kind === 'name'))) {
    found.transposed = true;
    found.small = inner.text === 't';
    parser.at += braced ? 3 : 1;
    return braced ? after?.end : inner.end;
  }
  if (inner?.kind === 'prime' && alone) {
    found.primes++;
    parser.at += braced ? 3 : 1;
    return inner.end;
  }
  found.sup = script(parser);
  return found.sup?.range.end;
}

/** `x_=`: the token that is written `=`. */
function signBelow(parser: Parser): Expression | undefined {
  const token = take(parser, 'sign', '=');
  return token && symbolOf(token);
}

/** One group in braces or brackets, or one token. */
export function script(parser: Parser): Expression | undefined {
  const sign = isNext(parser, 'sign', '-') || isNext(parser, 'sign', '*') ? parser.tokens[parser.at++] : undefined;
  const isWhole = (['begin-group', 'open', 'frac', 'root'] as const).some((kind) => isNext(parser, kind));
  if (isWhole) return deeper(parser, () => parser.rules.atom(parser));
  const token = peek(parser);
  if (!token || !/^(?:name|word|number|big|dots|transpose|infinity)$/.test(token.kind)) return sign && unread(sign);
  parser.at++;
  const made = plainAtom(token);
  const range = { start: sign?.start ?? token.start, end: token.end };
  return sign?.text === '-' ? { kind: 'sum', terms: [made], minus: [true], range } : made;
}

export function plainAtom(token: Token): Expression {
  const range = { start: token.start, end: token.end };
  if (token.kind === 'number') return { kind: 'number', value: Number(token.text.replace(/,(?=\d{3})/g, '')), range };
  if (token.kind === 'dots') return { kind: 'dots', range };
  if (token.kind === 'infinity') return { kind: 'infinity', range };
  if (token.kind === 'rule') return { kind: 'rule', range };
  return symbolOf(token);
}
