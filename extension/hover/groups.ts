import type { ParsedMatrix } from '../../engine/index';

/** Most lines between two literals of one group. */
const mostLinesBetween = 8;

/** Q and K, and V if there is one, with the range that encloses them. */
export interface Group {
  readonly matrices: readonly ParsedMatrix[];
  readonly start: number;
  readonly end: number;
}

/** Groups of Q, K and perhaps V that are close together, each role at most once. `lineAt` returns the line of an offset. */
export function groupsOf(all: readonly ParsedMatrix[], lineAt: (offset: number) => number): Group[] {
  const groups: ParsedMatrix[][] = [];
  for (const matrix of all) {
    if (!(matrix.role === 'q' || matrix.role === 'k' || matrix.role === 'v')) continue;
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last && lineAt(startOf(matrix)) - lineAt(last.range.end) <= mostLinesBetween;
    const isNew = group?.every(({ role }) => role !== matrix.role);
    if (group && isNear && isNew) group.push(matrix);
    else groups.push([matrix]);
  }
  return groups.filter(hasQueriesAndKeys).map((matrices) => ({
    matrices,
    start: Math.min(...matrices.map(startOf)),
    end: Math.max(...matrices.map(({ range }) => range.end)),
  }));
}

const hasQueriesAndKeys = (group: readonly ParsedMatrix[]): boolean =>
  (['q', 'k'] as const).every((role) => group.some((matrix) => matrix.role === role));

const startOf = ({ range, nameRange }: ParsedMatrix): number => nameRange?.start ?? range.start;
