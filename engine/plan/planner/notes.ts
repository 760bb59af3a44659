import { plainText, say, signs, type Sentence } from '../../text';
import type { Plan } from '../plan';
import { type Planned, fieldNames, fields, type Start } from '../../spec';
import { hasStep, stepOf, widthOf, type Draft } from './draft';
import { programNotes } from './program-notes';
import { queryPositionNotes } from './query-positions';

/**
 * One note for each field of the spec that the plan does not use; the reason is `ignored` in the field's declaration. A field that asks
 * for nothing (no positions, no mask, a default) has no note. Notes on query positions follow (`query-positions.ts`).
 */
export function notesOn(draft: Draft): Pick<Plan, 'notes' | 'noteSentences' | 'corrections'> {
  if (draft.spec.start.from === 'program') return programNotes(draft);
  const plan = plannedOf(draft);
  const found = fieldNames.flatMap((name) => {
    const { ignored } = fields[name];
    if (ignored === 'never') return [];
    return Object.entries(ignored).flatMap(([path, reasonOf]) => {
      const reason = reasonOf(draft.spec, plan);
      return reason === undefined ? [] : [{ path, said: say('{0} is ignored: {1}', path, reason) }];
    });
  });
  const places = queryPositionNotes(draft);
  const corrections = places.flatMap(({ correction }) => correction ?? []);
  const ignored = found.map(({ path, said }) => ({ code: 'ignored', path, message: plainText(said) }));
  return {
    notes: [...ignored, ...places.map(({ note }) => note)],
    noteSentences: [...found.map(({ said }) => said), ...places.map(({ note }) => signs('{0}', note.message))],
    ...(corrections.length && { corrections }),
  };
}

const startNames: { readonly [F in Start['from']]: () => Sentence } = {
  text: () => say('the walk starts at a text'),
  ids: () => say('the walk starts at token ids'),
  x: () => say('the walk starts at {X}'),
  qkv: () => say('the walk starts at {Q} and {K}'),
  scores: () => say('the walk starts at the scores'),
  weights: () => say('the walk starts at the weights'),
  program: () => say('the steps are those of a program'),
};

const plannedOf = (draft: Draft): Planned => ({
  has: (id) => hasStep(draft, id),
  operation: (id) => (hasStep(draft, id) ? stepOf(draft, id).call.op : undefined),
  width: (id) => widthOf(draft, id),
  draws: draft.steps.some(({ call }) => call.op === 'random'),
  drawsWeights: draft.steps.some(
    ({ id, call }) =>
      call.op === 'random' && (call.times !== undefined || call.divideByLatex !== '') && !id.endsWith('lambdaVectors'),
  ),
  branches: draft.branches,
  begins: startNames[draft.spec.start.from](),
});
