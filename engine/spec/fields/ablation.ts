import { say, t, type Problem } from '../../text';
import { listed, type Fields } from '../field';
import { listOf, number, record, type RecordOf } from '../kinds';
import { checkLimit, wholeFrom } from '../limits';
import type { Block } from './block';

/* Heads that are removed, or whose weights are another head's: what a head is good for is what changes without it. */

const kinds = {
  required: {},
  optional: {
    /** Heads whose output or weights are replaced: see `HeadChange`. */
    headChanges: listOf(record({ required: { head: number }, optional: { layer: number, weightsOf: number } })),
  },
} as const;

/**
 * A head, from 0, in a layer, from 1 (default: the only one). Without `weightsOf` it is removed: each row of its output is the mean of its rows ("mean
 * ablation", Wang et al. 2022, section 2.1), so that it says the same everywhere. With it, its values are weighed by another head's weights of that layer.
 */
export type HeadChange = NonNullable<RecordOf<typeof kinds>['headChanges']>[number];

interface Spec extends RecordOf<typeof kinds> {
  readonly heads: number;
  readonly block?: Block;
}

export interface Switches {
  readonly headChanges: { readonly headChanges: readonly HeadChange[] };
}

const layersOf = ({ block }: Spec): number => block?.layers ?? 1;

const isRemoval = ({ weightsOf }: HeadChange): boolean => weightsOf === undefined;

/** `2.1`: head 1 of layer 2. */
const nameOf = ({ layer = 1, head }: HeadChange): string => `${layer}.${head}`;

function options(spec: Spec) {
  const all = Array.from({ length: layersOf(spec) }, (_, l) =>
    Array.from({ length: spec.heads }, (__, head) => ({ layer: l + 1, head })),
  );
  const many = layersOf(spec) > 1;
  return all.flat().map((one) => ({
    value: nameOf(one),
    text: many ? t('Head {0} of layer {1}', one.head, one.layer - 1) : t('Head {0}', one.head),
  }));
}

const fields: Fields<typeof kinds, Spec, Switches, Switches['headChanges']> = {
  headChanges: {
    describe: () => t('Heads that are removed (each row of their output is its mean), or weigh their values by another head’s weights.'),
    initial: 'absent',
    example: '=[{"head":0}]',
    limits: (spec, problems) => (spec.headChanges ?? []).forEach((one, i) => checkChange(spec, one, `headChanges[${i}]`, problems)),
    ignored: {
      headChanges: ({ headChanges, heads }, plan) => {
        if (!headChanges?.length || plan.has('headOutputs')) return undefined;
        return heads === 1 ? say('there is only one head') : say('no values are weighed');
      },
    },
    panel: {
      read: ({ headChanges }) => ({ headChanges: headChanges ?? [] }),
      write: (_, { headChanges }) => (headChanges.length ? headChanges : undefined),
      controls: [
        {
          id: 'headChanges',
          group: 'heads',
          kind: 'choice',
          label: () => t('Removed head'),
          explain: () => t('A head that says the same everywhere: each row of its output is the mean of its rows.'),
          paths: ['headChanges'],
          applies: ({ heads }) => heads > 1,
          options: (spec) => [
            ...listed({ none: t('None') }),
            ...options(spec),
            ...(spec.headChanges && !isOne(spec.headChanges) ? [{ value: 'given', text: t('As given') }] : []),
          ],
          get: ({ headChanges }) =>
            headChanges.length === 0 ? 'none' : isOne(headChanges) ? nameOf(headChanges[0] ?? { head: 0 }) : 'given',
          set: (_, value, spec) => ({ headChanges: value === 'given' ? (spec.headChanges ?? []) : changesOf(value) }),
          brief: (text, { headChanges }) => (headChanges.length ? t('without {0}', text) : ''),
        },
      ],
    },
  },
}; // prettier-ignore

const isOne = (changes: readonly HeadChange[]): boolean => changes.length === 1 && changes.every(isRemoval);

function changesOf(value: string): readonly HeadChange[] {
  if (value === 'none') return [];
  const [layer = 1, head = 0] = value.split('.').map(Number);
  return [layer === 1 ? { head } : { layer, head }];
}

function checkChange(spec: Spec, { head, layer = 1, weightsOf }: HeadChange, path: string, problems: Problem[]): void {
  const heads = wholeFrom(0, spec.heads - 1);
  checkLimit(problems, `${path}.head`, head, heads);
  checkLimit(problems, `${path}.layer`, layer, wholeFrom(1, layersOf(spec)));
  if (weightsOf !== undefined) checkLimit(problems, `${path}.weightsOf`, weightsOf, heads);
}

export const ablating = { kinds, fields };
