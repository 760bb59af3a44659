import type { CodeLine } from './code-lines';

/** How an operand was written: `X.T`, `X[i]`. */
export interface Factor {
  readonly isTransposed: boolean;
  readonly isVector: boolean;
}

/** Where a weight matrix stands in a line. */
export interface Place {
  readonly line: CodeLine;
  readonly start: number;
  readonly end: number;
}

export interface Product {
  readonly weight: { readonly isTransposed: boolean };
  readonly factor: Factor;
  /** Where the weight stands. */
  readonly side: 'left' | 'right';
}

/** What a name in an operand stands for: `matrix`, a matrix of one input's rows, or one token's vector. */
export type Kind = 'matrix' | 'rows' | 'vector';
export type KindOf = (name: string) => Kind | undefined;

/** Characters beside a weight that are looked at. */
const reach = 160;

export const isProduct = (code: string): boolean => /@|\b(?:matmul|dot|mm|bmm|mv|inner|linear|einsum)\(/.test(code);

const chain = String.raw`(?<![\w.)\]])[A-Za-z_]\w*(?:\.\w+|\([^()]{0,40}\)|\[[^\[\]]{0,40}\])*`;
const sum = String.raw`\(\s*[A-Za-z_][\w.]{0,40}\s*\+\s*[\w.]{1,40}(?:\[[^\[\]]{0,40}\])?\s*\)`;
const operand = `(${chain}|${sum})`;
const calls = String.raw`(?<!\w)(matmul|dot|mm|bmm|mv|inner|linear)\(`;

/** What stands before: of a product with @, of a call's first or second argument, of a method's. */
const [times, first, second, method, summed] = [
  new RegExp(`${operand}\\s*@\\s*$`),
  new RegExp(`${calls}\\s*$`),
  new RegExp(`${calls}\\s*${operand}\\s*,\\s*$`),
  new RegExp(String.raw`${operand}\.(?:dot|matmul|mm)\(\s*$`),
  new RegExp(`(?<!\\w)einsum\\(\\s*,\\s*${operand}\\s*,\\s*$`),
];
/** What stands after. */
const [by, next, own, ends, options] = [
  new RegExp(`^\\s*@\\s*${operand}(?![\\w.(\\[])`),
  new RegExp(`^\\s*,\\s*${operand}\\s*((?:,\\s*\\w+\\s*=[^(),]{1,40}){0,3})\\s*,?\\s*\\)`),
  new RegExp(`^\\.(?:dot|matmul|mm|mv)\\(\\s*${operand}\\s*\\)`),
  /^\s*,?\s*\)/,
  /^\s*((?:,\s*\w+\s*=[^(),]{1,40}){0,3})\s*,?\s*\)/,
];

/** The product that a weight stands in, and what it is multiplied with; undefined where that is not known. */
export function productAt({ line, start, end }: Place, kindOf: KindOf): Product | undefined {
  const { code } = line;
  const weight = weightAt(code, start, end);
  if (!weight) return undefined;
  const before = code.slice(Math.max(0, weight.start - reach), weight.start);
  const after = code.slice(weight.end, weight.end + reach);
  const isCut = (index: number): boolean => index === 0 && weight.start > reach;
  const made = (
    written: string | undefined,
    side: Product['side'],
    turned = weight.isTransposed,
  ): Product | undefined => {
    const factor = written === undefined ? undefined : factorOf(written, kindOf);
    return factor && { weight: { isTransposed: turned }, factor, side };
  };
  const left = times.exec(before);
  if (left && !isCut(left.index)) {
    const product = made(left[1], 'right');
    // In `A @ X.T @ W` the product of the two stands at the left.
    return product?.factor.isTransposed === true && /@\s*$/.test(before.slice(0, left.index)) ? undefined : product;
  }
  const asMethod = method.exec(before);
  if (asMethod && !isCut(asMethod.index) && ends.test(after)) return made(asMethod[1], 'right');
  const call = second.exec(before);
  if (call && !isCut(call.index)) return inCall(call[1] ?? '', call[2], after, made, weight.isTransposed);
  const letters = summed.exec(before);
  // Axes of size 1 that are added to an operand would be repeated.
  const isBare = /^\w+(?:\[\s*\w+\s*\])?$/.test(letters?.[1] ?? '');
  if (letters && isBare && ends.test(after)) return byLetters(line, weight.start, made(letters[1], 'right'));
  // `… @ W @ x`: what stands at its left is multiplied first.
  if (/@\s*$/.test(before)) return undefined;
  const opened = first.exec(before);
  if (opened) {
    const found = next.exec(after);
    if (!found || opened[1] === 'linear' || /transpose|adjoint/.test(found[2] ?? '')) return undefined;
    const product = made(found[1], 'left');
    // `np.inner(W, X)` is W·Xᵀ.
    const turns = opened[1] === 'inner' && product?.factor.isVector === false;
    return turns ? { ...product, factor: { ...product.factor, isTransposed: !product.factor.isTransposed } } : product;
  }
  return made((by.exec(after) ?? own.exec(after))?.[1], 'left');
}

