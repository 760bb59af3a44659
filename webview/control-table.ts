import type { AttentionSpec, Problem, Start } from '../engine/index';
import type { Switches } from './switches';

export type ControlId = keyof Switches | 'divideBy';

interface Common {
  readonly id: ControlId;
  readonly group: GroupId;
  readonly label: string;
  /** One line: what it does. */
  readonly explain: string;
  /** Where in a spec a problem of its value lies. */
  readonly paths: readonly string[];
  /** Whether it means anything for this input with these switches. */
  readonly applies: (spec: AttentionSpec, switches: Switches) => boolean;
  /** Why it cannot be changed just now: shown in place of the explanation. */
  readonly locked?: (spec: AttentionSpec, switches: Switches) => string | undefined;
  readonly get: (switches: Switches) => string;
}

export interface Choice extends Common {
  readonly kind: 'choice';
  readonly options: (spec: AttentionSpec) => readonly Option[];
  /** `spec` is the input as it came: `given` goes back to what it gave. */
  readonly set: (switches: Switches, value: string, spec: AttentionSpec) => Switches;
}

export interface Option {
  readonly value: string;
  readonly text: string;
}

export interface Quantity extends Common {
  readonly kind: 'number';
  /** What is expected, for the message. */
  readonly expected: string;
  readonly whole: boolean;
  readonly min: number;
  readonly max: number;
  readonly set: (switches: Switches, value: number) => Switches;
}

export type Control = Choice | Quantity;

export const groups = {
  input: 'Input',
  projections: 'Queries, keys, values',
  scores: 'Scores',
  numbers: 'Numbers',
} as const;
export type GroupId = keyof typeof groups;

/** Why a group has nothing to change for this input. */
export function groupNote(group: GroupId, { start }: AttentionSpec): string | undefined {
  if (group === 'input' || group === 'projections') return notBefore[start.from];
  return group === 'scores' && start.from === 'weights'
    ? 'The weights were given: nothing is left to scale or mask.'
    : undefined;
}

const notBefore: Readonly<Partial<Record<Start['from'], string>>> = {
  qkv: 'Q and K were given: nothing before them is computed.',
  scores: 'The scores were given: nothing before them is computed.',
  weights: 'The weights were given: nothing before them is computed.',
};

const fromText = ({ start }: AttentionSpec): boolean => start.from === 'text';
const embedded = ({ start, embedding }: AttentionSpec): boolean =>
  (start.from === 'text' || start.from === 'ids') && embedding?.from !== 'given';
