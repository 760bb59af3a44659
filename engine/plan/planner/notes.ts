import { t } from '../../text/l10n';
import type { Problem } from '../../text/problems';
import type { Planned } from '../../spec/field';
import { fieldNames, fields, type Start } from '../../spec/spec';
import { has, stepOf, widthOf, type Draft } from './draft';
import { placeNotes } from './places';

/**
 * What a spec asks for and the plan leaves out, field by field: each says why (`ignored`, where the field is declared). A field that asks
 * for nothing (no positions, no mask, the defaults) is not mentioned. Then where queries stand, if a decoder has them elsewhere.
 */
export function notesOn(draft: Draft): Problem[] {
  const plan = plannedOf(draft);
  const ignored = fieldNames.flatMap((name) => {
    const reasons = fields[name].ignored;
    if (reasons === 'never') return [];
    return Object.entries(reasons).flatMap(([path, reasonOf]) => {
      const reason = reasonOf(draft.spec, plan);
      return reason === undefined ? [] : [{ code: 'ignored', path, message: t('{0} is ignored: {1}', path, reason) }];
    });
  });
  return [...ignored, ...placeNotes(draft)];
}

const begins: { readonly [F in Start['from']]: () => string } = {
  text: () => t('the walk starts at a text'),
  ids: () => t('the walk starts at token ids'),
  x: () => t('the walk starts at X'),
  qkv: () => t('the walk starts at Q and K'),
  scores: () => t('the walk starts at the scores'),
  weights: () => t('the walk starts at the weights'),
};

const plannedOf = (draft: Draft): Planned => ({
  has: (id) => has(draft, id),
  operation: (id) => (has(draft, id) ? stepOf(draft, id).call.op : undefined),
  width: (id) => widthOf(draft, id),
  draws: draft.steps.some(({ call }) => call.op === 'random'),
  lanes: draft.lanes,
  begins: begins[draft.spec.start.from](),
});
