import { t } from '../../text/l10n';
import { counted } from '../../text/counted';
import { dimsOf, type Dims, type Nested } from '../dims';
import type { Problem } from '../../text/problems';
import type { AttentionSpec } from '../spec';

export const show = (dims: Dims): string => dims.join('×');

export interface Checker {
  readonly spec: AttentionSpec;
  readonly problems: Problem[];
}

export function report({ problems }: Checker, code: string, path: string, message: string, hint?: string): void {
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

function findRagged(check: Checker, path: string, nested: readonly unknown[], dims: Dims): void {
  const expected = dims[1];
  nested.forEach((row, i) => {
    const found = Array.isArray(row) ? row.length : 0;
    if (found !== expected) {
      report(
        check,
        'ragged',
        path,
        t('{0}: row {1} has {2}, row 1 has {3}', path, i + 1, counted(found, 'number'), expected),
      );
    } else if (dims.length > 2) findRagged(check, `${path}[${i}]`, row as readonly unknown[], dims.slice(1));
  });
}

export type StartOf<F extends AttentionSpec['start']['from']> = Extract<AttentionSpec['start'], { from: F }>;

/** Widest embedding, key or value that a spec may ask for. */
export const widthLimit = 4096;

export function wholeNumber(check: Checker, path: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  report(check, 'number', path, t('{0} is {1}, expected a whole number from {2} to {3}', path, value, least, most));
}

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
