import type { Problem } from './problems';
import { createStream } from './random/index';
import type { AttentionSpec, SpecHeads } from './spec';
import { splitText } from './tokens/split';

type Dims = readonly number[];
type Nested = SpecHeads | readonly unknown[];

const show = (dims: Dims): string => dims.join('×');
const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** Shape of nested arrays by their first elements; `checkSpec` has seen that the others agree. */
export function dimsOf(nested: Nested): number[] {
  const dims: number[] = [];
  for (let at: unknown = nested; Array.isArray(at); at = at[0]) dims.push(at.length);
  return dims;
}

/** What does not fit in a well-formed spec, each with the path of the field, what was found and what was expected. */
export function checkSpec(spec: AttentionSpec): Problem[] {
  const check: Checker = { spec, problems: [] };
  checkHeadCounts(check);
  const { start } = spec;
  if (start.from === 'qkv') checkQkv(check, start);
  else if (start.from === 'scores') checkScoresAndV(check, 'start.scores', start.scores, start.v);
  else if (start.from === 'weights') checkScoresAndV(check, 'start.weights', start.weights, start.v);
  else checkProjected(check);
  checkNumbers(check);
  checkMask(check);
  return check.problems;
}

interface Checker {
  readonly spec: AttentionSpec;
  readonly problems: Problem[];
}

function report({ problems }: Checker, code: string, path: string, message: string, hint?: string): void {
  problems.push(hint === undefined ? { code, path, message } : { code, path, message, hint });
}

/** The shape of a tensor of the spec; ragged or empty ones are reported. `most` dimensions at most. */
function tensor(check: Checker, path: string, nested: Nested, most = 4): Dims {
  const dims = dimsOf(nested);
  if (dims.includes(0)) report(check, 'empty', path, `${path} is empty`);
  else if (dims.length < 2 || dims.length > most) {
    report(
      check,
      'rank',
      path,
      `${path} has ${count(dims.length, 'dimension')}, expected 2${most > 2 ? ` to ${most}` : ''}`,
    );
  } else findRagged(check, path, nested, dims);
  return dims;
}

function findRagged(check: Checker, path: string, nested: readonly unknown[], dims: Dims): void {
  const expected = dims[1];
  nested.forEach((row, i) => {
    const found = Array.isArray(row) ? row.length : 0;
    if (found !== expected) {
      report(check, 'ragged', path, `${path}: row ${i + 1} has ${count(found, 'number')}, row 1 has ${expected}`);
    } else if (dims.length > 2) findRagged(check, `${path}[${i}]`, row as readonly unknown[], dims.slice(1));
  });
}

function checkHeadCounts(check: Checker): void {
  const { heads, kvHeads } = check.spec;
  if (!(Number.isInteger(heads) && heads >= 1 && heads <= 256)) {
    report(check, 'heads', 'heads', `heads is ${heads}, expected a whole number from 1 to 256`);
  }
  if (kvHeads === undefined) return;
  if (!(Number.isInteger(kvHeads) && kvHeads >= 1 && heads % kvHeads === 0)) {
    report(check, 'heads', 'kvHeads', `kvHeads is ${kvHeads}, expected a divisor of heads (${heads})`);
  }
}

type StartOf<F extends AttentionSpec['start']['from']> = Extract<AttentionSpec['start'], { from: F }>;

