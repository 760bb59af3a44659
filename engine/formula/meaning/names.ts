/** The shape of a name: as the document declares it, as a formula defines it, else as texts on attention use it. */
import { formatShape, type Dim, type Shape } from '../../program';
import { t, type Problem } from '../../text';
import { keyOf, type Expression, type SymbolPart } from '../tree';
import { asOf, shapeOf, type Declared, type Reading } from './context';
import { agreedAxes, axesInWords, contradicted, guess, holdsAt, meansTheSame, sectionOf, weighing } from './evidence';
import { isCount, isOpen, open, resolved, resolvedShape, sizeOf, soleName } from './sizes';

export const indexedKey = (of: SymbolPart): string =>
  keyOf(of) + (numberOfWeights(of) ?? '[]'.repeat(of.index?.length ?? 0));

/** `W_1` and `W_2` are two matrices, and what is said of one is nothing of the other. */
const numberOfWeights = ({ name, label, index }: SymbolPart): string | undefined => {
  const [only] = index ?? [];
  return /^[WbBU]$/.test(name) && label === undefined && index?.length === 1 && only?.kind === 'number' ? `_${only.value}` : undefined; // prettier-ignore
};

/** Undefined where nothing is known of it. Where sizes are a guess, and words say how many axes it has, its axes are no guess. */
export function shapeOfName(r: Reading, of: SymbolPart): Shape | undefined {
  const before = r.ground.guesses;
  const shape = foundShape(r, of);
  const isSaid = r.ground.guesses > before && shape !== undefined && axesInWords(r.document, of) === shape.length && meansTheSame(r, indexedKey(of)); // prettier-ignore
  if (!isSaid || r.document.unread.has(indexedKey(of))) return shape;
  r.ground.guesses = before;
  r.guessed.delete(indexedKey(of));
  return inWords(r, of, indexedKey(of));
}

function foundShape(r: Reading, of: SymbolPart): Shape | undefined {
  const key = indexedKey(of);
  if (isEntryOfBold(r, of, key)) return [];
  const local = r.local.get(key);
  if ((local && r.guessed.has(key)) || r.document.unread.has(key)) guess(r);
  return (
    local ??
    ahead(r, key) ??
    saidBefore(r, of, key) ??
    saidOfLetter(r, of) ??
    defined(r, key, of) ??
    entry(r, of) ??
    (!of.index && r.document.wholes.has(key) ? usual(r, of, key) : undefined) ??
    (sizeOf(r.document.sizes, of) === undefined || /^[QKV]$/.test(key) ? usual(r, of, key) : ofSize(r, of, key))
  );
}

/** `h_0` beside bold `\\mathbf{h} ∈ ℝ^d` and `\\mathbf{h}_y ∈ ℝ^{d/2}`: bold letters are the vectors, and this is an entry of one. */
function isEntryOfBold(
  { document: { declared, defined } }: Reading,
  { bold, index, name, label }: SymbolPart,
  key: string,
): boolean {
  if (bold || index?.length !== 1) return false;
  const isBold = (all: readonly Declared[] | undefined): boolean => all?.every((one) => one.bold && one.shape.length === 1) === true; // prettier-ignore
  const whole = declared.get(name + (label === undefined ? '' : `_${label}`)) ?? declared.get(name);
  return isBold(whole) && isBold(declared.get(key)) && !defined.has(key);
}

/** A letter that is a size here and that words call a vector: transposed, or behind what is, it is the vector. */
export const vectorOfSize = (r: Reading, of: Expression | undefined): Shape | undefined =>
  of?.kind === 'symbol' && axesInWords(r.document, of) === 1 && sizeOf(r.document.sizes, of) !== undefined && !r.document.declared.has(indexedKey(of)) ? inWords(r, of, indexedKey(of)) : undefined; // prettier-ignore

/** A size: a number, where it is a name of one in this document, and not only a letter that often is. */
function ofSize(r: Reading, of: SymbolPart, key: string): Shape {
  const { names, facts } = r.document.sizes;
  if ((!names.has(key) && !facts.has(key)) || axesInWords(r.document, of) === 1) guess(r);
  return [];
}

function said(r: Reading, key: string): Shape | undefined {
  const { document, at, statedOnly } = r;
  const all = document.declared.get(key);
  const one = asOf(all, at);
  if (!all || !one || (statedOnly && one.inferred)) return undefined;
  const other = contradicted(r, all, one);
  if (other) r.problems.push(opposite(r, key, [other, one]));
  if (holdsAt(r, all, one, key)) return resolvedShape(document.sizes, one.shape);
  const axes = agreedAxes(r, all, key);
  if (axes !== undefined) return anySize(r, axes);
  guess(r);
  return resolvedShape(document.sizes, one.shape);
}

