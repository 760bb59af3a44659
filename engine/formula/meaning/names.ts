/** The shape of a name: as the document declares it, as a formula defines it, else as texts on attention use it. */
import type { Dim, Shape } from '../../program';
import { keyOf, type SymbolPart } from '../tree';
import { asOf, shapeOf, type Reading } from './context';
import { isCount, isOpen, open, resolved, resolvedShape, sizeOf, soleName } from './sizes';

export const indexedKey = (of: SymbolPart): string => keyOf(of) + '[]'.repeat(of.index?.length ?? 0);

/** Undefined where nothing is known of it. */
export function shapeOfName(r: Reading, of: SymbolPart): Shape | undefined {
  // prettier-ignore
  const key = indexedKey(of);
  return (
    r.local.get(key) ??
    ahead(r, key) ??
    saidBefore(r, of, key) ??
    saidOfLetter(r, of) ??
    defined(r, key, of) ??
    entry(r, of) ??
    (!of.index && r.document.wholes.has(key) ? usual(r, of, key) : undefined) ??
    (sizeOf(r.document.sizes, of) === undefined || /^[QKV]$/.test(key) ? usual(r, of, key) : [])
  );
}

const said = ({ document, at, statedOnly }: Reading, key: string): Shape | undefined => {
  const one = asOf(document.declared.get(key), at);
  if (statedOnly && one?.inferred) return undefined;
  return one && resolvedShape(document.sizes, one.shape);
};

/** What only follows from another equation is not what a row of a matrix has that the document gives: v_i is a row of V. */
function saidBefore(r: Reading, of: SymbolPart, key: string): Shape | undefined {
  // prettier-ignore
  const isInferred = asOf(r.document.declared.get(key), r.at)?.inferred === true;
  const row = isInferred && /^[qkv]$/.test(of.name) && of.index?.length === 1 ? entry(r, of) : undefined;
  return row && !row.some((dim) => isOpen(resolved(r.document.sizes, dim))) ? row : said(r, key);
}

/**
 * What a formula before this place has made the name is not what the text says of it further on, where that is another shape: the queries of one head
 * here, of all heads in the next section.
 */
function ahead(r: Reading, key: string): Shape | undefined {
  // prettier-ignore
  const { declared, defined: all, sizes } = r.document;
  const one = asOf(declared.get(key), r.at);
  if (!one || one.at <= r.at || one.inferred || !(all.get(key) ?? []).some(({ at }) => at <= r.at)) return undefined;
  const shape = defined({ ...r, local: new Map(), statedOnly: true }, key);
  const isFar = one.at - r.at > farAhead && shape?.every((dim) => !isOpen(resolved(sizes, dim))) === true;
  return shape && (isFar || shape.length !== one.shape.length) ? resolvedShape(sizes, shape) : undefined;
}

/** What is said further on than this many characters is of another section. */
const farAhead = 3000;

/** "where A ∈ ℝ^{D×D}", of A_q, A_k and A_v. */
const saidOfLetter = (r: Reading, { name, label, index }: SymbolPart): Shape | undefined =>
  !index && label !== undefined && /^[qkvQKV]$/.test(label) ? said(r, name) : undefined;

const deepest = 12;

function defined(r: Reading, key: string, asked?: SymbolPart): Shape | undefined {
  // prettier-ignore
  const all = r.document.defined.get(key);
  const isNumbered = asked?.index?.some(({ kind }) => kind === 'number') === true;
  const one = asOf(
    isNumbered ? all : all?.filter(({ isExample, at }) => !isExample || at === asked?.range.start),
    r.at,
  );
  if (!one || r.following.has(key) || r.following.size > deepest) return undefined;
  r.following.add(key);
  const inner: Reading = { ...r, at: one.at, shapes: new Map(), problems: [], local: new Map() };
  const shape = shapeOf(inner, one.of);
  r.following.delete(key);
  if (inner.assumed) r.assumed = true;
  if (shape) r.local.set(key, shape);
  return shape;
}