function checkQkv(check: Checker, start: StartOf<'qkv'>): void {
  const q = tensor(check, 'start.q', start.q);
  const k = tensor(check, 'start.k', start.k);
  const kvHeads = check.spec.kvHeads ?? check.spec.heads;
  const perHead = (dims: Dims, heads: number): number => (dims.length > 2 ? 1 : heads);
  const widths = [q, k].map((d, i) => (d.at(-1) ?? 0) / perHead(d, i === 0 ? check.spec.heads : kvHeads));
  if (widths[0] !== widths[1]) {
    report(
      check,
      'shape-mismatch',
      'start.k',
      `K has ${count(widths[1] ?? 0, 'column')}, Q has ${widths[0]}`,
      `QKᵀ needs the same d_k in both: Q is ${show(q)}, K is ${show(k)}.`,
    );
  }
  checkGivenHeads(check, 'start.q', q, check.spec.heads);
  checkGivenHeads(check, 'start.k', k, kvHeads);
  checkRope(check, widths[0] ?? 0);
  if (!start.v) return;
  const v = tensor(check, 'start.v', start.v);
  checkGivenHeads(check, 'start.v', v, kvHeads);
  if (v.at(-2) !== k.at(-2)) {
    report(
      check,
      'shape-mismatch',
      'start.v',
      `V has ${count(v.at(-2) ?? 0, 'row')}, K has ${k.at(-2)}`,
      `Each key needs its value: K is ${show(k)}, V is ${show(v)}.`,
    );
  }
}

/** Two dimensions are cut into heads; three or four give them. */
function checkGivenHeads(check: Checker, path: string, dims: Dims, heads: number): void {
  const symbol = path.slice(-1).toUpperCase();
  if (dims.length === 2 && (dims[1] ?? 0) % heads !== 0) {
    report(
      check,
      'heads',
      path,
      `${symbol} has ${count(dims[1] ?? 0, 'column')}, which ${heads} heads do not share evenly`,
    );
  }
  if (dims.length > 2 && dims.at(-3) !== heads) {
    report(
      check,
      'heads',
      path,
      `${symbol} is ${show(dims)}, expected ${heads} as its number of heads, found ${dims.at(-3)}`,
    );
  }
}

function checkScoresAndV(check: Checker, path: string, given: SpecHeads, values: SpecHeads | undefined): void {
  const dims = tensor(check, path, given);
  const { heads, kvHeads = heads } = check.spec;
  if (dims.length > 2 ? dims.at(-3) !== heads : heads !== 1) {
    report(check, 'heads', path, `${path} is ${show(dims)}, expected a matrix for each of ${heads} heads`);
  }
  if (!values) return;
  const v = tensor(check, 'start.v', values);
  checkGivenHeads(check, 'start.v', v, kvHeads);
  if (v.at(-2) !== dims.at(-1)) {
    report(
      check,
      'shape-mismatch',
      'start.v',
      `V has ${count(v.at(-2) ?? 0, 'row')}, ${path} has ${count(dims.at(-1) ?? 0, 'column')}`,
      'Each key needs its value.',
    );
  }
}

/** Widest embedding, key or value that a spec may ask for. */
export const widthLimit = 4096;

function wholeNumber(check: Checker, path: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  report(check, 'number', path, `${path} is ${value}, expected a whole number from ${least} to ${most}`);
}

function checkProjected(check: Checker): void {
  const { spec } = check;
  const { projections } = spec;
  const dModel = inputWidth(check);
  const keyWidth = contextWidth(check, dModel);
  checkAddedPositions(check, dModel);
  if (projections.from === 'random') {
    wholeNumber(check, 'projections.dK', projections.dK, 1, widthLimit);
    wholeNumber(check, 'projections.dV', projections.dV, 1, widthLimit);
    checkRope(check, projections.dK);
  } else if (projections.from === 'given') checkWeights(check, projections, dModel, keyWidth);
  else checkUnprojected(check, dModel, keyWidth);
}

function inputWidth(check: Checker): number {
  const { start, dModel, embedding } = check.spec;
  if (start.from === 'x') return tensor(check, 'start.x', start.x, 3).at(-1) ?? 0;
  const most = start.from === 'ids' ? checkIds(check, start.ids) : largestId(start);
  if (embedding?.from !== 'given') {
    wholeNumber(check, 'dModel', dModel, 1, widthLimit);
    return dModel;
  }
  const table = tensor(check, 'embedding.table', embedding.table, 2);
  if (most >= (table[0] ?? 0)) {
    report(
      check,
      'shape-mismatch',
      'start.ids',
      `id ${most} is outside of the table, which has ${count(table[0] ?? 0, 'row')}`,
    );
  }
  return table[1] ?? 0;
}