/** Axes of sizes that are not said here. */
const anySize = (r: Reading, axes: number): Shape => Array.from({ length: axes }, () => open(r.document.sizes, '?'));

/** The text says a shape, and the same the other way round. */
const opposite = ({ document: { sizes }, range }: Reading, key: string, all: readonly Declared[]): Problem => {
  const [a = '', b = ''] = all.map(({ shape }) => formatShape(resolvedShape(sizes, shape)));
  return { code: 'formula-contradiction', message: t('the text says two shapes of {0}: {1} and {2}', plainKey(key), a, b), range }; // prettier-ignore
};

const plainKey = (key: string): string => key.replace(/\[\]/g, '_i');

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
  const before = r.ground.guesses;
  const shape = defined({ ...r, local: new Map(), statedOnly: true }, key);
  const isFar = one.at - r.at > farAhead && shape?.every((dim) => !isOpen(resolved(sizes, dim))) === true;
  if (shape && (isFar || shape.length !== one.shape.length)) return resolvedShape(sizes, shape);
  // What is not taken leaves no guess behind.
  r.ground.guesses = before;
  return undefined;
}

/** What is said further on than this many characters is of another section. */
const farAhead = 3000;

/** "where A ∈ ℝ^{D×D}", of A_q, A_k and A_v. */
const saidOfLetter = (r: Reading, of: SymbolPart): Shape | undefined =>
  !of.index && of.label !== undefined && /^[qkvQKV]$/.test(of.label) ? said(r, of.name) : numberOfWeights(of) === undefined ? undefined : said(r, `${of.name}[]`); // prettier-ignore

const deepest = 12;

function defined(r: Reading, key: string, asked?: SymbolPart): Shape | undefined {
  // prettier-ignore
  const all = r.document.defined.get(key);
  const isNumbered = asked?.index?.some(({ kind }) => kind === 'number') === true;
  const last = asOf(all, r.at);
  const isOther = last?.isExample === true && !isNumbered && last.at !== asked?.range.start;
  const one = isOther
    ? asOf(
        all?.filter(({ isExample }) => !isExample),
        r.at,
      )
    : last;
  if (!one || r.following.has(key) || r.following.size > deepest) return undefined;
  r.following.add(key);
  const inner: Reading = { ...r, at: one.at, shapes: new Map(), problems: [], local: new Map(), guessed: new Set(), usual: new Set() }; // prettier-ignore
  const { found: shape, isUsual } = weighing(r, () => shapeOf(inner, one.of));
  const isFar = one.at > r.at && sectionOf(r.document, one.at) !== sectionOf(r.document, r.at);
  // `q_φ` beside `q_i`: of parameters.
  if (isFar || asked?.index?.some((by) => by.kind === 'symbol' && /^[θφϕψ]$/.test(by.name))) guess(r);
  r.following.delete(key);
  if (shape) r.local.set(key, shape);
  if (shape && (isUsual || isFar)) r.guessed.add(key);
  return shape;
}

/** `q_i` is a row of Q, `X_{ij}` a cell of X, `W_i^Q` has the shape of `W^Q`. */
function entry(r: Reading, of: SymbolPart): Shape | undefined {
  // prettier-ignore
  const { index, ...base } = of;
  if (!index) return undefined;
  if (index.length > 1 && axesInWords(r.document, of) === 0) return [];
  if (index.length > 1) return of.label === undefined || index.length > 2 ? cellOf(r, base, index.length) : undefined;
  const weight = /^[WBb]/.test(of.name) && of.label !== undefined;
  const { found: own, isUsual } = weighing(r, () => saidHere(r, keyOf(base)) ?? (weight ? (defined(r, keyOf(base)) ?? shapeOfName(r, base)) : undefined)); // prettier-ignore
  // The weights of one head: those of all may be wider.
  if (weight) return own && (isUsual || own.every(isOpen) ? own : anySize(r, own.length));
  if (own?.length === 1) return [];
  const isLower = of.name !== of.name.toUpperCase();
  const matrix = of.name.toUpperCase() + (of.label === undefined ? '' : `_${of.label}`);
  const whole = said(r, matrix) ?? (isLower && /^[QKV]$/.test(matrix) ? defined(r, matrix) : undefined);
  return isLower && whole?.length === 2 ? tokenOf(r, whole) : undefined;
}

/** `X_{ij}`: a number, of what the document says to be a matrix; else only usually. */
function cellOf(r: Reading, base: SymbolPart, axes: number): Shape {
  const shape = r.document.declared.get(keyOf(base))?.at(-1)?.shape;
  if (shape?.length !== axes && axesInWords(r.document, base) !== axes) guess(r);
  return [];
}

