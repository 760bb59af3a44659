import type { CodeLine } from './code-lines';

/** The other operand of a product: whether it is transposed (`X.T`), and whether it is one token's vector (`X[i]`). */
export interface Factor {
  readonly isTransposed: boolean;
  readonly isVector: boolean;
}

/** An occurrence of a weight matrix in a line. `start` and `end` are offsets in the line. */
export interface Occurrence {
  readonly line: CodeLine;
  readonly start: number;
  readonly end: number;
}

export interface Product {
  readonly weight: { readonly isTransposed: boolean };
  readonly factor: Factor;
  /** The side of the product on which the weight is. */
  readonly side: 'left' | 'right';
}

/**
 * What a name in an operand stands for: a matrix that may have further axes, the rows of one input (so that an index gives a vector), or one token's
 * vector.
 */
export type Kind = 'matrix' | 'rows' | 'vector';
export type KindOf = (name: string) => Kind | undefined;

/** Characters to each side of a weight that are matched. */
const reach = 160;

export const isProduct = (code: string): boolean => /@|\b(?:matmul|dot|mm|bmm|mv|inner|linear|einsum)\(/.test(code);

const chain = String.raw`(?<![\w.)\]])[A-Za-z_]\w*(?:\.\w+|\([^()]{0,40}\)|\[[^\[\]]{0,40}\])*`;
const sum = String.raw`\(\s*[A-Za-z_][\w.]{0,40}\s*\+\s*[\w.]{1,40}(?:\[[^\[\]]{0,40}\])?\s*\)`;
const operand = `(${chain}|${sum})`;
const calls = String.raw`(?<!\w)(matmul|dot|mm|bmm|mv|inner|linear)\(`;

/**
 * Patterns for the text before a weight: as the right operand of `@`, as the first or second argument of a call, as a method's argument, as the
 * second operand of einsum.
 */
const [beforeOperator, beforeFirstArgument, beforeSecondArgument, beforeMethodArgument, beforeEinsumOperand] = [
  new RegExp(`${operand}\\s*@\\s*$`),
  new RegExp(`${calls}\\s*$`),
  new RegExp(`${calls}\\s*${operand}\\s*,\\s*$`),
  new RegExp(String.raw`${operand}\.(?:dot|matmul|mm)\(\s*$`),
  new RegExp(`(?<!\\w)einsum\\(\\s*,\\s*${operand}\\s*,\\s*$`),
];
/**
 * Patterns for the text after it: the right operand of `@`, a second argument, a method call with the other operand, the end of a call, and named
 * arguments before that end.
 */
const [rightOperand, nextArgument, methodCall, callEnd, optionsAndEnd] = [
  new RegExp(`^\\s*@\\s*${operand}(?![\\w.(\\[])`),
  new RegExp(`^\\s*,\\s*${operand}\\s*((?:,\\s*\\w+\\s*=[^(),]{1,40}){0,3})\\s*,?\\s*\\)`),
  new RegExp(`^\\.(?:dot|matmul|mm|mv)\\(\\s*${operand}\\s*\\)`),
  /^\s*,?\s*\)/,
  /^\s*((?:,\s*\w+\s*=[^(),]{1,40}){0,3})\s*,?\s*\)/,
];