/** Ids of a text's tokens, as far as a given table must reach. */
const largestId = (start: AttentionSpec['start']): number =>
  start.from === 'text' ? splitText(start.text, start.tokenizer).reduce((most, t) => Math.max(most, t.id), 0) : 0;

/** The largest id; a table of random rows reaches that far. */
function checkIds(check: Checker, ids: readonly number[]): number {
  if (ids.length === 0) report(check, 'empty', 'start.ids', 'start.ids is empty');
  ids.forEach((id, i) => {
    wholeNumber(check, `start.ids[${i}]`, id, 0, 1_000_000);
  });
  return Math.max(0, ...ids);
}

function contextWidth(check: Checker, dModel: number): number {
  const { start } = check.spec;
  return start.from === 'x' && start.context ? (tensor(check, 'start.context', start.context, 3).at(-1) ?? 0) : dModel;
}

function checkAddedPositions(check: Checker, dModel: number): void {
  const { positions, start } = check.spec;
  if (positions === 'sinusoidal-concatenated' && dModel % 2 === 1) {
    report(
      check,
      'odd-width',
      'positions',
      `concatenated positions need an even d_model, found ${dModel}`,
      'Half of the columns are sines, half are cosines.',
    );
  }
  if (typeof positions !== 'object') return;
  const dims = tensor(check, 'positions.learned', positions.learned, 2);
  const n = start.from === 'x' ? dimsOf(start.x).at(-2) : start.from === 'ids' ? start.ids.length : dims[0];
  if (dims[0] !== n || dims[1] !== dModel) {
    report(check, 'shape-mismatch', 'positions.learned', `positions are ${show(dims)}, X is ${n}×${dModel}`);
  }
}

function checkRope(check: Checker, dK: number): void {
  const { positions } = check.spec;
  if ((positions === 'rope-half' || positions === 'rope-interleaved') && dK % 2 === 1) {
    report(check, 'odd-width', 'positions', `rotations need an even d_k, found ${dK}`, 'Columns are rotated in pairs.');
  }
}

function checkUnprojected(check: Checker, dModel: number, keyWidth: number): void {
  const { heads, kvHeads = heads } = check.spec;
  if (keyWidth !== dModel) {
    report(
      check,
      'shape-mismatch',
      'start.context',
      `the context has ${count(keyWidth, 'column')}, X has ${dModel}`,
      'Without projections both need the same d_model.',
    );
  }
  if (dModel % heads !== 0)
    report(check, 'heads', 'heads', `${heads} heads do not share ${count(dModel, 'column')} of X evenly`);
  if (kvHeads !== heads) report(check, 'heads', 'kvHeads', 'Q = K = V = X leaves as many key heads as query heads');
  checkRope(check, dModel / heads);
}

function checkWeights(
  check: Checker,
  given: Extract<AttentionSpec['projections'], { from: 'given' }>,
  dModel: number,
  keyWidth: number,
): void {
  const { convention, heads, kvHeads = heads } = check.spec;
  const outputs = convention === 'XW' ? 1 : 0;
  const widths = (['wq', 'wk', 'wv'] as const).map((name) => {
    const found = tensor(check, `projections.${name}`, given[name], 2);
    const width = name === 'wq' ? dModel : keyWidth;
    if (found[1 - outputs] !== width) check.problems.push(unfit(check.spec, name, found, width));
    const own = name === 'wq' ? heads : kvHeads;
    const made = found[outputs] ?? 0;
    if (made % own !== 0)
      report(
        check,
        'heads',
        `projections.${name}`,
        `W_${name[1]} gives ${count(made, 'column')}, which ${own} heads do not share evenly`,
      );
    checkBias(check, `projections.b${name[1]}`, given[`b${name[1] as 'q' | 'k' | 'v'}`], made);
    return made / own;
  });
  if (widths[0] !== widths[1]) {
    report(
      check,
      'shape-mismatch',
      'projections.wk',
      `W_k gives keys of width ${widths[1]}, W_q gives queries of width ${widths[0]}`,
      'QKᵀ needs the same d_k in both.',
    );
  }
  checkRope(check, widths[0] ?? 0);
}