/** What is said of x in another section is nothing that x_i is a part of. */
function saidHere(r: Reading, key: string): Shape | undefined {
  const all = r.document.declared.get(key);
  const one = asOf(all, r.at);
  return all && one && (one.shape.length > 1 || (!one.inferred && holdsAt(r, all, one, key)))
    ? said(r, key)
    : undefined;
}

/** One token of a matrix: along what is no count of tokens, where the names say that; else as vectors stand in this document. */
function tokenOf(r: Reading, whole: Shape): Shape {
  const { sizes, vectors } = r.document;
  const counts = whole.map((dim) => isCount(soleName(resolved(sizes, dim)) ?? 'd'));
  const isAnySize = whole.every((dim) => isOpen(resolved(sizes, dim)));
  if (counts[0] === counts[1] && vectors === undefined && !isAnySize) guess(r);
  const along = counts[0] === counts[1] ? (vectors === 'columns' ? 0 : 1) : counts[0] ? 1 : 0;
  return whole.slice(along, along + 1);
}

const hints: Readonly<Record<string, readonly [string, string]>> = {
  Q: ['n_q', 'd_k'], K: ['n_k', 'd_k'], V: ['n_k', 'd_v'], X: ['n', 'd_model'], H: ['n', 'd_model'], Z: ['n', 'd_v'], O: ['n', 'd_v'], Y: ['n', 'd_v'],
}; // prettier-ignore

/** As texts on attention use names that they do not introduce. */
function usual(r: Reading, of: SymbolPart, key: string): Shape | undefined {
  const shape = usually(r, of, key);
  if (!shape) return inWords(r, of, key);
  const { name, label, index } = of;
  const axes = axesInWords(r.document, of);
  if (axes === shape.length) return shape;
  // A capital that is called a vector: what is usual is not meant. `V_j` is a row.
  if (axes === 1 && shape.length === 2 && !index) {
    // "the query vector Q" and "the i-th key vector K_i": it is one query.
    if (key === 'Q' && axesInWords(r.document, { ...of, name: 'K', index: [of] }) === 1) return inWords(r, of, key);
    r.problems.push({ code: 'formula-contradiction', message: t('the text calls {0} a vector; usually it is a matrix', name), range: of.range }); // prettier-ignore
    return undefined;
  }
  if (axes !== undefined && (axes > 0 || index !== undefined)) return inWords(r, of, key);
  // What counts tokens and places is a number.
  if (!index && label === undefined && /^(?:pos|position|[ij])$/.test(name)) return shape;
  guess(r);
  if (shape.length > 0) r.guessed.add(key);
  return shape;
}

/** "the matrix $M$": its axes, of unknown size. */
function inWords(r: Reading, of: SymbolPart, key: string): Shape | undefined {
  const count = axesInWords(r.document, of);
  if (count === undefined) return undefined;
  const shape = Array.from({ length: count }, () => open(r.document.sizes, '?'));
  r.local.set(key, shape);
  return shape;
}

function usually(r: Reading, of: SymbolPart, key: string): Shape | undefined {
  const { sizes } = r.document;
  const give = (...names: readonly string[]): Shape => {
    const shape: Dim[] = names.map((name) => open(sizes, name));
    r.local.set(key, shape);
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
    const isMatrix = /^[QKV]$/.test(name) || (/^[XH]$/.test(name) && index[0]?.kind === 'number');
    return isMatrix ? give(...(hints[name] ?? [])) : undefined;
  }
  if (index) return undefined;
  // `q^{(i)}`.
  if (/^[qkvxyz]$/.test(name) && /^\(\w+\)$/.test(label ?? ''))
    return give(name === 'v' ? 'd_v' : /^[qk]/.test(name) ? 'd_k' : 'd');
  if (index === undefined && r.document.wholes.has(key)) return give('n', 'd_model');
  const named = hints[name];
  if (named && (label === undefined || label.length > 1))
    return give(...(r.columns || r.document.columnsOf.has(key) ? [...named].reverse() : named));
  if (name === 'W' || (name === 'U' && label !== undefined))
    return r.columns || r.document.vectors === 'columns' ? give('d_out', 'd_in') : give('d_in', 'd_out');
  if (/^[QKVXAMPBS]$/.test(name)) return give('n', label ? 'd' : 'm');
  if (/^[qkvxyo]$/.test(name) && label === undefined) return give(/^[qk]/.test(name) ? 'd_k' : 'd');
  if (/^b$/.test(name) && label !== undefined) return give('d_out');
  return /^(?:[αβγλτεσπθφijlpstmnrcω]|pos|position)$/.test(name) ? [] : undefined;
}
