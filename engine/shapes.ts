import type { Problem } from './problems';
import type { AttentionSpec, SpecMatrix } from './spec';

type Dims = readonly [rows: number, columns: number];
const show = ([r, c]: Dims): string => `${r}×${c}`;

/** What does not fit in a well-formed spec, each with the path of the field, what was found and what was expected. */
export function checkSpec(spec: AttentionSpec): Problem[] {
  const problems: Problem[] = [];
  const matrix = (path: string, rows: SpecMatrix): Dims => {
    const dims: Dims = [rows.length, rows[0]?.length ?? 0];
    const ragged = rows.findIndex((row) => row.length !== dims[1]);
    if (dims[0] === 0 || dims[1] === 0) problems.push({ code: 'empty', path, message: `${path} is empty` });
    else if (ragged > 0) {
      const message = `${path}: row ${ragged + 1} has ${rows[ragged]?.length} numbers, row 1 has ${dims[1]}`;
      problems.push({ code: 'ragged', path, message });
    }
    return dims;
  };
  if (spec.start.from === 'qkv') checkQkv(spec.start, matrix, problems);
  else checkProjected(spec, matrix, problems);
  checkScale(spec, problems);
  return problems;
}

type Matrix = (path: string, rows: SpecMatrix) => Dims;

function checkQkv(start: Extract<AttentionSpec['start'], { from: 'qkv' }>, matrix: Matrix, problems: Problem[]): void {
  const q = matrix('start.q', start.q);
  const k = matrix('start.k', start.k);
  if (q[1] !== k[1]) {
    problems.push({
      code: 'shape-mismatch',
      path: 'start.k',
      message: `K has ${count(k[1], 'column')}, Q has ${q[1]}`,
      hint: `QKᵀ needs the same d_k in both: Q is ${show(q)}, K is ${show(k)}.`,
    });
  }
  if (!start.v) return;
  const v = matrix('start.v', start.v);
  if (v[0] !== k[0]) {
    problems.push({
      code: 'shape-mismatch',
      path: 'start.v',
      message: `V has ${count(v[0], 'row')}, K has ${k[0]}`,
      hint: `Each key needs its value: K is ${show(k)}, V is ${show(v)}.`,
    });
  }
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

function checkProjected(spec: AttentionSpec, matrix: Matrix, problems: Problem[]): void {
  const { start, projections } = spec;
  const dModel = start.from === 'x' ? matrix('start.x', start.x)[1] : checkWidth('dModel', spec.dModel, problems);
  if (spec.positions === 'sinusoidal-concatenated' && dModel % 2 === 1) {
    problems.push({
      code: 'odd-width',
      path: 'positions',
      message: `concatenated positions need an even d_model, found ${dModel}`,
      hint: 'Half of the columns are sines, half are cosines.',
    });
  }
  if (projections.from === 'random') {
    checkWidth('projections.dK', projections.dK, problems);
    checkWidth('projections.dV', projections.dV, problems);
  }
  if (projections.from === 'given') checkWeights(spec, projections, dModel, matrix, problems);
  const { seed } = spec.random;
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 4294967296)) {
    const message = `seed ${seed}: NumPy takes whole numbers from 0 to 4294967295`;
    problems.push({ code: 'seed', path: 'random.seed', message });
  }
}

/** Widest embedding, key or value that a spec may ask for. */
export const widthLimit = 4096;

function checkWidth(path: string, width: number, problems: Problem[]): number {
  if (!(Number.isInteger(width) && width >= 1 && width <= widthLimit)) {
    const message = `${path} is ${width}, expected a whole number from 1 to ${widthLimit}`;
    problems.push({ code: 'width', path, message });
  }
  return width;
}

function checkWeights(
  spec: AttentionSpec,
  given: Extract<AttentionSpec['projections'], { from: 'given' }>,
  dModel: number,
  matrix: Matrix,
  problems: Problem[],
): void {
  const inputs = spec.convention === 'XW' ? 0 : 1;
  const outputs = 1 - inputs;
  const dims = (['wq', 'wk', 'wv'] as const).map((name) => {
    const found = matrix(`projections.${name}`, given[name]);
    if (found[inputs] !== dModel) problems.push(unfit(spec, name, found, dModel));
    return found;
  });
  const [wq, wk] = dims as [Dims, Dims];
  if (wq[outputs] !== wk[outputs]) {
    const message = `W_k gives keys of width ${wk[outputs]}, W_q gives queries of width ${wq[outputs]}`;
    problems.push({ code: 'shape-mismatch', path: 'projections.wk', message, hint: 'QKᵀ needs the same d_k in both.' });
  }
}

function unfit(spec: AttentionSpec, name: 'wq' | 'wk' | 'wv', found: Dims, dModel: number): Problem {
  const symbol = `W_${name[1]}`;
  const [wanted, other] = spec.convention === 'XW' ? ['X·W', 'X·Wᵀ'] : ['X·Wᵀ', 'X·W'];
  const otherFits = found[spec.convention === 'XW' ? 1 : 0] === dModel;
  const expected = spec.convention === 'XW' ? `${dModel}×d` : `d×${dModel}`;
  return {
    code: 'shape-mismatch',
    path: `projections.${name}`,
    message: `${symbol} is ${show(found)}, ${wanted} needs ${expected} because X has ${count(dModel, 'column')}`,
    hint: otherFits ? `${other} would fit: switch the convention.` : `Neither X·W nor X·Wᵀ fits.`,
  };
}

function checkScale({ scale }: AttentionSpec, problems: Problem[]): void {
  if (typeof scale !== 'object') return;
  if (Number.isFinite(scale.divideBy) && scale.divideBy !== 0) return;
  const message = `scale: cannot divide by ${scale.divideBy}`;
  problems.push({ code: 'scale', path: 'scale', message, hint: 'Give a finite number other than 0.' });
}