const hasX = ({ start }: AttentionSpec): boolean => notBefore[start.from] === undefined;
const hasScores = ({ start }: AttentionSpec): boolean => start.from !== 'weights';
const drawn = (spec: AttentionSpec, switches: Switches): boolean => hasX(spec) && switches.projections === 'random';
const always = (): boolean => true;
const choices = (options: Readonly<Record<string, string>>) => (): readonly Option[] => listed(options);
const listed = (options: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(options).map(([value, text]) => ({ value, text }));

/** A matrix that came with the input is one more choice, under this value. */
const given = 'given';
const nameOf = (value: string | object): string => (typeof value === 'object' ? given : value);

/** The usual choices, and the one that the input came with where it is another. */
function withOwn(options: Readonly<Record<string, string>>, own: string | object, ownText: string): readonly Option[] {
  const name = nameOf(own);
  return name in options
    ? listed(options)
    : [...listed(options), { value: name, text: name === given ? ownText : name }];
}

const width = { expected: 'a whole number from 1 to 4096', whole: true, min: 1, max: 4096 } as const;

/** Every control, in the order in which they stand. */
export const controls: readonly Control[] = [
  {
    id: 'tokenizer', group: 'input', kind: 'choice', label: 'Tokens',
    explain: 'What one token is.',
    paths: ['start.text', 'start.tokenizer'], applies: fromText,
    options: choices({ words: 'Words', characters: 'Characters', bytes: 'Bytes (UTF-8)' }),
    get: (s) => s.tokenizer,
    set: (s, tokenizer) => ({ ...s, tokenizer: tokenizer as Switches['tokenizer'] }),
  },
  {
    id: 'dModel', group: 'input', kind: 'number', ...width, label: 'd_model',
    explain: 'Numbers in each token’s embedding.',
    paths: ['dModel'], applies: embedded,
    get: (s) => String(s.dModel),
    set: (s, dModel) => ({ ...s, dModel }),
  },
  {
    id: 'positions', group: 'input', kind: 'choice', label: 'Positions',
    explain: 'Sines and cosines that say where a token stands, in turn or side by side.',
    paths: ['positions'], applies: hasX,
    options: ({ positions }) =>
      withOwn(
        {
          none: 'None',
          'sinusoidal-interleaved': 'Interleaved',
          'sinusoidal-concatenated': 'Concatenated',
        },
        positions,
        'Learned, as given',
      ),
    get: (s) => nameOf(s.positions),
    set: (s, value, spec) => ({
      ...s,
      positions: value === given ? spec.positions : (value as Extract<Switches['positions'], string>),
    }),
  },
  {
    id: 'projections', group: 'projections', kind: 'choice', label: 'Made by',
    explain: 'What turns X into Q, K and V: W_q, W_k, W_v, or nothing.',
    paths: ['projections'], applies: hasX,
    options: ({ projections }) => [
      ...(projections.from === 'given' ? [{ value: 'given', text: 'Your weights' }] : []),
      { value: 'random', text: 'Random weights' },
      { value: 'none', text: 'Q = K = V = X' },
    ],
    get: (s) => s.projections,
    set: (s, projections) => ({ ...s, projections: projections as Switches['projections'] }),
  },
  {
    id: 'convention', group: 'projections', kind: 'choice', label: 'Applied as',
    explain: 'X·W has tokens as rows; X·Wᵀ is nn.Linear, and W·x on columns.',
    paths: ['convention', 'projections.wq', 'projections.wk', 'projections.wv'], applies: hasX,
    locked: (_, { projections }) =>
      projections === 'given' ? undefined : 'Only given matrices can be read in two ways; here none are.',
    options: choices({ XW: 'X·W', XWT: 'X·Wᵀ' }),
    get: (s) => s.convention,
    set: (s, convention) => ({ ...s, convention: convention as Switches['convention'] }),
  },
  {
    id: 'dK', group: 'projections', kind: 'number', ...width, label: 'd_k',
    explain: 'Numbers in each query and key.',
    paths: ['projections.dK'], applies: drawn,
    get: (s) => String(s.dK),
    set: (s, dK) => ({ ...s, dK }),
  },
  {
    id: 'dV', group: 'projections', kind: 'number', ...width, label: 'd_v',
    explain: 'Numbers in each value, and in each row of the output.',
    paths: ['projections.dV'], applies: drawn,
    get: (s) => String(s.dV),
    set: (s, dV) => ({ ...s, dV }),
  },
  {
    id: 'seed', group: 'projections', kind: 'number', label: 'Seed',
    expected: 'a whole number from 0 to 4294967295', whole: true, min: 0, max: 4294967295,
    explain: 'NumPy’s np.random.seed for everything that is drawn.',
    paths: ['random.seed'], applies: (spec, s) => embedded(spec) || drawn(spec, s),
    get: (s) => String(s.seed),
    set: (s, seed) => ({ ...s, seed }),
  },
  {
    id: 'scale', group: 'scores', kind: 'choice', label: 'Scale',
    explain: 'What the scores are divided by before softmax.',
    paths: [], applies: hasScores,
    options: (spec) => [
      { value: 'sqrt_d_k', text: '÷ √d_k' },
      { value: 'none', text: 'None' },
      ...(hasX(spec) ? [{ value: 'sqrt_d_model', text: '÷ √d_model' }] : []),
      { value: 'number', text: '÷ a number' },
    ],
    get: ({ scale }) => (typeof scale === 'object' ? 'number' : scale),
    set: (s, value) => ({
      ...s,
      scale: value === 'number' ? { divideBy: 2 } : (value as Extract<Switches['scale'], string>),
    }),
  },
  {
    id: 'divideBy', group: 'scores', kind: 'number', label: 'Divide by',
    expected: 'a number other than 0', whole: false, min: -Infinity, max: Infinity,
    explain: 'Larger: flatter weights. Smaller: sharper weights.',
    paths: ['scale'], applies: (spec, { scale }) => hasScores(spec) && typeof scale === 'object',
    get: ({ scale }) => (typeof scale === 'object' ? String(scale.divideBy) : ''),
    set: (s, divideBy) => ({ ...s, scale: { divideBy } }),
  },
  {
    id: 'mask', group: 'scores', kind: 'choice', label: 'Mask',
    explain: 'Causal: a token sees itself and what stands before it.',
    paths: ['mask'], applies: hasScores,
    options: ({ mask }) => withOwn({ none: 'None', causal: 'Causal' }, mask, 'As given'),
    get: (s) => nameOf(s.mask),
    set: (s, value, spec) => ({ ...s, mask: value === given ? spec.mask : (value as Extract<Switches['mask'], string>) }),
  },
  {
    id: 'dtype', group: 'numbers', kind: 'choice', label: 'Precision',
    explain: 'float64 as NumPy, float32 as PyTorch.',
    paths: ['dtype'], applies: always,
    options: choices({ float64: 'float64', float32: 'float32' }),
    get: (s) => s.dtype,
    set: (s, dtype) => ({ ...s, dtype: dtype as Switches['dtype'] }),
  },
  {
    id: 'digits', group: 'numbers', kind: 'number', label: 'Digits shown',
    expected: 'a whole number from 0 to 15', whole: true, min: 0, max: 15,
    explain: 'After the decimal point; display only.',
    paths: [], applies: always,
    get: (s) => String(s.digits),
    set: (s, digits) => ({ ...s, digits }),
  },
]; // prettier-ignore

/** Whether a switch differs from what the input came with. */
export function isChanged({ id, get }: Control, switches: Switches, defaults: Switches): boolean {
  const onScale = id === 'scale' || id === 'divideBy';
  return onScale ? JSON.stringify(switches.scale) !== JSON.stringify(defaults.scale) : get(switches) !== get(defaults);
}

/** How many switches differ from those the input came with. */
export const countChanged = (switches: Switches, defaults: Switches): number =>
  controls.filter((control) => control.id !== 'divideBy' && isChanged(control, switches, defaults)).length;

/** The text of a number field as a number, or what is wrong with it. */
export function readQuantity(control: Quantity, text: string): number | Problem {
  const value = text.trim() === '' ? NaN : Number(text.trim().replace('−', '-'));
  const fits = control.whole ? Number.isInteger(value) : Number.isFinite(value) && value !== 0;
  if (fits && value >= control.min && value <= control.max) return value;
  return { code: 'value', message: `${control.label}: expected ${control.expected}, found “${text}”` };
}

/** The problems that belong to a control. */
export const problemsAt = (control: Control, problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ path }) => path !== undefined && control.paths.includes(path));
