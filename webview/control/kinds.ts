import { t, type AttentionSpec, type Start } from '../../engine/index';
import type { Switches } from '../page/switches';

export type ControlId = keyof Switches | 'divideBy' | 'windowSize' | 'visible';

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
  /** What it does as it is set: in place of `explain`. */
  readonly explainChoice?: (switches: Switches) => string;
  /** Why it cannot be changed just now: shown in place of the explanation. */
  readonly locked?: (spec: AttentionSpec, switches: Switches) => string | undefined;
  readonly get: (switches: Switches) => string;
}

export interface Choice extends Common {
  readonly kind: 'choice';
  /** `files`: tokenizer files that are known by name. */
  readonly options: (spec: AttentionSpec, files: readonly string[]) => readonly Option[];
  /** A choice that is none yet: it opens a dialog of the host's. */
  readonly opens?: string;
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
  tokens: t('Tokens'),
  input: t('Embedding and positions'),
  projections: t('Projections'),
  heads: t('Heads'),
  scores: t('Scores: scale and mask'),
  numbers: t('Numbers and display'),
} as const;
export type GroupId = keyof typeof groups;

/** Why a group has nothing to change for this input. */
export function groupNote(group: GroupId, { start }: AttentionSpec): string | undefined {
  if (group === 'input') return notEmbedded[start.from];
  if (group === 'projections') return notBefore[start.from];
  return group === 'scores' && start.from === 'weights'
    ? t('The weights were given: nothing is left to scale or mask.')
    : undefined;
}

const notEmbedded: Readonly<Partial<Record<Start['from'], string>>> = {
  qkv: t('Q and K were given: nothing is embedded.'),
  scores: t('The scores were given: nothing is embedded.'),
  weights: t('The weights were given: nothing is embedded.'),
};

const notBefore: Readonly<Partial<Record<Start['from'], string>>> = {
  qkv: t('Q and K were given: nothing before them is computed.'),
  scores: t('The scores were given: nothing before them is computed.'),
  weights: t('The weights were given: nothing before them is computed.'),
};

export const fromText = ({ start }: AttentionSpec): boolean => start.from === 'text';
export const embedded = ({ start, embedding }: AttentionSpec): boolean =>
  (start.from === 'text' || start.from === 'ids') && embedding?.from !== 'given';
export const hasX = ({ start }: AttentionSpec): boolean => notBefore[start.from] === undefined;
export const hasScores = ({ start }: AttentionSpec): boolean => start.from !== 'weights';
export const drawn = (spec: AttentionSpec, switches: Switches): boolean =>
  hasX(spec) && switches.projections === 'random';
/** Positions that are added need X, rotations Q and K, biases scores. */
export const takesPositions = (spec: AttentionSpec): boolean => hasScores(spec);
export const always = (): boolean => true;
export const choices = (options: Readonly<Record<string, string>>) => (): readonly Option[] => listed(options);
export const listed = (options: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(options).map(([value, text]) => ({ value, text }));

/** A matrix that came with the input is one more choice, under this value. */
export const given = 'given';
export const nameOf = (value: string | object): string => (typeof value === 'object' ? given : value);

/** The usual choices, and the one that the input came with where it is another. */
export function withOwn(
  options: Readonly<Record<string, string>>,
  own: string | object,
  ownText: string,
): readonly Option[] {
  const name = nameOf(own);
  return name in options
    ? listed(options)
    : [...listed(options), { value: name, text: name === given ? ownText : name }];
}

export const width = { expected: t('a whole number from 1 to 4096'), whole: true, min: 1, max: 4096 } as const;
