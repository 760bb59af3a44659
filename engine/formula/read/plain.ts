/** Formulas in plain text and Unicode as tokens: `softmax(Q × K^T / sqrt(d_k)) V`, `QKᵀ/√dₖ`, `Q @ K.T`. */
import type { TextRange } from '../../text';
import { mostTokens } from './cutting';
import type { Token, TokenKind } from './tokens';

const subscripts = 'ₐₑₒₓₔₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ₀₁₂₃₄₅₆₇₈₉';
const lowered = 'aeoxəhklmnpstijruv0123456789';

const signs = '+-−=·⋅•×*/@<>≤≥≈∈,;|‖⊙∘:∼∝→√∑Σ∀≠';
const asWritten: ReadonlyMap<string, string> = new Map([['−', '-'], ['⋅', '·'], ['•', '·'], ['⊙', '∘']]); // prettier-ignore
const word = /[\p{Lu}\p{Ll}\p{Lo}]\u0302?[\p{Lu}\p{Ll}\p{Lo}\d]*(?:_[\p{Lu}\p{Ll}\p{Lo}\d]+)*/uy;
const number = /\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?/y;
const turned = /\.T\b|\.mT\b|\.transpose\(\s*-2\s*,\s*-1\s*\)|\.t\(\)|ᵀ|⊤/y;

const matched = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

/** The tokens of one line of plain text; undefined where there are more than are read. */
export function plainTokens(text: string, { start, end }: TextRange): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let spaced = false;
  for (let at = start; at < end;) {
    if (tokens.length > mostTokens) return undefined;
    const put = (kind: TokenKind, length: number, written = text.slice(at, at + length)): void => {
      tokens.push({ kind, text: written, start: at, end: at + length, ...(spaced && { spaced: true }) });
      at += length;
    };
    const c = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const transpose = matched(turned, text, at);
    // `W\_q`, where Markdown would take `_` for a sign.
    if (c === '\\' && text.charAt(at + 1) === '_') {
      at++;
      continue;
    }
    if (/\s/.test(c)) {
      spaced = true;
      at += c.length;
      continue;
    }
    if (transpose !== undefined) put('transpose', transpose.length, 'T');
    else if (/[({⟨]|\[/.test(c)) put('open', 1);
    else if (/[)}⟩]|\]/.test(c)) put('close', 1);
    else if (text.startsWith('->', at)) put('sign', 2, '→');
    else if (c === '^' || text.startsWith('**', at)) put('sup', c === '^' ? 1 : 2);
    else if (c === '.' && isProductPoint(tokens, text, at)) put('sign', 1, '·');
    else if (c === '_') put('sub', 1);
    else if (/['′’]/.test(c)) put('prime', 1);
    else if (c === '∞') put('infinity', 1);
    else if (c === '√') put('root', 1);
    else if (c === '…' || text.startsWith('...', at)) put('dots', c === '…' ? 1 : 3);
    else if (c === '∑' || c === 'Σ') put('big', 1, 'sum');
    else if (subscripts.includes(c)) lower(text, at, put);
    else if (/\d/.test(c)) put('number', (matched(number, text, at) ?? c).length);
    else if (/\p{L}/u.test(c)) at = wordTokens(tokens, text, at, matched(word, text, at) ?? c, spaced);
    else put(signs.includes(c) ? 'sign' : 'unread', c.length, asWritten.get(c) ?? c);
    spaced = false;
  }
  return tokens;
}

/** `Q.K^T`, `softmax(…).V`: between a name or a bracket and a capital, with no space. */
const isProductPoint = (tokens: readonly Token[], text: string, at: number): boolean =>
  /^(?:name|close|transpose)$/.test(tokens.at(-1)?.kind ?? '') &&
  /^\S\.[A-Z](?![a-z]{2})/.test(text.slice(at - 1, at + 3));

type Put = (kind: TokenKind, length: number, written?: string) => void;

function lower(text: string, at: number, put: Put): void {
  put('sub', 0, '_');
  let [end, plain] = [at, ''];
  while (subscripts.includes(text.charAt(end)) && text.charAt(end) !== '') plain += lowered[subscripts.indexOf(text.charAt(end++))] ?? ''; // prettier-ignore
  put(/^\d+$/.test(plain) ? 'number' : plain.length === 1 ? 'name' : 'word', end - at, plain);
}

const capitals = /^[QKVXWMAHSPOZ]{2,4}$/;
/** A name with a part behind `_`: `W_q`, `d_model`, `head_i`, `x_1`; what is longer before it is one word: `Attention_Scores`. */
const parted = /^(\p{L}|head)_([\p{L}\d]+)$|^([\p{L}_]{4,}(?:score|weight|alpha))_([ij]+)$/u;

function wordTokens(tokens: Token[], text: string, at: number, written: string, spaced: boolean): number {
  const put = (kind: TokenKind, from: number, part: string): void => {
    tokens.push({
      kind,
      text: part,
      start: from,
      end: from + part.length,
      ...(spaced && from === at && { spaced: true }),
    });
  };
  const [, left, weight, of] = /^([XHYQKV]?)(W)_?([qkvoQKVO]|(?<=_)[ih])$/.exec(written) ?? [];
  if (left !== undefined && weight !== undefined && of !== undefined) {
    if (left !== '') put('name', at, left);
    put('name', at + left.length, weight);
    put('sub', at + left.length + 1, '_');
    put('name', at + written.length - 1, of);
    return at + written.length;
  }
  // `QKT`, `Q × KT`: the T of Kᵀ, which copied text has on the line.
  const before = tokens.at(tokens.at(-1)?.kind === 'sign' && /^[·×*@]$/.test(tokens.at(-1)?.text ?? '') ? -2 : -1);
  if (written === 'QKT' || (written === 'KT' && before?.text === 'Q')) {
    if (written === 'QKT') put('name', at, 'Q');
    put('name', at + written.length - 2, 'K');
    put('transpose', at + written.length - 1, 'T');
    return at + written.length;
  }
  // `Q1`: Q of head 1.
  if (/^[QKVX]\d$/.test(written)) {
    put('name', at, written.charAt(0));
    tokens.push({ kind: 'sub', text: '_', start: at + 1, end: at + 1 });
    put('number', at + 1, written.charAt(1));
    return at + 2;
  }
  const [, letter, below, name, index] = parted.exec(written) ?? [];
  const [base, part] = [letter ?? name, below ?? index];
  const next = text.charAt(at + written.length);
  if (base !== undefined && part !== undefined) {
    put(base.length === 1 ? 'name' : 'word', at, base);
    put('sub', at + base.length, '_');
    put(/^\d+$/.test(part) ? 'number' : part.length === 1 ? 'name' : 'word', at + base.length + 1, part);
  } else if (capitals.test(written) && next !== '(') {
    [...written].forEach((letter, i) => put('name', at + i, letter));
  } else if (/^(?:sqrt)$/.test(written)) put('root', at, written);
  else if (/^(?:infinity|inf)$/.test(written)) put('infinity', at, written);
  else if (/^[A-Z]{1,4}T$/.test(written) && tokens.at(-1)?.kind === 'sup') put('transpose', at, written);
  else if (written === 'T' && tokens.at(-1)?.kind === 'sup') {
    tokens.pop();
    put('transpose', at, 'T');
  } else put([...written].length === 1 ? 'name' : 'word', at, written);
  return at + written.length;
}
