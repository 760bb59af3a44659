import { plainText, say, type Sentence } from '../../text';
import type { Plan } from '../plan';
import { fieldNames, matrixDefaults, programRest, type AttentionSpec, type FieldName, type Start } from '../../spec';
import type { Draft } from './draft';

/** Notes on a program's plan: weights that do not sum to 1 for each query, numbers that stand in for missing ones, fields without effect. */
export function programNotes({ spec, steps }: Draft): Pick<Plan, 'notes' | 'noteSentences'> {
  const { start } = spec;
  if (start.from !== 'program') return { notes: [], noteSentences: [] };
  // What is computed from numbers that stand in has none of its own.
  const computed = new Set(
    start.steps.flatMap((step) => (step.op === 'given' && step.origin === 'computed' ? [step.id] : [])),
  );
  const standIn = steps
    .filter((step) => step.standIn && step.operands.length === 0 && !computed.has(step.id))
    .map(({ symbol }) => symbol);
  const told: { readonly code: string; readonly said: Sentence; readonly path?: string }[] = [
    ...(start.sumsOver ? [{ code: 'softmax', said: sums[start.sumsOver](), path: 'weights' }] : []),
    ...(standIn.length
      ? [
          {
            code: 'stand-in',
            said: say(
              'The text does not say all numbers of {0}: the missing ones come from seed {1}.',
              standIn.join(', '),
              start.seed ?? 0,
            ),
          },
        ]
      : []),
    ...(spec.dtype === start.dtype
      ? []
      : [{ code: 'dtype', said: say('Computed in {0}; the code has {1}.', spec.dtype, start.dtype), path: 'dtype' }]),
    ...fieldNames
      .filter((name) => isAsked(spec, name))
      .map((path) => ({
        code: 'ignored',
        path,
        said: say('{0} is ignored: {1}', path, say('the steps are those of a program')),
      })),
  ];
  return {
    notes: told.map(({ code, said, path }) => ({
      code,
      message: plainText(said),
      ...(path !== undefined && { path }),
    })),
    noteSentences: told.map(({ said }) => said),
  };
}

const sums: Readonly<Record<NonNullable<Extract<Start, { from: 'program' }>['sumsOver']>, () => Sentence>> = {
  queries: () => say('Softmax runs over the queries here: the weights of a key sum to 1, those of a query do not.'),
  matrix: () => say('Softmax runs over the whole matrix here: all weights together sum to 1, those of a query do not.'),
  other: () => say('Softmax runs over another axis here than the keys: the weights of a query do not sum to 1.'),
};

const usedFields: ReadonlySet<FieldName> = new Set<FieldName>([
  'version',
  'dtype',
  'start',
  'heads',
  'labels',
  'random',
  'dModel',
  'convention',
]);

/** Whether a field differs from its default, though a program's spec has no use for it. */
const isAsked = (spec: AttentionSpec, name: FieldName): boolean =>
  !usedFields.has(name) &&
  JSON.stringify(spec[name]) !==
    JSON.stringify({ ...matrixDefaults, ...programRest }[name as keyof typeof matrixDefaults]);
