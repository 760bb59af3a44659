/** What is written item by item: lists, ranges, grids with dots, heads side by side. */
import { type Dim, type Shape, multiply, add as plus } from '../../program';
import { t } from '../../text';
import { bare, type Call, type Expression, type Matrix, type SymbolPart } from '../tree';
import { type Reading, shapeOf } from './context';
import { guess, weighing } from './evidence';
import { equal, formatted, problem } from './fit';
import { shapeOfName } from './names';
import { open, resolved, resolvedShape, sizeOf, undecided, writtenShape } from './sizes';

/** `h_{1:T}`: T of them. */
export function ofRange(r: Reading, of: SymbolPart, [from, to]: readonly Expression[]): Shape | undefined {
  if (!from || !to) return undefined;
  const one = shapeOfName(r, { ...of, index: [from] });
  // Components of a vector, or vectors: the text has both.
  if (one?.length === 0) return undefined;
  const count = sizeIn(r, to) ?? open(r.document.sizes, 'n');
  if (r.document.vectors === undefined) guess(r);
  return one && resolvedShape(r.document.sizes, r.document.vectors === 'columns' ? [...one, count] : [count, ...one]);
}

export function ofGroup(r: Reading, of: Expression, open: string): Shape | undefined {
  if (of.kind === 'list' && of.joined) return joinedVectors(r, of.items) ?? stackedAny(r, of.items);
  const joined = of.kind === 'list' && open === '[' ? joinedMatrices(r, of.items) : undefined;
  if (joined) return joined;
  return of.kind === 'list' ? (ofList(r, of.items, true) ?? stacked(r, of.items)) : shapeOf(r, of);
}

/** `[o_1; …; o_h]`: one long vector. */
function joinedVectors(r: Reading, items: readonly Expression[]): Shape | undefined {
  const shapes = items.map((item) => (isDots(item) ? undefined : shapeOf(r, item)));
  const known = shapes.flatMap((shape) => (shape ? [shape] : []));
  const dims = known.map((shape) => (shape.length === 1 ? resolved(r.document.sizes, shape[0] as Dim) : undefined));
  const [first] = dims;
  if (first === undefined || dims.some((dim) => dim === undefined)) return undefined;
  if (!items.some(isDots))
    return known.length === items.length ? [dims.reduce<Dim>((sum, dim) => plus(sum, dim as Dim), 0)] : undefined;
  const count = countUpTo(r, items);
  return [count === undefined ? open(r.document.sizes, '?') : multiply(count, first)];
}

const stackedAny = (r: Reading, items: readonly Expression[]): Shape | undefined =>
  items.filter((item) => !isDots(item)).every((item) => r.shapes.get(item)?.length === 2) ? [undecided, undecided] : undefined; // prettier-ignore

/** `[head_1, …, head_h]`, `[QW_1, …, QW_h]`: heads side by side. */
function joinedMatrices(r: Reading, items: readonly Expression[]): Shape | undefined {
  const written = items.filter((item) => !isDots(item));
  const shapes = written.map((item) => shapeOf(r, item));
  const [first, one] = [written[0], shapes[0]];
  if (!first || !one || written.length === items.length || !shapes.every((shape) => shape?.length === 2))
    return undefined;
  if (!isOfHead(first)) return undefined;
  const count = countUpTo(r, items);
  return [one[0] as Dim, count === undefined ? undecided : multiply(count, resolved(r.document.sizes, one[1] as Dim))];
}

function isOfHead(of: Expression): boolean {
  const at = bare(of);
  if (at.kind === 'call') return isAttended(at) || /^head/i.test(at.name);
  if (at.kind === 'symbol') return at.name === 'head' || /^[HOZW]$/.test(at.name);
  const last = at.kind === 'product' ? at.factors.at(-1) : undefined;
  return last?.kind === 'symbol' && last.name === 'W';
}

/** `[K_1; K_2]`, `[A, B]`: below one another, or side by side. Which of them is not told apart. */
function stacked(r: Reading, items: readonly Expression[]): Shape | undefined {
  const shapes = items.map((item) => r.shapes.get(item));
  return shapes.length > 1 && shapes.every((shape) => shape?.length === 2) ? [undecided, undecided] : undefined;
}

export const isDots = ({ kind }: Expression): boolean => kind === 'dots';

/** Items of one kind in a row: `(w_{i1}, …, w_{in})` has n of them. Others are separate statements. */
export function ofList(r: Reading, items: readonly Expression[], inBrackets = false): Shape | undefined {
  const shapes = items.map((item) => (isDots(item) ? undefined : shapeOf(r, item)));
  const last = items.at(-1);
  if (!items.some(isDots) || !last) return items.length === 1 ? shapes[0] : undefined;
  const one = shapes.find((shape) => shape !== undefined);
  const count = countUpTo(r, items);
  const many = count ?? open(r.document.sizes, 'n');
  if (inBrackets && one && one.length > 0 && r.document.vectors === undefined) guess(r);
  return one && (inBrackets && one.length === 1 && r.document.vectors === 'columns' ? [...one, many] : [many, ...one]);
}

