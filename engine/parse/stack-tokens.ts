import { t, fail, ok, type Problem, type Result } from '../text';
import { formatShape, sizeOf } from '../math';
import type { ParsedMatrix } from './matrix';

/** The token vectors x_1 … x_n as the rows of one matrix. */
export interface Stacked {
  readonly matrix: ParsedMatrix;
  readonly sources: readonly ParsedMatrix[];
  /** Whether the vectors were columns (d×1), so that weights multiply from the left: W·x. */
  readonly columns: boolean;
  readonly labels: readonly string[];
}

/**
 * Stacks token vectors (d×1 columns, 1×d rows or flat lists of d) by their index. Undefined if there are none. Problems: a missing or
 * duplicate index, different lengths, a matrix that is no vector.
 */
export function stackTokens(vectors: readonly ParsedMatrix[]): Result<Stacked | undefined> {
  const ordered = unique([...vectors].sort((a, b) => (a.index ?? 0) - (b.index ?? 0)));
  const [first] = ordered;
  if (!first) return ok(undefined);
  const problems = ordered.flatMap((v, i) => check(v, first, ordered[i - 1]));
  if (problems.length > 0) return fail(...problems);
  const d = sizeOf(first.shape);
  const values = new Float64Array(ordered.length * d);
  ordered.forEach((v, i) => values.set(v.values, i * d));
  const range = { start: first.range.start, end: Math.max(...ordered.map((v) => v.range.end)) };
  const expression = ordered.find((v) => v.expression)?.expression;
  const { format } = first;
  const matrix: ParsedMatrix = {
    name: 'X',
    role: 'x',
    shape: [ordered.length, d],
    values,
    format,
    range,
    ...(expression ? { expression } : {}),
  };
  return ok({ matrix, sources: ordered, columns: isColumn(first), labels: ordered.map((v) => v.name ?? '') });
}

const listName = /^(?:all_?x|x_?(?:s|all|list))$/i;

/** Whether a name may be that of a list of tokens: `all_x`, `xs`, `x_list`. */
export const isListName = (name: string): boolean => listName.test(name);

/** Whether a matrix is a list of n columns d×1 with such a name. */
export const isTokenList = ({ name = '', role, shape }: ParsedMatrix): boolean =>
  role === undefined && isListName(name) && shape.length === 3 && shape[2] === 1 && (shape[1] ?? 0) > 1;

/** The columns of a list as x_1 … x_n. */
export function vectorsOf(list: ParsedMatrix): readonly ParsedMatrix[] {
  const [count = 0, d = 0] = list.shape;
  return Array.from({ length: count }, (_, i) => {
    const values = list.values.slice(i * d, (i + 1) * d);
    return { ...list, name: `x_${i + 1}`, role: 'xi', index: i + 1, shape: [d, 1], values };
  });
}

const isColumn = ({ shape }: ParsedMatrix): boolean => shape.length === 2 && shape[1] === 1 && shape[0] !== 1;

/** Without exact duplicates, which occur where a program's text and its output are both selected. */
function unique(vectors: readonly ParsedMatrix[]): readonly ParsedMatrix[] {
  return vectors.filter((v, i) => {
    const before = vectors[i - 1];
    return !(before && before.index === v.index && String(before.values) === String(v.values));
  });
}

function check(v: ParsedMatrix, first: ParsedMatrix, before: ParsedMatrix | undefined): Problem[] {
  const range = v.range;
  const name = v.name ?? 'x';
  if (v.shape.length > 2 || (v.shape.length === 2 && v.shape[0] !== 1 && v.shape[1] !== 1)) {
    const message = t("{0} is {1}, expected one token's vector (d×1, 1×d or a list)", name, formatShape(v.shape));
    return [{ code: 'shape-mismatch', message, range, hint: t('Name a matrix of all tokens X.') }];
  }
  if (sizeOf(v.shape) !== sizeOf(first.shape)) {
    const message = t('{0} has {1} numbers, {2} has {3}', name, sizeOf(v.shape), first.name, sizeOf(first.shape));
    return [{ code: 'shape-mismatch', message, range, hint: t('All tokens need vectors of the same length.') }];
  }
  if (before && before.index === v.index) {
    const message = t('{0} is given twice with different numbers', name);
    return [{ code: 'duplicate', message, range, hint: t('Select one of them.') }];
  }
  if (before && (before.index ?? 0) + 1 !== v.index) {
    const message = t('{0} follows {1}: x_{2} is missing', name, before.name, (before.index ?? 0) + 1);
    return [
      {
        code: 'missing',
        message,
        range: v.nameRange ?? range,
        hint: t('Select every token from the first to the last.'),
      },
    ];
  }
  return [];
}