function checkBias(check: Checker, path: string, bias: readonly unknown[] | undefined, width: number): void {
  if (bias && bias.length !== width) {
    report(check, 'shape-mismatch', path, `${path} has ${count(bias.length, 'number')}, expected ${width}`);
  }
}

function unfit(spec: AttentionSpec, name: 'wq' | 'wk' | 'wv', found: Dims, width: number): Problem {
  const symbol = `W_${name[1]}`;
  const from = name !== 'wq' && spec.start.from === 'x' && spec.start.context ? 'the context' : 'X';
  const [wanted, other] = spec.convention === 'XW' ? ['X·W', 'X·Wᵀ'] : ['X·Wᵀ', 'X·W'];
  const otherFits = found[spec.convention === 'XW' ? 1 : 0] === width;
  const expected = spec.convention === 'XW' ? `${width}×d` : `d×${width}`;
  return {
    code: 'shape-mismatch',
    path: `projections.${name}`,
    message: `${symbol} is ${show(found)}, ${wanted} needs ${expected} because ${from} has ${count(width, 'column')}`,
    hint: otherFits ? `${other} would fit: switch the convention.` : `Neither X·W nor X·Wᵀ fits.`,
  };
}

function checkNumbers(check: Checker): void {
  const { scale, softcap, temperature, random, start } = check.spec;
  const positive = (path: string, value: number | undefined): void => {
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      report(check, 'number', path, `${path} is ${value}, expected a finite number above 0`);
    }
  };
  positive('softcap', softcap);
  positive('temperature', temperature);
  if (start.from === 'scores') wholeNumber(check, 'start.dK', start.dK, 1, widthLimit);
  if (typeof scale === 'object' && !(Number.isFinite(scale.divideBy) && scale.divideBy !== 0)) {
    report(check, 'scale', 'scale', `scale: cannot divide by ${scale.divideBy}`, 'Give a finite number other than 0.');
  }
  const stream = createStream(random);
  if (!stream.ok) check.problems.push(...stream.problems.map((p) => ({ ...p, path: 'random.seed' })));
}

function checkMask(check: Checker): void {
  const { mask } = check.spec;
  if (typeof mask !== 'object') return;
  if (mask.kind === 'padding') wholeNumber(check, 'mask.visible', mask.visible, 0, 1_000_000);
  if (mask.kind === 'window') wholeNumber(check, 'mask.size', mask.size, 0, 1_000_000);
  if (mask.kind !== 'boolean' && mask.kind !== 'additive') return;
  const dims = tensor(check, 'mask.values', mask.values);
  const expected = scoresDims(check.spec);
  const fits = dims.every((size, i) => size === expected[expected.length - dims.length + i]);
  if (expected.length && !fits) {
    report(check, 'shape-mismatch', 'mask.values', `the mask is ${show(dims)}, the scores are ${show(expected)}`);
  }
}

/** [heads,] n×m as far as it can be told without tokenizing. */
function scoresDims({ start, heads }: AttentionSpec): Dims {
  const lead = heads > 1 ? [heads] : [];
  const rows = (nested: Nested): number => dimsOf(nested).at(-2) ?? 0;
  if (start.from === 'x') return [...lead, rows(start.x), rows(start.context ?? start.x)];
  if (start.from === 'qkv') return [...lead, rows(start.q), rows(start.k)];
  if (start.from === 'ids') return [...lead, start.ids.length, start.ids.length];
  return start.from === 'scores' ? dimsOf(start.scores) : [];
}