/** How many there are, by what differs from the first to the last: h of `o_i^{(1)}, …, o_i^{(h)}`. */
export function countUpTo(r: Reading, items: readonly Expression[]): Dim | undefined {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return undefined;
  const [from, to] = [first, last].map((of) =>
    of.kind === 'symbol' ? /^\((\w+)\)$/.exec(of.label ?? '')?.[1] : undefined,
  );
  if (from === '1' && to !== undefined && first.kind === 'symbol' && last.kind === 'symbol' && first.name === last.name)
    return sizeIn(r, { kind: 'symbol', name: to, range: last.range });
  return counted(r, first, last) ?? countOf(r, last);
}

/** How many there are, by the index of the last: n of `x_n`, of `w_{in}`, of `exp(q_i·k_n)`. */
export function countOf(r: Reading, of: Expression, along: 'last' | 'first' = 'last'): Dim | undefined {
  const index = lastIndex(of, along);
  return index && sizeIn(r, index);
}

const sizeIn = (r: Reading, of: Expression): Dim | undefined => {
  if (of.kind === 'symbol' && !of.index) r.document.sizes.names.add(of.name);
  return sizeOf(r.document.sizes, of);
};

function lastIndex(of: Expression, along: 'last' | 'first'): Expression | undefined {
  switch (of.kind) {
    case 'symbol':
      return along === 'last' ? of.index?.at(-1) : of.index?.[0];
    case 'product': {
      const order = along === 'last' ? [...of.factors].reverse() : of.factors;
      return order.map((factor) => lastIndex(factor, along)).find((index) => index !== undefined);
    }
    case 'quotient':
      return lastIndex(of.over, along);
    case 'call':
      return of.args[0] && lastIndex(of.args[0], along);
    case 'group':
    case 'transpose':
    case 'item':
      return lastIndex(of.of, along);
    case 'sigma':
      return lastIndex(of.of, along === 'first' ? 'first' : 'last');
    default:
      return undefined;
  }
}

/** `[1, 0]`, `(2, -3)`: a vector of numbers. */
export const ofNumbers = (of: Expression): Shape | undefined =>
  of.kind === 'list' && !of.joined && of.items.length > 1 && of.items.every(isWritten) ? [of.items.length] : undefined;

export const isWritten = (of: Expression): boolean =>
  of.kind === 'number' || (of.kind === 'sum' && of.terms.every(isWritten)) || (of.kind === 'quotient' && isWritten(of.over) && isWritten(of.under)); // prettier-ignore

export function ofMatrix(r: Reading, { rows }: Matrix): Shape | undefined {
  const start = r.ground.guesses;
  const lines = rows.filter((row) => !(row.every(isLine) && row.some(({ kind }) => kind === 'rule')));
  const cells = lines.flat().filter((cell) => !isDots(cell) && cell.kind !== 'rule');
  const entries = cells.map((cell) => shapeOf(r, cell));
  const one = entries.find((shape) => shape !== undefined);
  const isPicture = rows.some((row) => row.some(({ kind }) => kind === 'rule'));
  const wide = Math.max(...lines.map((row) => row.filter(({ kind }) => kind !== 'rule').length));
  const across = extent(r, lines.find((row) => !row.every(isDots)) ?? [], 'last');
  const down = extent(r, lines.map((row) => row.find(({ kind }) => kind !== 'rule') as Expression), 'first'); // prettier-ignore
  if (one?.length === 1) {
    // Rows drawn with lines before and after them, or vectors one below another; with lines above and below they are columns.
    const columns = isPicture && rows.length > lines.length;
    return columns || (wide > 1 && lines.length === 1) ? [one[0] as Dim, across] : [down, one[0] as Dim];
  }
  // Rows that are vectors on their side, one below another.
  const areRows = wide === 1 && entries.every((entry) => entry?.length === 2 && entry[0] === 1);
  if (areRows && one?.[1] !== undefined) return [down, one[1]];
  if (one && one.length > 1) return undefined;
  // Its cells are numbers, as in every grid.
  if (one) r.ground.guesses = start;
  return [down, across];
}

const isLine = ({ kind }: Expression): boolean => kind === 'rule' || kind === 'dots';

