import { scanCandidates } from '../../../engine/parse/literals';
import { scannerOf } from '../../../engine/parse/scanner';
import { difference } from '../check';
import { measure, type Contender, type Measured } from '../measure';
import type { Place } from '../peers';
import type { Form, Section } from './index';

export const parse: Section = {
  name: 'parse',
  words: 'a matrix in nested brackets to numbers, against JSON.parse of the same text',
  run,
};

const columns = 64;

/** Notations of numbers: as programs print them, with all digits, and small integers. */
const kinds: readonly (readonly [string, (x: number) => string])[] = [
  ['4 decimals', (x) => x.toFixed(4)],
  ['all digits', (x) => String(x)],
  ['integers', (x) => String(Math.round(100 * x))],
];

async function* run(_: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  for (const megabytes of short ? [1, 10] : [1, 10, 50]) {
    for (const [kind, write] of short ? kinds.slice(0, 2) : kinds) {
      const text = matrixText(megabytes * 1e6, write);
      const name = `${megabytes} MB, ${kind}`;
      yield measure({ name, amount: text.length / 1e6, unit: 'MB', inputs: 1, contenders: contendersOf(text) }, effort);
    }
  }
}

/** Our reader without its limit of 2 MB for a selection. */
const ours = (text: string): { values: ArrayLike<number>; shape: readonly number[] } => {
  const [found] = scanCandidates(scannerOf(text));
  if (!found?.matrix) throw new Error(`no matrix: ${JSON.stringify(found?.problems)}`);
  return found.matrix;
};

function contendersOf(text: string): Contender[] {
  const expected = Float64Array.from((JSON.parse(text) as number[][]).flat());
  const exact = (values: ArrayLike<number>): string | undefined => difference(values, expected, () => 0);
  return [
    {
      name: 'ours: values, shape, name',
      run: () => ours(text),
      check: (result) => {
        const { values, shape } = result as ReturnType<typeof ours>;
        const rows = expected.length / columns;
        return String(shape) === `${rows},${columns}` ? exact(values) : `shape ${shape.join('×')}, expected ${rows}×64`;
      },
    },
    {
      name: 'JSON.parse',
      run: () => JSON.parse(text) as unknown,
      check: (result) => exact((result as number[][]).flat()),
    },
    {
      // JSON.parse gives nested arrays. This is the remaining work to make a matrix of them.
      name: 'JSON.parse, checked, typed',
      run: () => typed(JSON.parse(text)),
      check: (result) => exact(result as Float64Array),
    },
  ];
}

function typed(rows: unknown): Float64Array {
  if (!Array.isArray(rows)) throw new Error('no list');
  const values = new Float64Array(rows.length * columns);
  rows.forEach((row: unknown, i) => {
    if (!Array.isArray(row) || row.length !== columns) throw new Error(`row ${i}`);
    for (let j = 0; j < columns; j++) {
      const x: unknown = row[j];
      if (typeof x !== 'number') throw new Error(`row ${i}, column ${j}`);
      values[i * columns + j] = x;
    }
  });
  return values;
}

/** Rows of 64 numbers of both signs. The same size always gives the same numbers. */
function matrixText(size: number, write: (x: number) => string): string {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (6 * state) / 0x100000000 - 3;
  };
  const rows: string[] = [];
  for (let length = 2; length < size;) {
    const row = `[${Array.from({ length: columns }, () => write(next())).join(', ')}]`;
    rows.push(row);
    length += row.length + 2;
  }
  return `[${rows.join(',\n')}]`;
}
