import { t, say, type Sentence } from '../../text';
import type { Fields, Planned } from '../field';
import { expected, number, record, type Kind, type RecordOf } from '../kinds';
import { wholeFrom } from '../limits';
import { hasScores, sizesOf, type Start } from './start';

/* Where queries and keys stand, and the step of a decoder with a cache. */

export const isRow = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'number');

/** A position for each row, or such a list for each input of a batch. */
const positions: Kind<readonly number[] | readonly (readonly number[])[]> = {
  check: expected(
    () => t('a list of positions, or one for each input'),
    (value) => isRow(value) || (Array.isArray(value) && value.every(isRow)),
  ),
  schema: () => {
    const list = { type: 'array', items: { type: 'number' } };
    return { anyOf: [list, { type: 'array', items: list }] };
  },
};

const kinds = {
  required: {},
  optional: {
    /** Where queries and keys stand: see `PositionIds`. */
    positionIds: record({ required: {}, optional: { offset: number, queries: positions, keys: positions } }),
    /** One query beside the cache: see `Decode`. */
    decode: record({ required: { step: number } }),
  },
} as const;

/**
 * Where queries and keys stand. Without it both count from 0.
 * - `offset`: the place of query 0, a cache's length (Hugging Face's `past_key_values_length`). Positions count on from it, and so do causal masks and
 *   windows. Where queries and keys are the same tokens, the keys move with them; other keys count from 0.
 * - `queries`, `keys`: a position for each row, or a list for each input of a batch (Hugging Face's `position_ids`). RoPE, ALiBi and sinusoids use them;
 *   masks count places, as Hugging Face's do. Without `keys`, keys that are the same tokens as the queries have the queries' positions.
 */
export type PositionIds = NonNullable<RecordOf<typeof kinds>['positionIds']>;

/**
 * Step `step` (from 0) of a decoder: the query of that token alone beside the keys and values of the tokens up to it, which a cache holds. Needs as many
 * queries as keys. In a block the last layer, which is the one shown, computes that token alone; the layers before it compute all rows, which fill its cache, and
 * need a causal mask for that.
 */
export type Decode = NonNullable<RecordOf<typeof kinds>['decode']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly heads: number;
  readonly positions: string | object;
  readonly relativeBias?: object;
  readonly mask: string | object;
  readonly alsoHidden?: { readonly causal?: boolean };
}

export interface Switches {
  readonly positionIds: { readonly positionOffset: number };
  readonly decode: {
    /** null: all rows at once. */
    readonly decodeStep: number | null;
  };
}

export const placeLimit = wholeFrom(0, 1_000_000);

/** The lists of positions, one where all inputs have the same. */
export const listsOf = (given: readonly number[] | readonly (readonly number[])[]): readonly (readonly number[])[] =>
  isRow(given) ? [given as readonly number[]] : (given as readonly (readonly number[])[]);

/** Whether queries and keys are rows that a cache could hold: a decoder's own tokens. */
export const decodes = ({ start }: Pick<Spec, 'start'>): boolean =>
  start.from === 'text' || start.from === 'ids' || start.from === 'qkv' || (start.from === 'x' && !start.context);

/** Whether there are as many queries as keys, so that each query has a cache of its own. */
const hasSteps = ({ start }: Pick<Spec, 'start'>): boolean =>
  decodes({ start }) && (start.from !== 'qkv' || sizesOf(start.q).at(-2) === sizesOf(start.k).at(-2));

/** Whether queries and keys are the same tokens, which an offset moves together. */
const moveTogether = ({ start }: Spec): boolean => decodes({ start }) && start.from !== 'qkv';

/** Whether something in the plan asks where tokens stand. */
const placed = (plan: Planned): boolean =>
  plan.operation('positions') === 'sinusoidal' || plan.has('qRotations') || measures(plan);

/** Whether distances between queries and keys are in the scores. */
const measures = (plan: Planned): boolean => plan.has('alibi') || plan.has('buckets');

const counts = ({ mask, alsoHidden }: Pick<Spec, 'mask' | 'alsoHidden'>): boolean =>
  mask === 'causal' ||
  alsoHidden?.causal === true ||
  (typeof mask === 'object' && 'kind' in mask && (mask.kind === 'causal' || mask.kind === 'window'));

/** Whether an offset changes the plan: of positions that are listed it says nothing, and distances between tokens that move together stay. */
function moves(spec: Spec, plan: Planned): boolean {
  const { queries, keys } = spec.positionIds ?? {};
  const together = moveTogether(spec);
  if (!together && counts(spec) && !endsAligned(spec) && (plan.has('mask') || plan.has('causalMask'))) return true;
  if (queries) return false;
  if (plan.operation('positions') === 'sinusoidal' || plan.has('qRotations')) return true;
  return measures(plan) && (!together || keys !== undefined);
}

