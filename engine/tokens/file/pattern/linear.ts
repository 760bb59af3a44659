// Which patterns JavaScript's own machine matches in time linear in the text. It goes back and tries again, so `(a+)+b` takes it 2ⁿ steps.
import type { Piece } from './piece';

/** Most steps from one place of the text, for what is bounded by the pattern alone: on 100 kB of anything, a tenth of a second. */
const mostSteps = 256;

/**
 * Whether every search takes time linear in the text. The pattern is a choice of branches, each of them what is bounded by the pattern
 * alone, then repeats of single characters behind which nothing can fail: a branch that has come that far matches what it has looked
 * at. Last may come branches that begin with a repeat of the same characters (`\s*[\r\n]+|\s+(?!\S)|\s+`): what those before look at
 * in vain, the last takes, so that a run is looked at as often as there are such branches, and not once from each place.
 */
export function isLinear(piece: Piece): boolean {
  const branches = branchesOf(piece).map(partsOf);
  const bounds = branches.map(boundOf);
  const sum = bounds.reduce((total, bound) => total + Math.min(bound, mostSteps), 0);
  if (sum > mostSteps && bounds.every((bound) => bound < Infinity)) return false;
  const first = bounds.indexOf(Infinity);
  return first < 0 ? sum <= mostSteps : takesRuns(branches.slice(first)) && cheap(bounds.slice(0, first));
}

const cheap = (bounds: readonly number[]): boolean => bounds.reduce((a, b) => a + b, 0) <= mostSteps;

/** Branches that begin with a repeat of the same characters, the last of which is nothing else. */
function takesRuns(branches: readonly (readonly Piece[])[]): boolean {
  const runs = branches.map(([head]) => (head && isRun(head) && head.least <= 1 ? head.piece.source : undefined));
  const last = branches.at(-1);
  const [only] = last ?? [];
  if (runs.some((run) => run === undefined || run !== runs[0])) return false;
  if (last?.length !== 1 || only?.kind !== 'repeat' || only.least !== 1) return false;
  return branches.every(([, ...tail]) => boundOf(tail) <= mostSteps / branches.length);
}

type Run = Extract<Piece, { kind: 'repeat' }> & { readonly piece: Extract<Piece, { kind: 'character' }> };

/** Greedy, of single characters, without end. */
const isRun = (piece: Piece): piece is Run =>
  piece.kind === 'repeat' && piece.most === Infinity && !piece.lazy && piece.piece.kind === 'character';

const branchesOf = (piece: Piece): readonly Piece[] =>
  piece.kind === 'choice' ? piece.branches.flatMap(branchesOf) : [piece];
const partsOf = (piece: Piece): readonly Piece[] =>
  piece.kind === 'sequence' ? piece.parts.flatMap(partsOf) : [piece];

/** Steps from one place that may be in vain; Infinity: not bounded by the pattern alone. */
function boundOf(parts: readonly Piece[]): number {
  const at = parts.findIndex((part) => costOf(part).steps === Infinity);
  if (at < 0) return inTurn(parts.map(costOf)).steps;
  const [run, ...rest] = parts.slice(at);
  if (!run || !isRun(run) || !rest.every(neverFails)) return Infinity;
  const { steps, ways } = inTurn(parts.slice(0, at).map(costOf));
  return steps + ways * (run.least + 1);
}

const neverFails = (piece: Piece): boolean =>
  piece.kind === 'repeat' && piece.least === 0 && (isRun(piece) || costOf(piece.piece).steps * piece.most <= mostSteps);

/** Most steps that a piece takes from one place whatever it goes back to, and in how many ways it can match there. */
interface Cost {
  readonly steps: number;
  readonly ways: number;
}

const inTurn = (costs: readonly Cost[]): Cost =>
  costs.reduce((all, { steps, ways }) => ({ steps: all.steps + all.ways * steps, ways: all.ways * ways }), { steps: 1, ways: 1 }); // prettier-ignore

function costOf(piece: Piece): Cost {
  switch (piece.kind) {
    case 'character':
    case 'start':
    case 'end':
      return { steps: 1, ways: 1 };
    case 'sequence':
      return inTurn(piece.parts.map(costOf));
    case 'choice':
      return piece.branches.map(costOf).reduce((all, { steps, ways }) => ({ steps: all.steps + steps, ways: all.ways + ways })); // prettier-ignore
    case 'look':
      return { steps: costOf(piece.piece).steps, ways: 1 };
    case 'atomic':
      return { steps: Infinity, ways: Infinity };
    case 'repeat':
      return repeated(costOf(piece.piece), piece.most);
  }
}

function repeated({ steps, ways }: Cost, most: number): Cost {
  if (most > mostSteps) return { steps: Infinity, ways: Infinity };
  let all: Cost = { steps: 1, ways: 1 };
  let times = 1;
  for (let n = 0; n < most && all.steps <= mostSteps; n++) {
    all = { steps: all.steps + times * steps, ways: all.ways + times * ways };
    times *= ways;
  }
  return all.steps <= mostSteps ? all : { steps: Infinity, ways: Infinity };
}
