/**
 * Draws without a seed that a notebook printed: what it printed of them is taken for their values, and what it printed later is compared
 * within what their rounding allows.
 */
import type { Paced } from '../../text';
import type { KeptDraws, KeptValues } from '../machine';
import type { Node } from '../tensor';
import type { Program, ProgramOptions } from '../program';
import { matchPrinted, type StoredOutput } from './printed';
import { openingPlaces, type OpenedPlaces } from './read';

/** Readings at most: where what is printed later contradicts what was taken over, that is left out. */
const mostReadings = 4;

/** A notebook: what its outputs show of draws without a seed are the values of these. */
export function* openingNotebook(
  code: string,
  outputs: readonly StoredOutput[],
  options: ProgramOptions = {},
): Paced<OpenedPlaces> {
  const first = yield* openingPlaces(code, options);
  let kept = yield* keptDraws(code, first.program, outputs);
  for (let reading = 1; kept.size > 0 && reading < mostReadings; reading++) {
    const again = yield* openingPlaces(code, { ...options, kept, before: first.program.units });
    const wrong = yield* contradicted(code, again.program, outputs);
    if (wrong.size === 0) return again;
    kept = new Map([...kept].filter(([key]) => !wrong.has(key)));
  }
  return first;
}

/** Kept leaves from which something follows that was printed with other numbers: a cell ran again meanwhile, or dropout was on. */
function* contradicted(code: string, program: Program, outputs: readonly StoredOutput[]): Paced<ReadonlySet<string>> {
  const wrong = new Set<string>();
  for (const { node, equal, count, isWithin } of yield* matchPrinted(code, program, outputs))
    if (isWithin && equal < count)
      for (const leaf of keptUnder(program, node)) wrong.add(program.kept.keys.get(leaf) ?? '');
  return wrong;
}

function keptUnder({ kept }: Program, node: Node): readonly Node[] {
  const seen = new Set<Node>([node]);
  for (const one of seen) for (const operand of one.operands) seen.add(operand);
  return [...seen].filter((one) => kept.used.has(one));
}

/** Leaves whose values only a run knows and that these outputs show, with the numbers that they show. */
function* keptDraws(code: string, program: Program, outputs: readonly StoredOutput[]): Paced<KeptDraws> {
  const found = new Map<string, KeptValues>();
  if (program.kept.keys.size === 0 || outputs.length === 0) return found;
  for (const { node, own } of yield* matchPrinted(code, program, outputs)) {
    const key = program.kept.keys.get(node);
    if (key !== undefined && own && !found.has(key)) found.set(key, own);
  }
  return found;
}