/** A causal mask that says itself where queries stand. */
const endsAligned = ({ mask }: Spec): boolean =>
  typeof mask === 'object' && 'alignment' in mask && mask.alignment === 'end';

function unplaced(spec: Spec, plan: Planned): Sentence {
  if (spec.start.from === 'weights') return plan.begins;
  return placed(plan) && !spec.positionIds?.queries
    ? say('queries and keys move together, and distances stay')
    : say('nothing computed here depends on it');
}

/** Why keys' positions change nothing. */
const noKeys = (spec: Spec, plan: Planned): Sentence | undefined =>
  plan.has('qRotations') || measures(plan) ? undefined : unplaced(spec, plan);

const fields: Fields<typeof kinds, Spec, Switches, Switches['positionIds'] & Switches['decode']> = {
  positionIds: {
    describe: () =>
      t('Where queries and keys stand: the place of query 0 (a cache’s length), or Hugging Face’s position_ids.'),
    initial: 'absent',
    example: '.offset=5',
    limits: 'none',
    ignored: {
      'positionIds.offset': (spec, plan) =>
        !spec.positionIds?.offset || moves(spec, plan) ? undefined : unplaced(spec, plan),
      'positionIds.queries': (spec, plan) =>
        spec.positionIds?.queries && !placed(plan) ? unplaced(spec, plan) : undefined,
      'positionIds.keys': (spec, plan) => (spec.positionIds?.keys ? noKeys(spec, plan) : undefined),
    },
    panel: {
      read: ({ positionIds }) => ({ positionOffset: positionIds?.offset ?? 0 }),
      write: ({ positionIds: own }, { positionOffset: offset }) => {
        if ((own?.offset ?? 0) === offset) return own;
        const { offset: _, ...lists } = own ?? {};
        if (offset > 0) return { ...lists, offset };
        return Object.keys(lists).length ? lists : undefined;
      },
      controls: [
        {
          id: 'positionOffset',
          group: 'input',
          kind: 'number',
          limit: placeLimit,
          label: () => t('First position'),
          explain: () =>
            t(
              'Where query 0 stands: as many tokens are in a cache before it (past_key_values_length, cache_position[0]). Positions, causal masks and windows count from there.',
            ),
          paths: ['positionIds', 'positionIds.offset', 'positionIds.queries', 'positionIds.keys'],
          applies: (spec) =>
            hasScores(spec) &&
            (spec.positions !== 'none' ||
              spec.relativeBias !== undefined ||
              counts(spec) ||
              (spec.positionIds?.offset ?? 0) > 0),
          get: (s) => String(s.positionOffset),
          set: (_, positionOffset) => ({ positionOffset }),
          brief: (text) => (text === '0' ? '' : t('from {0}', text)),
        },
      ],
    },
  },
  decode: {
    describe: () => t('One query beside the keys and values up to it: a step of a decoder with a cache.'),
    initial: 'absent',
    example: '.step=3',
    limits: 'none',
    ignored: 'never',
    panel: {
      read: ({ decode }) => ({ decodeStep: decode?.step ?? null }),
      write: (_, { decodeStep: step }) => (step === null ? undefined : { step }),
      controls: [
        {
          id: 'decode',
          group: 'tokens',
          kind: 'choice',
          label: () => t('Queries'),
          explain: () =>
            t('All at once, or one beside the keys and values that a cache holds (use_cache, past_key_values).'),
          paths: ['decode'],
          applies: (spec, s) => hasSteps(spec) || s.decodeStep !== null,
          options: () => [
            { value: 'all', text: t('All at once') },
            { value: 'step', text: t('Decode, one step') },
          ],
          get: (s) => (s.decodeStep === null ? 'all' : 'step'),
          set: (s, value) => ({ decodeStep: value === 'all' ? null : (s.decodeStep ?? 0) }),
          brief: () => '',
        },
        {
          id: 'decodeStep',
          group: 'tokens',
          kind: 'number',
          limit: placeLimit,
          label: () => t('Step'),
          explain: () => t('The token whose query it is, from 0: the cache holds it and all before it.'),
          paths: ['decode.step'],
          applies: (spec, s) => hasSteps(spec) && s.decodeStep !== null,
          get: (s) => String(s.decodeStep ?? 0),
          set: (_, decodeStep) => ({ decodeStep }),
          brief: (text) => t('step {0}', text),
        },
      ],
    },
  },
};

export const placing = { kinds, fields };
