// Decides which patterns JavaScript's backtracking RegExp matches in linear time. It needs 2ⁿ steps for `(a+)+b`.
import type { Piece } from './piece';

/** Most steps from one offset of the text that a bounded part may take: a tenth of a second on any 100 kB. */
const mostSteps = 256;

/**
 * Whether every search takes linear time. Sufficient: each branch is a part with bounded cost followed by repeats of single characters after
 * which nothing can fail, so that all text it reads is matched. The last branches may begin with repeats of the same characters
 * (`\s*[\r\n]+|\s+(?!\S)|\s+`): the last one matches what the others read in vain, so that a run is read once for each such branch instead
 * of once from each offset.
 */
export function isLinear(piece: Piece): boolean {
  const branches = branchesOf(piece).map(partsOf);
  const bounds = branches.map(boundOf);
  const sum = bounds.reduce((total, bound) => total + Math.min(bound, mostSteps), 0);
  if (sum > mostSteps && bounds.every((bound) => bound < Infinity)) return false;
  const first = bounds.indexOf(Infinity);
  return first < 0 ? sum <= mostSteps : sharesRuns(branches.slice(first)) && isBounded(bounds.slice(0, first));
}

const isBounded = (bounds: readonly number[]): boolean => bounds.reduce((a, b) => a + b, 0) <= mostSteps;

/** Whether the branches begin with a repeat of the same characters, and the last one consists of it alone. */
function sharesRuns(branches: readonly (readonly Piece[])[]): boolean {
  const runs = branches.map(([head]) => (head && isRun(head) && head.least <= 1 ? head.piece.source : undefined));
  const last = branches.at(-1);
  const [only] = last ?? [];
  if (runs.some((run) => run === undefined || run !== runs[0])) return false;
  if (last?.length !== 1 || only?.kind !== 'repeat' || only.least !== 1) return false;
  return branches.every(([, ...tail]) => boundOf(tail) <= mostSteps / branches.length);
}

type Run = Extract<Piece, { kind: 'repeat' }> & { readonly piece: Extract<Piece, { kind: 'character' }> };

/** Whether a piece is a greedy, unbounded repeat of single characters. */
const isRun = (piece: Piece): piece is Run =>
  piece.kind === 'repeat' && piece.most === Infinity && !piece.lazy && piece.piece.kind === 'character';

const branchesOf = (piece: Piece): readonly Piece[] =>
  piece.kind === 'choice' ? piece.branches.flatMap(branchesOf) : [piece];
const partsOf = (piece: Piece): readonly Piece[] =>
  piece.kind === 'sequence' ? piece.parts.flatMap(partsOf) : [piece];

/** Most steps from one offset without a match; Infinity if the pattern alone does not bound them. */
function boundOf(parts: readonly Piece[]): number {
  const at = parts.findIndex((part) => costOf(part).steps === Infinity);
  if (at < 0) return sequenceCost(parts.map(costOf)).steps;
  const [run, ...rest] = parts.slice(at);
  if (!run || !isRun(run) || !rest.every(neverFails)) return Infinity;
  const { steps, ways } = sequenceCost(parts.slice(0, at).map(costOf));
  return steps + ways * (run.least + 1);
}

const neverFails = (piece: Piece): boolean =>
  piece.kind === 'repeat' && piece.least === 0 && (isRun(piece) || costOf(piece.piece).steps * piece.most <= mostSteps);

/** Most steps that matching a piece takes from one offset, backtracking included, and the number of ways it can match there. */
interface Cost {
  readonly steps: number;
  readonly ways: number;
}

const sequenceCost = (costs: readonly Cost[]): Cost =>
  costs.reduce((all, { steps, ways }) => ({ steps: all.steps + all.ways * steps, ways: all.ways * ways }), { steps: 1, ways: 1 }); // prettier-ignore

function costOf(piece: Piece): Cost {
  switch (piece.kind) {
    case 'character':
    case 'start':
    case 'end':
      return { steps: 1, ways: 1 };
    case 'sequence':
      return sequenceCost(piece.parts.map(costOf));
    case 'choice':
      return piece.branches.map(costOf).reduce((all, { steps, ways }) => ({ steps: all.steps + steps, ways: all.ways + ways })); // prettier-ignore
    case 'look':
      return { steps: costOf(piece.piece).steps, ways: 1 };
    case 'atomic':
      return { steps: Infinity, ways: Infinity };
    case 'repeat':
      return repeatCost(costOf(piece.piece), piece.most);
  }
}

function repeatCost({ steps, ways }: Cost, most: number): Cost {
  if (most > mostSteps) return { steps: Infinity, ways: Infinity };
  let all: Cost = { steps: 1, ways: 1 };
  let times = 1;
  for (let n = 0; n < most && all.steps <= mostSteps; n++) {
    all = { steps: all.steps + times * steps, ways: all.ways + times * ways };
    times *= ways;
  }
  return all.steps <= mostSteps ? all : { steps: Infinity, ways: Infinity };
}