/** Rows or columns: those that are written, or as many as the last index says where some are left out. */
function extent(r: Reading, cells: readonly Expression[], along: 'first' | 'last'): Dim {
  const own = cells.filter((cell) => cell.kind !== 'rule');
  const left = own.filter(isDots).length;
  if (left === 0) return own.length;
  if (left > 1 || !countsFromOne(own, along)) return open(r.document.sizes, '?');
  const last = own.findLast((cell) => !isDots(cell));
  const of = last && (last.kind === 'sum' || last.kind === 'number' ? undefined : last);
  const first = own.find((cell) => !isDots(cell));
  const count = (of && (first && first !== of ? counted(r, first, of) : undefined)) ?? (of && countOf(r, of, along));
  return count ?? open(r.document.sizes, '?');
}

/** `x_1, x_2, …, x_n`: only then the last index says how many. Not `x_0 … x_n`, `c, x_1 … x_n`, `θ_1, θ_1, … θ_n`. */
function countsFromOne(cells: readonly Expression[], along: 'first' | 'last'): boolean {
  const written = cells.filter((cell) => !isDots(cell));
  const [first, last] = [written[0], written.at(-1)];
  if (!first || !last || written.some((cell) => withoutIndex(cell) !== withoutIndex(first))) return false;
  const [from, to] = [first, last].map((of) => (of.kind === 'symbol' && of.index?.length === 2 ? of.index : undefined));
  const place = from && to ? to.findIndex((one, i) => plainIndex(one) !== plainIndex(from[i])) : -1;
  const at = (of: Expression): Expression | undefined => place >= 0 && of.kind === 'symbol' ? of.index?.[place] : lastIndex(of, along); // prettier-ignore
  const before = cells.findIndex(isDots);
  return (
    cells.slice(0, before).every((cell, i) => plainIndex(at(cell)) === i + 1) &&
    (before === cells.length - 2 || cells.length - 1 === before)
  );
}

const withoutIndex = (of: Expression): string =>
  JSON.stringify(of, (key, value: unknown) => (key === 'index' || key === 'range' ? undefined : value));

/** `α_{1,1} … α_{n,1}`: what differs from the first to the last counts, whichever it is. */
export function counted(r: Reading, first: Expression, last: Expression): Dim | undefined {
  const [from, to] = [first, last].map((of) => (of.kind === 'symbol' && of.index?.length === 2 ? of.index : undefined));
  if (!from || !to) return undefined;
  const differ = to.filter((one, i) => plainIndex(one) !== plainIndex(from[i]));
  return differ.length === 1 && differ[0] ? sizeIn(r, differ[0]) : undefined;
}

const plainIndex = (of: Expression | undefined): string | number | undefined =>
  of?.kind === 'symbol' ? of.name : of?.kind === 'number' ? of.value : undefined;

/** `Attention(Q, K, V)`, with a mask behind them, and what is called otherwise: `A(QW_i^Q, KW_i^K, VW_i^V)`. */
export function isAttended({ name, args }: Call): boolean {
  if (/attention|^attn/i.test(name) && !/multi ?head/i.test(name)) return args.length === 3 || args.length === 4;
  const first = args.map((arg) => (arg.kind === 'product' ? arg.factors[0] : undefined));
  return args.length === 3 && first.every((one, i) => one?.kind === 'symbol' && one.name === 'QKV'[i]);
}

export function ofItem(r: Reading, of: Expression, index: readonly Expression[]): Shape | undefined {
  const { found: shape, isUsual } = weighing(r, () => shapeOf(r, of));
  // `[…]_{n \times d}`: its shape, written below.
  const said = index[0] && writtenShape(r.document.sizes, index[0]);
  if (said && (!shape || shape.length === 0 || isUsual || equal(r, shape, said))) return said;
  if (said && shape) {
    problem(r, of.range, t('the two sides do not have one shape: {0} and {1}', formatted(r, shape), formatted(r, said))); // prettier-ignore
    return undefined;
  }
  const inner = bare(of);
  const own = inner.kind === 'symbol' && inner.index?.length === 2 && shape?.length === 0 ? inner.index : undefined;
  const isSame = own?.length === index.length && own.every((one, i) => plainIndex(one) !== undefined && plainIndex(one) === plainIndex(index[i])); // prettier-ignore
  // `(α_{ij})_{1,2}`: one of them.
  if (own?.length === index.length && !isSame && index.every(({ kind }) => kind === 'number')) return [];
  // `(α_{ij})_{i,j}`: all of them. `{(k_i, v_i)}_{i=1…n}`: pairs, which have no shape.
  if (isSame) return index.map(() => open(r.document.sizes, '?'));
  if (!index.some(({ kind }) => kind === 'relation')) return within(shape, index);
  problem(r, of.range, t('its shape is not known'));
  return undefined;
}

export function within(shape: Shape | undefined, index: readonly Expression[]): Shape | undefined {
  if (!shape) return index.length > 1 ? [] : undefined;
  return index.length > shape.length ? undefined : shape.slice(index.length);
}