/** `q_i` is a row of Q, `X_{ij}` a cell of X, `W_i^Q` has the shape of `W^Q`. */
function entry(r: Reading, of: SymbolPart): Shape | undefined {
  // prettier-ignore
  const { index, ...base } = of;
  if (!index) return undefined;
  if (index.length > 1) return of.label === undefined || index.length > 2 ? [] : undefined;
  const weight = /^[WBb]/.test(of.name) && of.label !== undefined;
  const own = said(r, keyOf(base)) ?? (weight ? (defined(r, keyOf(base)) ?? shapeOfName(r, base)) : undefined); // prettier-ignore
  if (weight) return own;
  if (own?.length === 1) return [];
  const isLower = of.name !== of.name.toUpperCase();
  const matrix = of.name.toUpperCase() + (of.label === undefined ? '' : `_${of.label}`);
  const whole = said(r, matrix) ?? (isLower && /^[QKV]$/.test(matrix) ? defined(r, matrix) : undefined);
  return isLower && whole?.length === 2 ? tokenOf(r, whole) : undefined;
}

/** One token of a matrix: along what is no count of tokens, where the names say that; else as vectors stand in this document. */
function tokenOf({ document: { sizes, vectors } }: Reading, whole: Shape): Shape {
  const counts = whole.map((dim) => isCount(soleName(resolved(sizes, dim)) ?? 'd'));
  const along = counts[0] === counts[1] ? (vectors === 'columns' ? 0 : 1) : counts[0] ? 1 : 0;
  return whole.slice(along, along + 1);
}

const hints: Readonly<Record<string, readonly [string, string]>> = {
  Q: ['n_q', 'd_k'], K: ['n_k', 'd_k'], V: ['n_k', 'd_v'], X: ['n', 'd_model'], H: ['n', 'd_model'], Z: ['n', 'd_v'], O: ['n', 'd_v'], Y: ['n', 'd_v'],
}; // prettier-ignore

/** As texts on attention use names that they do not introduce. */
function usual(r: Reading, of: SymbolPart, key: string): Shape | undefined {
  const { sizes } = r.document;
  const give = (...names: readonly string[]): Shape => {
    const shape: Dim[] = names.map((name) => open(sizes, name));
    r.local.set(key, shape);
    r.assumed = true;
    return shape;
  };
  const { name, index, label } = of;
  if (name === '𝟙') return give('n');
  if (of.vector) return give(/^[qk]$/.test(name) ? 'd_k' : name === 'v' ? 'd_v' : '?');
  if (/^[ΩΘΦΨ]$/.test(name) && label !== undefined) return give('d_out', 'd_in');
  if (/^[βμ]$/.test(name) && label !== undefined && /^[qkvo]/i.test(label)) return give('d_out');
  if (name.endsWith('\u20d7')) return give('d');
  // A cell of a head: `head_{1_{11}}`.
  if (name === 'head' && index?.some((one) => one.kind === 'item' || (one.kind === 'symbol' && one.index))) return [];
  if (name === 'head') return index ? give('n', 'd_v') : undefined;
  if (index?.length === 1) {
    if (/^[qkvxyohz]$|^out$|^[qkvxyohz]\u0302$/.test(name))
      return give(/^[qk]/.test(name) ? 'd_k' : name === 'v' ? 'd_v' : 'd');
    if (/^[waeszpclαβ]$|score|weight/i.test(name)) return [];
    return /^[QKV]$/.test(name) ? give(...(hints[name] ?? [])) : undefined;
  }
  if (index) return undefined;
  if (index === undefined && r.document.wholes.has(key)) return give('n', 'd_model');
  const named = hints[name];
  if (named && (label === undefined || label.length > 1)) return give(...(r.columns ? [...named].reverse() : named));
  if (name === 'W' || (name === 'U' && label !== undefined)) return give('d_in', 'd_out');
  if (/^[QKVXAMPBS]$/.test(name)) return give('n', label ? 'd' : 'm');
  if (/^[qkvxyo]$/.test(name) && label === undefined) return give(/^[qk]/.test(name) ? 'd_k' : 'd');
  if (/^b$/.test(name) && label !== undefined) return give('d_out');
  return /^(?:[αβγλτεσπθφijlpstmnrcω]|pos|position)$/.test(name) ? [] : undefined;
}
