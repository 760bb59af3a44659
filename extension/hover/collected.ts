/** The inputs as which a matrix can be collected. */
export const inputNames = ['Q', 'K', 'V', 'X', 'mask'] as const;
export type InputName = (typeof inputNames)[number];

export interface CollectedInput {
  readonly name: InputName;
  readonly shape: readonly number[];
  /** The matrix as NumPy code: `Q = np.array(…)`. */
  readonly code: string;
  /** File and line it came from: `attention.py:12`. */
  readonly from: string;
}

type Inputs = readonly CollectedInput[];

const has = (inputs: Inputs, name: InputName): boolean => inputs.some((input) => input.name === name);

/** Whether these inputs can be explained: X alone, or Q and K. */
export const isComplete = (inputs: Inputs): boolean => has(inputs, 'X') || (has(inputs, 'Q') && has(inputs, 'K'));

/** What is missing, for the status bar: ` · K?` while there is Q but no K. */
export function missingOf(inputs: Inputs): string {
  if (inputs.length === 0 || isComplete(inputs)) return '';
  const missing = (['Q', 'K'] as const).filter((name) => !has(inputs, name));
  return ` · ${missing.map((name) => `${name}?`).join(' ')}`;
}

/** The inputs with a new one, which replaces the one of its name. X replaces Q, K and V, and each of them replaces X, because X stands for all three. */
function withInput(inputs: Inputs, input: CollectedInput): CollectedInput[] {
  const excluded: readonly InputName[] = input.name === 'X' ? ['Q', 'K', 'V'] : input.name === 'mask' ? [] : ['X'];
  const kept = inputs.filter(({ name }) => name !== input.name && !excluded.includes(name));
  return [...kept, input].sort((a, b) => inputNames.indexOf(a.name) - inputNames.indexOf(b.name));
}

/** Sets of inputs that may be dropped so that a new X, Q or K fits, smallest first. A new V or mask drops nothing: if it does not fit, a Problem says so. */
const droppable: Readonly<Record<InputName, readonly (readonly InputName[])[]>> = {
  X: [['mask']],
  Q: [['mask'], ['V'], ['V', 'mask'], ['K', 'V', 'mask']],
  K: [['mask'], ['V'], ['V', 'mask'], ['Q', 'mask'], ['Q', 'V', 'mask']],
  V: [],
  mask: [],
};

/**
 * The inputs with a new one, and those that were dropped because they do not fit it. An input of the same name is replaced, which does not count as
 * dropped.
 */
export interface AddedInput {
  readonly inputs: readonly CollectedInput[];
  readonly dropped: readonly CollectedInput[];
}

/**
 * Adds an input, and drops as few others as necessary to make them fit a new X, Q or K. `goes` tells whether complete inputs can be explained. If
 * dropping does not help, all are kept, and explaining them says what is wrong.
 */
export async function addInput(
  before: Inputs,
  input: CollectedInput,
  goes: (inputs: Inputs) => Promise<boolean>,
): Promise<AddedInput> {
  const all = withInput(before, input);
  const joined = (inputs: Inputs): AddedInput => ({
    inputs,
    dropped: before.filter(({ name }) => name !== input.name && !has(inputs, name)),
  });
  if (!isComplete(all) || (await goes(all))) return joined(all);
  for (const names of droppable[input.name]) {
    const some = all.filter(({ name }) => !names.includes(name));
    const isOther = some.length < all.length;
    if (isOther && (isComplete(some) ? await goes(some) : haveValues(some))) return joined(some);
  }
  return joined(all);
}

/** Whether the inputs without queries fit: K and V, if there are both, have equally many rows. */
function haveValues(inputs: Inputs): boolean {
  const rows = (name: InputName): number | undefined => inputs.find((input) => input.name === name)?.shape.at(-2);
  return !has(inputs, 'K') || !has(inputs, 'V') || rows('K') === rows('V');
}
