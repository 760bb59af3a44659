/** What a matrix can be collected as. */
export const inputNames = ['Q', 'K', 'V', 'X', 'mask'] as const;
export type InputName = (typeof inputNames)[number];

export interface Collected {
  readonly name: InputName;
  readonly shape: readonly number[];
  /** `Q = np.array(…)` */
  readonly code: string;
  /** `attention.py:12` */
  readonly from: string;
}

type Inputs = readonly Collected[];

const has = (inputs: Inputs, name: InputName): boolean => inputs.some((input) => input.name === name);

/** Whether there is something to explain. */
export const isComplete = (inputs: Inputs): boolean => has(inputs, 'X') || (has(inputs, 'Q') && has(inputs, 'K'));

/** ` · K?` as long as Q has no K, and so on. */
export function missingOf(inputs: Inputs): string {
  if (inputs.length === 0 || isComplete(inputs)) return '';
  const missing = (['Q', 'K'] as const).filter((name) => !has(inputs, name));
  return ` · ${missing.map((name) => `${name}?`).join(' ')}`;
}

/** The newest of each name. Queries, keys and values belong together; X stands for all three. */
function withInput(inputs: Inputs, input: Collected): Collected[] {
  const excluded: readonly InputName[] = input.name === 'X' ? ['Q', 'K', 'V'] : input.name === 'mask' ? [] : ['X'];
  const kept = inputs.filter(({ name }) => name !== input.name && !excluded.includes(name));
  return [...kept, input].sort((a, b) => inputNames.indexOf(a.name) - inputNames.indexOf(b.name));
}

/** What a new X, Q or K may push out, the least first. V and a mask push out nothing: they are refused in words. */
const pushedOut: Readonly<Record<InputName, readonly (readonly InputName[])[]>> = {
  X: [['mask']],
  Q: [['mask'], ['V'], ['V', 'mask'], ['K', 'V', 'mask']],
  K: [['mask'], ['V'], ['V', 'mask'], ['Q', 'mask'], ['Q', 'V', 'mask']],
  V: [],
  mask: [],
};

/** The inputs with a new one, and what was left out because it does not go with it: another one by that name is replaced, not left out. */
export interface Joined {
  readonly inputs: readonly Collected[];
  readonly left: readonly Collected[];
}

/**
 * Adds an input. What does not fit a new X, Q or K any more is left out, as little as will do; `goes` says whether inputs that are complete can be
 * explained. Where leaving out helps nothing, all stay, and the plan says why.
 */
export async function join(
  before: Inputs,
  input: Collected,
  goes: (inputs: Inputs) => Promise<boolean>,
): Promise<Joined> {
  const all = withInput(before, input);
  const joined = (inputs: Inputs): Joined => ({
    inputs,
    left: before.filter(({ name }) => name !== input.name && !has(inputs, name)),
  });
  if (!isComplete(all) || (await goes(all))) return joined(all);
  for (const names of pushedOut[input.name]) {
    const some = all.filter(({ name }) => !names.includes(name));
    const isOther = some.length < all.length;
    if (isOther && (isComplete(some) ? await goes(some) : haveValues(some))) return joined(some);
  }
  return joined(all);
}

/** Whether each key has its value, without queries. */
function haveValues(inputs: Inputs): boolean {
  const rows = (name: InputName): number | undefined => inputs.find((input) => input.name === name)?.shape.at(-2);
  return !has(inputs, 'K') || !has(inputs, 'V') || rows('K') === rows('V');
}