/** The second of two arguments; `F.linear(x, W)` and `np.inner(x, W)` are x·Wᵀ. */
function inCall(
  name: string,
  written: string | undefined,
  after: string,
  made: (written: string | undefined, side: Product['side'], turned?: boolean) => Product | undefined,
  isTransposed: boolean,
): Product | undefined {
  if (name === 'linear') return /^\s*[,)]/.test(after) ? made(written, 'right', !isTransposed) : undefined;
  const found = options.exec(after);
  if (!found || /transpose_a|adjoint/.test(found[1] ?? '')) return undefined;
  const turns = name === 'inner' || /transpose_b\s*=\s*True/.test(found[1] ?? '');
  return made(written, 'right', turns ? !isTransposed : isTransposed);
}

/** `einsum("nd,ed->ne", X, W)`: which axis of W is summed over. */
function byLetters({ shown }: CodeLine, end: number, product: Product | undefined): Product | undefined {
  const found = /einsum\(\s*["']\s*([a-zA-Z]{1,6})\s*,\s*([a-zA-Z]{2})\s*->\s*([a-zA-Z]{1,6})\s*["']/.exec(
    shown.slice(Math.max(0, end - reach), end),
  );
  if (!product || !found || product.factor.isTransposed) return undefined;
  const [, x = '', w = '', out = ''] = found;
  const summedOver = [...w].filter((letter) => x.endsWith(letter) && !out.includes(letter));
  const [letter] = summedOver;
  if (letter === undefined || summedOver.length > 1 || w[0] === w[1]) return undefined;
  return { ...product, weight: { isTransposed: (w[1] === letter) !== product.weight.isTransposed } };
}

const transposeCall = /^(?:\.m?T(?!\w)|\.t\(\)|\.transpose\((?:\s*-?\d\s*,\s*-?\d\s*)?\)|\.permute\(\s*1\s*,\s*0\s*\))/;
/** What changes neither numbers nor which axis is which. */
const castCall = /^\.(?:float|double|half|astype|to|type|numpy|cpu|cuda|copy|clone|contiguous|detach)\([^()]{0,40}\)/;

/** The weight with what turns it, and whether that does; undefined for other expressions of it. */
function weightAt(
  code: string,
  start: number,
  end: number,
): { start: number; end: number; isTransposed: boolean } | undefined {
  let [from, to, isTransposed] = [start, end, false];
  for (let links = 0; links < 6; links++) {
    const rest = code.slice(to, to + 60);
    const turned = transposeCall.exec(rest);
    // Columns or rows of it, as one head takes them.
    const found =
      turned ?? castCall.exec(rest) ?? /^\[[^[\],]{0,30}:[^[\],]{0,30}(?:,[^[\],]{0,30}:[^[\],]{0,30})?\]/.exec(rest);
    if (!found) break;
    if (turned) isTransposed = !isTransposed;
    to += found[0].length;
  }
  const wrapped = /(?<!\w)(?:\w{1,20}\.){0,2}(?:transpose|t)\(\s*$/.exec(code.slice(Math.max(0, from - 40), from));
  const closed =
    wrapped && /^\s*(?:,\s*(?:[01]\s*,\s*[01]|[([]\s*1\s*,\s*0\s*[)\]])\s*)?\)/.exec(code.slice(to, to + 40));
  if (wrapped && !closed) return undefined;
  if (wrapped && closed) [from, to, isTransposed] = [from - wrapped[0].length, to + closed[0].length, !isTransposed];
  return /^(?:[\w[(]|\s*\\|\s*\.(?!(?:dot|matmul|mm|mv)\())/.test(code.slice(to, to + 10))
    ? undefined
    : { start: from, end: to, isTransposed };
}

const isLetter = (c: string | undefined): boolean => c !== undefined && /[\w.]/.test(c);

/** An operand by its name and what follows that; `dotted`: names with a dot in them. */
export function factorOf(written: string, kindOf: KindOf, dotted: readonly string[] = []): Factor | undefined {
  const text = written.trim();
  const turned = /^(?:\w{1,20}\.){0,2}transpose\(\s*([\w.]{1,40})\s*\)$/.exec(text)?.[1];
  if (turned !== undefined) {
    const inner = factorOf(turned, kindOf, dotted);
    return inner && { ...inner, isTransposed: !inner.isTransposed };
  }
  const inside = /^\(\s*([\w.]+)\s*\+[^.]*\)$/.exec(text)?.[1];
  if (inside !== undefined) return factorOf(inside, kindOf, dotted);
  const whole = dotted.find((name) => text.startsWith(name) && !isLetter(text[name.length]?.replace('.', '')));
  const head = whole ?? /^(?:self\.)?\w+/.exec(text)?.[0] ?? '';
  const kind = kindOf(head);
  return kind && restOf(text.slice(head.length), kind);
}

/** What follows a name: `.T`, `[i]`, `.reshape(-1, 1)`; undefined for what may be anything. */
function restOf(written: string, kind: 'matrix' | 'rows' | 'vector'): Factor | undefined {
  let [rest, isTransposed, isVector] = [written, false, kind === 'vector'];
  for (let links = 0; rest !== ''; links++) {
    const isTurn = transposeCall.test(rest);
    const row = kind === 'rows' && !isVector && /^\[\s*(?!None\b)-?\w+\s*(?:,\s*(?::|None)\s*)?\]/.test(rest);
    const shaped = /^\.(?:reshape|view|flatten|ravel|squeeze|unsqueeze|expand_dims)\([^()]{0,40}\)/.exec(rest);
    const found =
      transposeCall.exec(rest) ??
      castCall.exec(rest) ??
      (isVector ? (shaped ?? /^\[\s*(?::|None)\s*,\s*(?::|None)\s*\]/.exec(rest)) : undefined) ??
      /^\[\s*None\s*\]/.exec(rest) ??
      (row ? /^\[[^[\]]*\]/.exec(rest) : undefined);
    if (!found || links > 6) return undefined;
    if (isTurn) isTransposed = !isTransposed;
    isVector ||= row;
    rest = rest.slice(found[0].length);
  }
  return { isTransposed, isVector };
}

/** The arguments of the call whose bracket stands at `open`. */
export function argumentsIn(code: string, open: number): string[] {
  const found: string[] = [];
  let [depth, from] = [0, open + 1];
  for (let i = open; i < code.length; i++) {
    const c = code.charAt(i);
    if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c)) depth--;
    if (depth === 0 || (depth === 1 && c === ',')) {
      found.push(code.slice(from, i).trim());
      from = i + 1;
    }
    if (depth === 0) break;
  }
  return found.filter((argument) => argument !== '');
}
