/** What stands above and below a part: an index that counts, a label that belongs to the name, a power, a transpose. */
import type { TextRange } from '../../text';
import { isLabel } from './tokens';
import { bare, keyOf, mapped, type Expression, type SymbolPart } from '../tree';

interface Scripts {
  readonly sub?: Expression | undefined;
  readonly sup?: Expression | undefined;
  readonly transposed: boolean;
  readonly small?: boolean;
  readonly primes: number;
}

export function scripted(base: Expression, written: Scripts, range: TextRange): Expression {
  const { sub, sup, transposed, primes } = written;
  // Braces are not seen: {QK}^T is QK^T, and its T belongs to K.
  const whole = base.kind === 'group' && base.open === '' && base.of.kind === 'product' ? base.of : undefined;
  const last = whole?.factors.at(-1);
  const isEntry = sub !== undefined && indexOf(sub).length > 1;
  if (whole && last && !isEntry) {
    const own = scripted(last, written, { start: last.range.start, end: range.end });
    return { ...whole, factors: [...whole.factors.slice(0, -1), own], range };
  }
  const inner = primes > 0 && base.kind !== 'symbol';
  const family =
    base.kind === 'group' && /^[{(]$/.test(base.open) && sub && sup ? familyOf(base.of, sub, sup) : undefined;
  if (family && base.kind === 'group') return { ...base, of: family, range };
  let made = base;
  if (made.kind === 'symbol') made = withPrimes(made, primes, range);
  if (sub) made = withSub(made, sub, range);
  if (sup) made = withSup(made, sup, range);
  // `1^T`: a vector of ones.
  if (transposed && made.kind === 'number' && made.value === 1) made = { kind: 'symbol', name: '𝟙', range };
  return transposed || inner ? { kind: 'transpose', of: made, range, ...(written.small === true && { small: true as const }) } : made; // prettier-ignore
}

/** `\{x_a\}_{a=1}^n`: x_1, …, x_n. */
function familyOf(of: Expression, sub: Expression, sup: Expression): Expression | undefined {
  const from = bare(sub);
  const [index, first] = from.kind === 'relation' && from.signs[0] === '=' ? from.sides : [];
  if (index?.kind !== 'symbol' || !first) return undefined;
  const at = (by: Expression): Expression =>
    mapped(of, (one) => (one.kind === 'symbol' && one.index ? { ...one, index: one.index.map((part) => (part.kind === 'symbol' && part.name === index.name ? by : part)) } : one)); // prettier-ignore
  return { kind: 'list', items: [at(first), { kind: 'dots', range: of.range }, at(bare(sup))], range: of.range };
}

const withPrimes = (of: SymbolPart, primes: number, range: TextRange): SymbolPart =>
  primes > 0 ? { ...of, primes: (of.primes ?? 0) + primes, range } : of;

/** The parts of an index: `ij`, `1n`, `i,j`, `21`. */
function indexOf(sub: Expression): readonly Expression[] {
  const of = bare(sub);
  // `(pos, 2i)`: 2i is one of them.
  if (of.kind === 'list') return of.items.flatMap((item) => (item.kind === 'product' && item.factors[0]?.kind === 'number' ? [item] : indexOf(item))); // prettier-ignore
  if (of.kind === 'product' && of.signs.every((sign) => sign === '')) return of.factors;
  if (of.kind === 'number' && Number.isInteger(of.value) && of.value >= 10 && of.value <= 99)
    return String(of.value).split('').map((digit) => ({ kind: 'number', value: Number(digit), range: of.range })); // prettier-ignore
  return [of];
}

/** A letter that names what a matrix is for, and no running index: `W_q`, `A_v`, `b_k`, `d_k`, `X_{\text{enc}}`. */
function labelOf(base: SymbolPart, index: readonly Expression[]): string | undefined {
  const [only] = index;
  // `d_1`.
  if (index.length === 1 && only?.kind === 'number' && /^[dDnN]$/.test(base.name) && !base.bold)
    return String(only.value);
  if (index.length !== 1 || only?.kind !== 'symbol' || only.index) return undefined;
  const { name } = only;
  if (only.primes) return undefined;
  if (name.length > 1 && !/^\p{L}\u0302?$/u.test(name)) return name;
  if (/^[dDnNLTℓ]$/.test(base.name)) return only.label === undefined ? name : `${name}_${only.label}`;
  if (/^[α-ω]$/.test(name) && /^[A-Z]$/.test(base.name)) return name;
  if (/^[asexcz]$/.test(name) && /^[WU]$/.test(base.name)) return name;
  if (/^[qkvoQKVO]$/.test(name) && /^(?:[A-ZΘΩΦ]|b|β|[A-Z]\u0302)$/.test(base.name)) return name;
  return /^[A-Z]$/.test(name) && base.name !== 'head' && base.name.length === 1 && /^[A-Zb]$/.test(base.name)
    ? name
    : undefined;
}

/** `d_{model}`, written as letters. */
function wordIn(base: Expression, sub: Expression): readonly Expression[] | undefined {
  const of = bare(sub);
  if (of.kind !== 'product') return undefined;
  const name = of.factors
    .map((one) => (one.kind === 'symbol' && !one.index && one.label === undefined ? one.name : ' '))
    .join('');
  // `w_{in}` has two indices.
  return (base.kind === 'symbol' && isLabel(name, base.name)) || spellsCapitals(base, name)
    ? [{ kind: 'symbol', name, range: of.range }]
    : undefined;
}

/** `W_{QK}`. */
const spellsCapitals = (base: Expression, name: string): boolean =>
  base.kind === 'symbol' && /^[A-Z]$/.test(base.name) && /^[A-Z]{2,4}$/.test(name);

/** `W_{Q,i}`, `W_{QK,i}`: what names the matrix, then what counts. */
function labelledIndex(base: SymbolPart, sub: Expression): SymbolPart | undefined {
  const of = bare(sub);
  const [first, ...rest] = of.kind === 'list' ? of.items : [];
  if (!first || rest.length === 0 || !/^[A-Z]$/.test(base.name) || base.label !== undefined) return undefined;
  const word = wordIn(base, first) ?? [first];
  const names = rest.map((one) => labelOf(base, [one]));
  const label = labelOf(base, word);
  if (label === undefined) return undefined;
  // `W_{K,V}`: both.
  if (names.every((one) => one !== undefined)) return { ...base, label: `${label},${names.join(',')}` };
  return { ...base, label, index: [...(base.index ?? []), ...rest.flatMap(indexOf)] };
}

function withSub(base: Expression, sub: Expression, range: TextRange): Expression {
  const sizes = base.kind === 'symbol' && !base.index ? sizesBelow(sub) : undefined;
  if (sizes && base.kind === 'symbol') return { ...base, sizes, range };
  // Sizes below a matrix that is turned are those it has then.
  const turned = base.kind === 'group' && base.open === '' && base.of.kind === 'transpose' && base.of.of.kind === 'symbol' ? base.of : undefined; // prettier-ignore
  const own = turned && sizesBelow(sub);
  if (turned?.of.kind === 'symbol' && own) return { ...turned, of: { ...turned.of, sizes: [...own].reverse() }, range };
  const index = wordIn(base, sub) ?? indexOf(sub);
  if (base.kind === 'call') return { ...base, index: [...(base.index ?? []), ...index], range };
  if (base.kind !== 'symbol') return { kind: 'item', of: base, index, range };
  const both = labelledIndex(base, sub);
  if (both) return { ...both, range };
  const label = base.label === undefined ? labelOf(base, index) : undefined;
  return label === undefined ? { ...base, index: [...(base.index ?? []), ...index], range } : { ...base, label, range };
}

/** Two sizes or more with `×` between them. */
function sizesBelow(sub: Expression): readonly Expression[] | undefined {
  const of = bare(sub);
  if (of.kind !== 'product' || !of.signs.includes('×')) return undefined;
  const sizes = splitAtTimes(of.factors, of.signs);
  return sizes.every((one) => /^(?:symbol|number|product)$/.test(one.kind)) ? sizes : undefined;
}

function withSup(base: Expression, sup: Expression, range: TextRange): Expression {
  const of = bare(sup);
  const isSet = base.kind === 'symbol' && base.name === 'R' && base.label === undefined && !base.index && /^(?:product|quotient)$/.test(of.kind) && sizesOf(of).length > 1; // prettier-ignore
  if (isSet || isReals(base)) return { kind: 'space', sizes: sizesOf(of), range };
  if (base.kind === 'symbol' && /^[ℤℕℂ𝔽]$/u.test(base.name))
    return { kind: 'space', sizes: sizesOf(of), numbers: base, range };
  // `R_{\\Theta,m}^d`: what rotates d numbers.
  if (base.kind === 'symbol' && base.name === 'R' && of.kind === 'symbol' && base.index?.some((one) => one.kind === 'symbol' && one.name === 'Θ')) return { ...base, sizes: [of, of], range }; // prettier-ignore
  if (base.kind === 'symbol') {
    const turned = labelAndTranspose(of);
    const label = turned ?? superLabel(base, sup);
    const named: SymbolPart | undefined =
      label === undefined || base.label !== undefined ? undefined : { ...base, label, range };
    // `W^D_Q`: two names are one.
    if (label !== undefined && base.label !== undefined && /^[A-Z]\w*$/.test(label) && /^[A-Z]$/.test(base.name))
      return { ...base, label: `${base.label}^${label}`, range };
    if (named) return turned === undefined ? named : { kind: 'transpose', of: named, range };
    // `W_Q^{(i)}`, `q^i_t`: a second label counts.
    if (label !== undefined) return { ...base, index: [...(base.index ?? []), of], range };
  }
  // `W_q^i`, `W_q^0`: weights that have their own name are counted, not raised to a power.
  const isCounted = (of.kind === 'symbol' && /^[a-z]$/.test(of.name) && !of.index) || of.kind === 'number';
  if (base.kind === 'symbol' && /^[WU]$/.test(base.name) && base.label !== undefined && isCounted)
    return { ...base, index: [...(base.index ?? []), of], range };
  // `Q^p`: the queries of head p.
  if (
    base.kind === 'symbol' &&
    /^[QKVHZO]$|^(?:head|weights|scores)$/.test(base.name) &&
    of.kind === 'symbol' &&
    /^[a-z]$/.test(of.name) &&
    !of.index
  )
    return { ...base, index: [...(base.index ?? []), of], range };
  return { kind: 'power', base, exponent: of, range };
}

/** `W^{Q\top}`. */
function labelAndTranspose(of: Expression): string | undefined {
  if (of.kind !== 'product' && of.kind !== 'list') return undefined;
  const [label, turned, more] = of.kind === 'product' ? of.factors : of.items;
  const isTurned = turned?.kind === 'symbol' && turned.name === 'T';
  if (!isTurned || more) return undefined;
  // `K^{(l)T}`.
  if (label?.kind === 'group' && label.open === '(' && label.of.kind === 'symbol') return `(${label.of.name})`;
  return label?.kind === 'symbol' && label.name.length === 1 ? label.name : undefined;
}

function superLabel(base: SymbolPart, sup: Expression): string | undefined {
  const of = bare(sup);
  if (isBracketed(sup) && of.kind === 'symbol') return `(${of.name})`;
  if (isBracketed(sup) && of.kind === 'number') return `(${of.value})`;
  const spelled =
    of.kind === 'product' && base.name.length === 1 && base.name !== 'e' ? capitals(of.factors) : undefined;
  if (spelled !== undefined && of.kind === 'product' && of.signs.every((sign) => sign === '')) return spelled;
  if (of.kind !== 'symbol' || base.name === 'e') return undefined;
  if (/^[A-SU-Z*]$/.test(of.name) || (of.name.length > 1 && !/^(?:th|st|nd|rd)$/.test(of.name))) return of.name;
  return /^[qkvolh]$/.test(of.name) && /^[A-Z]$/.test(base.name) ? of.name : undefined;
}

/** `DKV` of `W^{DKV}`: what a matrix is for, spelled in capitals. A T at the end transposes. */
function capitals(factors: readonly Expression[]): string | undefined {
  const name = factors.map((one) => (one.kind === 'symbol' && !one.index && one.label === undefined && !one.primes ? one.name : ' ')).join(''); // prettier-ignore
  return /^[A-Z]{1,3}[A-SU-Z]$/.test(name) ? name : undefined;
}

const isBracketed = (of: Expression): boolean =>
  of.kind === 'group' && (of.open === '(' || (of.open === '' && isBracketed(of.of)));

const isReals = (of: Expression): boolean => of.kind === 'symbol' && of.name === 'ℝ';

/** `\{0, -\infty\}^{n \times n}` and `[0, 1]^n` behind ∈: tensors of the numbers of a list or an interval. */
export function spaceOfNumbers(of: Expression): Expression | undefined {
  if (of.kind !== 'power' || of.base.kind !== 'group' || of.base.of.kind !== 'list') return undefined;
  const [first, ...rest] = of.base.of.items;
  const isEnd = (one: Expression): boolean => /^(?:number|dots|symbol|infinity|sum)$/.test(one.kind);
  if (first?.kind !== 'number' || rest.length === 0 || !rest.every(isEnd)) return undefined;
  return { kind: 'space', sizes: sizesOf(of.exponent), numbers: of.base, range: of.range };
}

/** The sizes of a set: `m \times d_k`; one for a set of vectors. */
function sizesOf(of: Expression): readonly Expression[] {
  if (of.kind === 'product' && of.signs.includes('×')) return splitAtTimes(of.factors, of.signs).flatMap(sizesOf);
  // `d \times d_k/h`: the last size alone is divided. In a fraction all of them would be.
  if (of.kind === 'quotient' && of.range.start === of.over.range.start) {
    const over = sizesOf(of.over);
    return over.map((size, i) => (i < over.length - 1 ? size : { ...of, over: size }));
  }
  const { sizes: [first, ...rest] = [], ...name } = of.kind === 'symbol' ? of : ({ ...of, sizes: [] } as const);
  // `d_{k \times m}`: a brace that closes too late.
  if (name.kind === 'symbol' && name.name === 'd' && first?.kind === 'symbol' && /^(?:[aqkv]|\w{3,})$/.test(first.name)) return [{ ...name, label: keyOf(first) }, ...rest]; // prettier-ignore
  if (of.kind === 'symbol' && of.sizes) return [{ kind: 'unread', text: '×', range: of.range }];
  return of.kind === 'list' ? of.items : [withLabels(of)];
}

/** `p_q \times h p_v`: what stands below a size counts nothing. */
function withLabels(of: Expression): Expression {
  if (of.kind === 'product') return { ...of, factors: of.factors.map(withLabels) };
  const [below, more] = (of.kind === 'symbol' && of.label === undefined && of.index) || [];
  if (of.kind !== 'symbol' || below?.kind !== 'symbol' || below.index || more) return of;
  const { index: _, ...size } = of;
  return { ...size, label: below.name };
}

/** Factors between `×`: `h d_v × d` is two sizes, the first a product. */
export function splitAtTimes(factors: readonly Expression[], signs: readonly string[]): readonly Expression[] {
  const groups: Expression[][] = [];
  factors.forEach((factor, i) => {
    if (i === 0 || signs[i - 1] === '×') groups.push([factor]);
    else groups.at(-1)?.push(factor);
  });
  return groups.map((parts) => {
    const [only] = parts;
    if (only && parts.length === 1) return only;
    const range = { start: parts[0]?.range.start ?? 0, end: parts.at(-1)?.range.end ?? 0 };
    return { kind: 'product', factors: parts, signs: parts.slice(1).map(() => '' as const), range };
  });
}
