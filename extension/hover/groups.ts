import type { ParsedMatrix } from '../../engine/index';

/** Lines between two literals of one group at most. */
const apart = 8;

/** Q and K, and V if it is there, with the place of the whole. */
export interface Group {
  readonly matrices: readonly ParsedMatrix[];
  readonly start: number;
  readonly end: number;
}

/** Groups of Q, K and perhaps V that stand close together, each once; `lineAt` gives the line of an offset. */
export function groupsOf(all: readonly ParsedMatrix[], lineAt: (offset: number) => number): Group[] {
  const groups: ParsedMatrix[][] = [];
  for (const matrix of all) {
    if (!(matrix.role === 'q' || matrix.role === 'k' || matrix.role === 'v')) continue;
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last && lineAt(startOf(matrix)) - lineAt(last.range.end) <= apart;
    const isNew = group?.every(({ role }) => role !== matrix.role);
    if (group && isNear && isNew) group.push(matrix);
    else groups.push([matrix]);
  }
  return groups.filter(isWhole).map((matrices) => ({
    matrices,
    start: Math.min(...matrices.map(startOf)),
    end: Math.max(...matrices.map(({ range }) => range.end)),
  }));
}

const isWhole = (group: readonly ParsedMatrix[]): boolean =>
  (['q', 'k'] as const).every((role) => group.some((matrix) => matrix.role === role));

const startOf = ({ range, nameRange }: ParsedMatrix): number => nameRange?.start ?? range.start;
