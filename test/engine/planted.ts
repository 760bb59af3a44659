// Results that a NumPy program computed with mistakes (test/reference/mistakes.py), and what the check says of them.
import { catalogue, checkResult, type Checked } from '../../engine/diagnose';
import { decodeNumber, explainAttention, finish, matrixDefaults, type AttentionSpec, type AttentionTrace, type SpecMatrix } from '../../engine/index'; // prettier-ignore

export interface Input {
  readonly spec: AttentionSpec;
  /** The first has no mistake. */
  readonly planted: readonly { readonly ids: readonly string[]; readonly rows: SpecMatrix }[];
}

export const outcomes = [
  'alone', 'with equal ones', 'among 3', 'among more', 'a step', 'cannot be seen', 'few digits', 'not found', 'wrong',
] as const; // prettier-ignore
export type Outcome = (typeof outcomes)[number];

type Rows = readonly (readonly number[])[];
const partOf = new Map(catalogue.map(({ id, part }) => [id, part]));

/** A pair counts where its mistakes are in different parts: two in one part are not two. */
export const isPair = ([a = '', b = '']: readonly string[]): boolean => partOf.get(a) !== partOf.get(b);

export const roundedTo = (rows: Rows, digits: number): Rows => rows.map((row) => row.map((x) => Number(x.toFixed(digits)))); // prettier-ignore

export const rowsOf = (rows: SpecMatrix): Rows => rows.map((row) => row.map((x) => decodeNumber(x)));

export function traceOf({ spec }: Input): AttentionTrace {
  const trace = explainAttention({ ...matrixDefaults, ...spec });
  if (!trace.ok) throw new Error(JSON.stringify(trace.problems));
  return trace.value;
}

export function saidOf(trace: AttentionTrace, rows: Rows, digits: number): Checked {
  const answer = finish(checkResult(trace, { rows: roundedTo(rows, digits), digits }));
  if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
  if (answer.value.is === 'none' && answer.value.notTried) throw new Error(answer.value.notTried.message);
  return answer.value;
}

/** Each set of mistakes that the check names, as their ids. */
export function namesIn(checked: Checked): readonly string[] {
  const all = checked.is === 'mistake' ? [checked.named] : checked.is === 'several' ? checked.named : [];
  return all.flatMap(({ mistakes }) => mistakes.map((set) => set.map(({ id }) => id).sort().join('+'))); // prettier-ignore
}

/**
 * `same`: whether NumPy's result of this input with these mistakes, by their sorted ids, is the printed one; '' is the right one. `leavesStep`: whether
 * the result with one mistake is a step of the right attention, as without W_O the joined heads are.
 */
export function judged(
  ids: readonly string[],
  checked: Checked,
  same: (set: string) => boolean,
  leavesStep: (id: string) => boolean = () => false,
): Outcome {
  const wanted = [...ids].sort().join('+');
  // Rounded, it is the right result: nothing is to be found.
  if (same('')) return checked.is === 'step' ? 'cannot be seen' : 'wrong';
  // What a mistake leaves out may leave another step: the joined heads without W_O, one head, their mean.
  if (checked.is === 'step') return 'a step';
  if (checked.is === 'none') return 'not found';
  const names = namesIn(checked);
  const isNamed = names.includes(wanted);
  // One mistake of a pair that alone gives every digit, or another computation with the same numbers, is no wrong name.
  const isEarlier = (name: string): boolean => ids.some((id, i) => id === name && ids.every((other, j) => i === j || leavesStep(other)));
  if (!isNamed && names.every((name) => same(name) || isEarlier(name)) && names.some(isEarlier)) return 'a step';
  if (!isNamed && !names.every(same)) return checked.chance > 1e-4 ? 'few digits' : 'wrong';
  if (checked.is === 'mistake') return isNamed && names.length === 1 ? 'alone' : 'with equal ones';
  return names.length <= 3 ? 'among 3' : 'among more';
} // prettier-ignore