/** The product that a weight is an operand of, with its other operand. Undefined if either is not understood. */
export function productAt({ line, start, end }: Occurrence, kindOf: KindOf): Product | undefined {
  const { code } = line;
  const weight = weightAt(code, start, end);
  if (!weight) return undefined;
  const before = code.slice(Math.max(0, weight.start - reach), weight.start);
  const after = code.slice(weight.end, weight.end + reach);
  const isCut = (index: number): boolean => index === 0 && weight.start > reach;
  const productWith = (
    written: string | undefined,
    side: Product['side'],
    turned = weight.isTransposed,
  ): Product | undefined => {
    const factor = written === undefined ? undefined : factorOf(written, kindOf);
    return factor && { weight: { isTransposed: turned }, factor, side };
  };
  const left = beforeOperator.exec(before);
  if (left && !isCut(left.index)) {
    const product = productWith(left[1], 'right');
    // In `A @ X.T @ W` the left operand of W is the product A·Xᵀ.
    return product?.factor.isTransposed === true && /@\s*$/.test(before.slice(0, left.index)) ? undefined : product;
  }
  const asMethod = beforeMethodArgument.exec(before);
  if (asMethod && !isCut(asMethod.index) && callEnd.test(after)) return productWith(asMethod[1], 'right');
  const call = beforeSecondArgument.exec(before);
  if (call && !isCut(call.index)) return productInCall(call[1] ?? '', call[2], after, productWith, weight.isTransposed);
  const einsum = beforeEinsumOperand.exec(before);
  // einsum would broadcast axes of size 1, so only an operand without new axes is understood.
  const isBare = /^\w+(?:\[\s*\w+\s*\])?$/.test(einsum?.[1] ?? '');
  if (einsum && isBare && callEnd.test(after))
    return productInEinsum(line, weight.start, productWith(einsum[1], 'right'));
  // In `… @ W @ x` the product to the left of W is computed first.
  if (/@\s*$/.test(before)) return undefined;
  const opened = beforeFirstArgument.exec(before);
  if (opened) {
    const found = nextArgument.exec(after);
    if (!found || opened[1] === 'linear' || /transpose|adjoint/.test(found[2] ?? '')) return undefined;
    const product = productWith(found[1], 'left');
    // `np.inner(W, X)` is W·Xᵀ.
    const turns = opened[1] === 'inner' && product?.factor.isVector === false;
    return turns ? { ...product, factor: { ...product.factor, isTransposed: !product.factor.isTransposed } } : product;
  }
  return productWith((rightOperand.exec(after) ?? methodCall.exec(after))?.[1], 'left');
}

/** The product of a call whose second argument is the weight. `F.linear(x, W)` and `np.inner(x, W)` compute x·Wᵀ. */
function productInCall(
  name: string,
  written: string | undefined,
  after: string,
  productWith: (written: string | undefined, side: Product['side'], turned?: boolean) => Product | undefined,
  isTransposed: boolean,
): Product | undefined {
  if (name === 'linear') return /^\s*[,)]/.test(after) ? productWith(written, 'right', !isTransposed) : undefined;
  const found = optionsAndEnd.exec(after);
  if (!found || /transpose_a|adjoint/.test(found[1] ?? '')) return undefined;
  const turns = name === 'inner' || /transpose_b\s*=\s*True/.test(found[1] ?? '');
  return productWith(written, 'right', turns ? !isTransposed : isTransposed);
}

/** The product of `einsum("nd,ed->ne", X, W)`: the subscripts tell which axis of W is summed over. */
function productInEinsum({ shown }: CodeLine, end: number, product: Product | undefined): Product | undefined {
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
/** Method calls that change neither the numbers nor the order of the axes. */
const castCall = /^\.(?:float|double|half|astype|to|type|numpy|cpu|cuda|copy|clone|contiguous|detach)\([^()]{0,40}\)/;

/** The weight with the transpositions, casts and slices applied to it. Undefined for any other expression of it. */
function weightAt(
  code: string,
  start: number,
  end: number,
): { start: number; end: number; isTransposed: boolean } | undefined {
  let [from, to, isTransposed] = [start, end, false];
  for (let links = 0; links < 6; links++) {
    const rest = code.slice(to, to + 60);
    const turned = transposeCall.exec(rest);
    // A slice of its rows or columns, as for one head.
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

/** An operand's form: its name, and the suffixes after the name. `dotted` lists names that contain dots. Undefined if it is not understood. */
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
  return kind && factorWithSuffixes(text.slice(head.length), kind);
}

/** The form that suffixes give to an operand: `.T`, `[i]`, `.reshape(-1, 1)`. Undefined if one of them is not known. */
function factorWithSuffixes(written: string, kind: 'matrix' | 'rows' | 'vector'): Factor | undefined {
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

/** The arguments of the call whose opening parenthesis is at `open`. */
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
