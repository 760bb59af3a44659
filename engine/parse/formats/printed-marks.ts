import type { TextRange } from '../../text';
import { powerOf } from '../scale-factor';
import type { Scanner } from '../scanner';
import type { StatedSize } from './grid';
import type { Line } from './lines';
import type { PageMark } from './pages';

/** A number that stands above rows, `1.0e+03 *`, by which each of theirs is multiplied. */
export interface FactorMark {
  readonly kind: 'factor';
  readonly factor: number;
  readonly power: number | undefined;
  readonly written: string;
}

export interface PageHeading extends PageMark {
  readonly kind: 'page';
  readonly name?: string;
  /** PyTorch's `(1,2,.,.) =`. */
  readonly leading: boolean;
}

/** What a program prints of a matrix beside its numbers. */
interface Stated extends StatedSize {
  readonly dtype: string;
}

/** The meaning of a line that describes the rows around it. */
export type Mark =
  | { readonly kind: 'name'; readonly name: string; readonly start: number }
  | PageHeading
  | { readonly kind: 'columns'; readonly last: number; readonly after: number }
  | FactorMark
  | (Stated & { readonly kind: 'julia' })
  | (Stated & { readonly kind: 'footer' })
  | { readonly kind: 'kind' };

const patterns: readonly (readonly [RegExp, (m: RegExpExecArray, range: TextRange) => Mark])[] = [
  [/^([A-Za-z_]\w*) =$/, (m, { start }) => ({ kind: 'name', name: m[1] ?? '', start })],
  [
    /^([A-Za-z_]\w*)\(:,:,(\d+(?:,\d+)*)\) =$/,
    (m, range) => ({ kind: 'page', name: m[1] ?? '', index: (m[2] ?? '').split(','), leading: false, range }),
  ],
  [
    /^\((\d+(?:,\d+)*),\.,\.\) =$/,
    (m, range) => ({ kind: 'page', index: (m[1] ?? '').split(','), leading: true, range }),
  ],
  [
    /^\[:, :, (\d+(?:, \d+)*)\] =$/,
    (m, range) => ({ kind: 'page', index: (m[1] ?? '').split(', '), leading: false, range }),
  ],
  [
    /^Columns? (\d+)(?: (?:through|to|and) (\d+))?:?/,
    (m, { start }) => ({ kind: 'columns', last: Number(m[2] ?? m[1]), after: start + m[0].length }),
  ],
  [/^([-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?) +\*$/, (m) => factorOf(m[1] ?? '')],
  [
    /^(\d+(?:×\d+)+) .*(?:Matrix|Array)\{(\w+)[,}].*:$/,
    (m, range) => ({ kind: 'julia', ...stated(m[1], '×', (m[2] ?? '').toLowerCase(), range) }),
  ],
  [
    /^(\d+)-element .*(?:Vector|Array)\{(\w+)[,}].*:$/,
    (m, range) => ({ kind: 'julia', ...stated(m[1], '×', (m[2] ?? '').toLowerCase(), range) }),
  ],
  [
    /^\[ ?(?:torch\.)?(?:CPU|CUDA|XPU|MPS)?(\w+?)(?:Type|Tensor)(?: of size (\d+(?:x\d+)*).*|\{(\d+(?:,\d+)*)\}) ?\]$/,
    (m, range) => ({ kind: 'footer', ...stated(m[2] ?? m[3], /[x,]/, torchTypes.get(m[1] ?? '') ?? '', range) }),
  ],
  [/^(?:Diagonal|Permutation) Matrix$/, () => ({ kind: 'kind' })],
];

const torchTypes = new Map([
  ['Float', 'float32'],
  ['Double', 'float64'],
  ['Half', 'float16'],
  ['BFloat16', 'bfloat16'],
  ['Long', 'int64'],
  ['Int', 'int32'],
]);

const stated = (sizes = '', between: string | RegExp, dtype: string, range: TextRange): Stated => ({
  sizes: sizes.split(between).map(Number),
  dtype,
  range,
});

const factorOf = (written: string): FactorMark => ({
  kind: 'factor',
  factor: Number(written),
  power: powerOf(written),
  written,
});

/** What a line says of the rows around it; `written` is the line without surrounding blanks. */
export function markOf(s: Scanner, line: Line, written: string): Mark | undefined {
  if (!/[=:*\]x]$/.test(written) && !written.startsWith('Column')) return undefined;
  const start = line.start + s.text.slice(line.start, line.end).indexOf(written.charAt(0));
  for (const [pattern, make] of patterns) {
    const match = pattern.exec(written);
    if (match) return make(match, { start, end: start + written.length });
  }
  return undefined;
}
