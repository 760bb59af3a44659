import { t, counted, type Problem } from '../../text';
import { dimsOf, type Dims, type Nested } from '../dims';
import { mostProblems } from '../limits';
import type { AttentionSpec } from '../spec';

export const show = (dims: Dims): string => dims.join('×');

export interface Checker {
  readonly spec: AttentionSpec;
  readonly problems: Problem[];
}

export function report({ problems }: Checker, code: string, path: string, message: string, hint?: string): void {
  if (problems.length >= mostProblems) return;
  problems.push(hint === undefined ? { code, path, message } : { code, path, message, hint });
}

/** The shape of a tensor of the spec; ragged or empty ones are reported. `most` dimensions at most. */
export function tensor(check: Checker, path: string, nested: Nested, most = 4): Dims {
  const dims = dimsOf(nested);
  if (dims.includes(0)) report(check, 'empty', path, t('{0} is empty', path));
  else if (dims.length < 2 || dims.length > most) {
    report(
      check,
      'rank',
      path,
      most > 2
        ? t('{0} has {1}, expected 2 to {2}', path, counted(dims.length, 'dimension'), most)
        : t('{0} has {1}, expected 2', path, counted(dims.length, 'dimension')),
    );
  } else findRagged(check, path, nested, dims);
  return dims;
}

/** Rows of another length than the first, and arrays where the first element has numbers or the other way round. */
function findRagged(check: Checker, path: string, nested: readonly unknown[], dims: Dims): void {
  const [, expected = 0, ...deeper] = dims;
  nested.forEach((row, i) => {
    const at = `${path}[${i}]`;
    if (!Array.isArray(row)) {
      report(check, 'ragged', at, t('{0}: expected {1}, found a number', at, counted(expected, 'number')));
    } else if (row.length !== expected) {
      const [found, wanted] = [counted(row.length, 'number'), expected];
      const message =
        i > 0
          ? t('{0}: row {1} has {2}, row 1 has {3}', path, i + 1, found, wanted)
          : t('{0}: row 1 has {1}, the rows before have {2}', path, found, wanted);
      report(check, 'ragged', path, message);
    } else if (deeper.length > 0) findRagged(check, at, row as readonly unknown[], dims.slice(1));
    else findDeeper(check, at, row as readonly unknown[]);
  });
}

function findDeeper(check: Checker, path: string, row: readonly unknown[]): void {
  const j = row.findIndex((x) => Array.isArray(x));
  if (j < 0) return;
  const at = `${path}[${j}]`;
  report(check, 'ragged', at, t('{0}: expected a number, found an array of {1}', at, (row[j] as unknown[]).length));
}

export type StartOf<F extends AttentionSpec['start']['from']> = Extract<AttentionSpec['start'], { from: F }>;

export function checkBias(check: Checker, path: string, bias: readonly unknown[] | undefined, width: number): void {
  if (bias && bias.length !== width) {
    report(check, 'shape-mismatch', path, t('{0} has {1}, expected {2}', path, counted(bias.length, 'number'), width));
  }
}

/** Two tensors of the same batches: both have the batch dimension (they have `rank` dimensions then), equally large, or neither. */
export function checkBatches(check: Checker, rank: number, pair: Readonly<Record<string, Dims>>): void {
  const [[first, a] = ['', []], [second, b] = ['', []]] = Object.entries(pair);
  const batches = (dims: Dims): number | undefined => (dims.length === rank ? dims[0] : undefined);
  if (batches(a) === batches(b)) return;
  const hint = t('Both need the same batches: the first of their dimensions.');
  report(check, 'shape-mismatch', second, t('{0} is {1}, {2} is {3}', second, show(b), first, show(a)), hint);
}
