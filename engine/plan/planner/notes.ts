import { t } from '../../text/l10n';
import type { Problem } from '../../text/problems';
import { matrixDefaults, type AttentionSpec, type Start } from '../../spec/spec';
import { has, stepOf, widthOf, type Draft } from './draft';

/**
 * What a spec asks for and the plan leaves out, field by field: each says why. A field that asks for nothing (no positions, no
 * mask, the defaults) is not mentioned.
 */
export function notesOn(draft: Draft): Problem[] {
  return Object.entries(reasons).flatMap(([path, reasonOf]) => {
    const reason = reasonOf(draft);
    return reason === undefined ? [] : [{ code: 'ignored', path, message: t('{0} is ignored: {1}', path, reason) }];
  });
}

/** Why a field changes nothing; undefined where it does, or asks for nothing. */
type Reason = (draft: Draft) => string | undefined;

const begins: { readonly [F in Start['from']]: () => string } = {
  text: () => t('the walk starts at a text'),
  ids: () => t('the walk starts at token ids'),
  x: () => t('the walk starts at X'),
  qkv: () => t('the walk starts at Q and K'),
  scores: () => t('the walk starts at the scores'),
  weights: () => t('the walk starts at the weights'),
};

/** That the walk starts behind the field, when it asks for something. */
const tooEarly = (draft: Draft, asks: boolean): string | undefined =>
  asks ? begins[draft.spec.start.from]() : undefined;

const isWeights = ({ spec }: Draft): boolean => spec.start.from === 'weights';
const drawn = (draft: Draft, id: string): boolean => has(draft, id) && stepOf(draft, id).call.op === 'random';

const reasons: { readonly [field in keyof AttentionSpec | 'start.dK']?: Reason } = {
  'start.dK': ({ spec: { start, scale } }) =>
    start.from === 'scores' && scale !== 'sqrt_d_k' ? t('the scores are not divided by √d_k') : undefined,
  dModel: unreadWidth,
  embedding: (draft) => tooEarly(draft, draft.spec.embedding !== undefined && !has(draft, 'table')),
  positions: (draft) =>
    tooEarly(
      draft,
      draft.spec.positions !== 'none' && !['positions', 'qRotations', 'alibi'].some((id) => has(draft, id)),
    ),
  projections: (draft) => tooEarly(draft, draft.spec.projections.from !== 'none' && !has(draft, 'x')),
  convention: (draft) =>
    draft.spec.convention === 'XWT' && !has(draft, 'wq') && !has(draft, 'wo') ? t('there is no W to apply') : undefined,
  kvHeads: ({ lanes, spec: { heads, kvHeads = heads } }) =>
    kvHeads !== heads && lanes.k === undefined && lanes.v === undefined ? t('there is no K and no V') : undefined,
  outputProjection: ({ lanes, spec: { outputProjection = { from: 'none' } } }) =>
    outputProjection.from !== 'none' && lanes.v === undefined ? t('there is no V, so no output') : undefined,
  scale: (draft) => tooEarly(draft, isWeights(draft) && !['sqrt_d_k', 'none'].includes(draft.spec.scale as string)),
  softcap: (draft) => tooEarly(draft, isWeights(draft) && draft.spec.softcap !== undefined),
  temperature: (draft) => tooEarly(draft, isWeights(draft) && draft.spec.temperature !== undefined),
  mask: (draft) => tooEarly(draft, isWeights(draft) && draft.spec.mask !== 'none'),
  maskFill: (draft) => {
    if (draft.spec.maskFill === '-inf' || (has(draft, 'masked') && stepOf(draft, 'masked').call.op === 'mask'))
      return undefined;
    return (
      tooEarly(draft, isWeights(draft)) ?? (draft.spec.mask === 'none' ? t('there is no mask') : t('the mask is added'))
    );
  },
  // Without a mask it still has a say: scores can be −∞ by themselves.
  fullyMasked: (draft) => tooEarly(draft, isWeights(draft) && draft.spec.fullyMasked !== undefined),
  random: ({ steps, spec: { random } }) => {
    const { generator, seed } = matrixDefaults.random;
    const asks = random.generator !== generator || random.seed !== seed;
    return asks && !steps.some(({ call }) => call.op === 'random') ? t('nothing is drawn') : undefined;
  },
  labels: (draft) => {
    const { labels, start } = draft.spec;
    const named = start.from === 'text' || start.from === 'ids';
    return labels && named ? t('the tokens have names of their own') : undefined;
  },
};

/** d_model is X's width where there is an X that is not drawn; else it is what √d_model and a random W_O need. */
function unreadWidth(draft: Draft): string | undefined {
  const { dModel, scale } = draft.spec;
  if (dModel === matrixDefaults.dModel || drawn(draft, 'table')) return undefined;
  if (has(draft, 'x')) {
    const width = widthOf(draft, 'x');
    return width === dModel ? undefined : t('X has {0} columns', width);
  }
  const read = (scale === 'sqrt_d_model' && has(draft, 'scaled')) || drawn(draft, 'wo');
  return read ? undefined : begins[draft.spec.start.from]();
}
