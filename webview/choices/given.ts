import {
  encodeMatrix,
  encodeNumber,
  isSource,
  tokenizerName,
  spread,
  t,
  type AttentionSpec,
  type Plan,
  type Problem,
  type SourceName,
  type SpecHeads,
  type SpecMatrix,
  type SpecNumber,
  type Step,
  type Tensor,
} from '../../engine/index';
import { isVocabulary } from './tokenized-text';

/* Where a source's values are in a spec, and how drawn or derived values are turned into given ones. */

type Values = ReadonlyMap<string, Tensor>;

/** Sources that become given together. Draws share one stream in this order, so after a given source later draws must be given too. */
const groups = ['table', 'positions', 'projections', 'scoring', 'relative', 'sink', 'differential', 'output'] as const;
type Group = (typeof groups)[number];

/** Of steps that are drawn alone. */
const groupOfOne: Readonly<Record<string, Group>> = {
  scoreVector: 'scoring',
  biasTable: 'relative',
  sinks: 'sink',
  lambdaVectors: 'differential',
};

const groupOf = (id: string): Group | undefined =>
  id === 'table' || id === 'positions'
    ? id
    : /^[wb][qkv]$/.test(id)
      ? 'projections'
      : (groupOfOne[id] ?? (id === 'wo' || id === 'bo' ? 'output' : undefined));

/** Why a step's cells cannot be edited; undefined if they can. */
export function refusalOf(spec: AttentionSpec, step: Step): Problem | undefined {
  const { call, symbol } = step;
  const refuse = (message: string, hint: string): Problem => ({ code: 'not-editable', message, hint, path: step.id });
  if (!isSource(call)) return refuse(t('{0} is computed', symbol), t('Change what it is made from.'));
  return refusals[call.op](spec, step, refuse);
}

type Refusal = (spec: AttentionSpec, step: Step, refuse: Refuse) => Problem | undefined;

const editable: Refusal = () => undefined;
const followsFromPositions: Refusal = (_, { symbol }, refuse) =>
  refuse(t('a spec has no place for {0}: it follows from the positions', symbol), t('Change Q, K or the mask.'));

/** For each kind of source, why its values cannot be edited. */
const refusals: Readonly<Record<SourceName, Refusal>> = {
  given: editable,
  givenMask: editable,
  weight: (spec, _, refuse) =>
    refuse(t('the weights are those of {0}', spec.model?.name ?? ''), t('Choose random weights, or change the text.')),
  patternMask: (_, { id, symbol }, refuse) =>
    id === 'mask'
      ? undefined
      : refuse(t('{0} follows from alsoHidden', symbol), t('Change the mask, or alsoHidden in the spec.')),
  listMask: (_, { symbol }, refuse) =>
    refuse(t('{0} follows from alsoHidden', symbol), t('Change the mask, or alsoHidden in the spec.')),
  sinusoidal: editable,
  random: (spec, { id }, refuse) => {
    if (spec.block) return drawnTogether(refuse);
    return id === 'table' ? sparseTable(spec, refuse) : undefined;
  },
  tokens: ({ start }, _, refuse) =>
    start.from === 'ids'
      ? undefined
      : refuse(t('the ids come from the text'), t('Change the text, or choose another tokenizer.')),
  buckets: followsFromPositions,
  rotations: followsFromPositions,
  alibi: followsFromPositions,
};

type Refuse = (message: string, hint: string) => Problem;

/** All weights of a block come from one stream: one that is given would move those of every later step. */
const drawnTogether = (refuse: Refuse): Problem =>
  refuse(
    t('the weights of a block are drawn one after the other, and this would move all later ones'),
    t('Give them all in block.weights, or leave the block out.'),
  );

/** The table of a vocabulary has sparse ids, while in a given table the id is the row. */
function sparseTable({ start }: AttentionSpec, refuse: Refuse): Problem | undefined {
  if (start.from !== 'text' || !isVocabulary(start.tokenizer)) return undefined;
  const name = tokenizerName(start.tokenizer);
  return refuse(t('a given table would need a row for every id of {0}', name), t('Choose words, characters or bytes.'));
}

/** Why a value is not valid in a step; undefined if it is. */
export function misvalueOf({ kind, symbol, call }: Step, value: number): Problem | undefined {
  const wrong = (wanted: string): Problem => ({
    code: 'value',
    message: t('{0} takes {1}, found {2}', symbol, wanted, value),
  });
  if (kind === 'mask' && value !== 0 && value !== 1) return wrong(t('0 (visible) or 1 (hidden)'));
  if (call.op === 'tokens' && !(Number.isInteger(value) && value >= 0)) return wrong(t('a whole number from 0'));
  return undefined;
}

/** The path of a source's values in the spec once they are given. */
export function pathOf({ id, call }: Step): string {
  if (call.op === 'given' || call.op === 'givenMask') return call.path;
  if (call.op === 'tokens') return 'start.ids';
  if (id === 'mask') return 'mask.values';
  if (id === 'table') return 'embedding.table';
  if (id === 'scoreVector') return 'scoring.v';
  if (id === 'biasTable') return 'relativeBias.table';
  if (id === 'sinks') return 'sink.logits';
  if (id === 'lambdaVectors') return 'differential.vectors';
  if (id === 'positions') return 'positions.learned';
  return groupOf(id) === 'output' ? `outputProjection.${id}` : `projections.${id}`;
}

/** A shown value as the spec encodes it: in a boolean mask of the spec, 1 can mean visible. */
export function shownToSpec({ mask }: AttentionSpec, { kind }: Step, value: SpecNumber): SpecNumber {
  const flipped =
    kind === 'mask' && typeof mask === 'object' && mask.kind === 'boolean' && mask.trueMeans === 'visible';
  return flipped ? (value === 1 ? 0 : 1) : value;
}

/** The spec with a source's values given; `values` are the current values of all sources. */
export function asGiven(spec: AttentionSpec, plan: Plan, step: Step, values: Values): AttentionSpec {
  if (step.call.op === 'patternMask') {
    return { ...spec, mask: { kind: 'boolean', values: matrixOf(values, 'mask'), trueMeans: 'hidden' } };
  }
  const group = groupOf(step.id);
  if (!group || (step.call.op !== 'random' && step.call.op !== 'sinusoidal')) return spec;
  if (step.call.op === 'sinusoidal') return convertToGiven.positions(spec, values);
  const drawn = new Set(plan.steps.flatMap((s) => (s.call.op === 'random' ? [groupOf(s.id)] : [])));
  const later = groups.slice(groups.indexOf(group)).filter((g) => drawn.has(g));
  return later.reduce((made, g) => convertToGiven[g](made, values), spec);
}

/** The spec with a given mask's axes of size 1 expanded, so that each of its cells can be edited. */
export function maskSpread(spec: AttentionSpec, { id, call, shape }: Step): AttentionSpec {
  const { mask } = spec;
  if ((id !== 'mask' && id !== 'wholeMask') || (call.op !== 'given' && call.op !== 'givenMask')) return spec;
  if (typeof mask !== 'object' || (mask.kind !== 'boolean' && mask.kind !== 'additive')) return spec;
  return { ...spec, mask: { ...mask, values: spread(mask.values, shape) as SpecHeads } };
}

const convertToGiven: { readonly [group in Group]: (spec: AttentionSpec, values: Values) => AttentionSpec } = {
  table: (spec, values) => ({ ...spec, embedding: { from: 'given', table: matrixOf(values, 'table') } }),
  positions: (spec, values) => ({ ...spec, positions: { learned: matrixOf(values, 'positions') } }),
  projections: (spec, values) => ({
    ...spec,
    projections: {
      from: 'given',
      wq: matrixOf(values, 'wq'),
      wk: matrixOf(values, 'wk'),
      wv: matrixOf(values, 'wv'),
      ...rowOf(values, 'bq'),
      ...rowOf(values, 'bk'),
      ...rowOf(values, 'bv'),
    },
  }),
  scoring: (spec, values) => ({
    ...spec,
    ...(spec.scoring && { scoring: { ...spec.scoring, v: matrixOf(values, 'scoreVector') } }),
  }),
  relative: (spec, values) => ({
    ...spec,
    ...(spec.relativeBias && { relativeBias: { ...spec.relativeBias, table: matrixOf(values, 'biasTable') } }),
  }),
  sink: (spec, values) => ({
    ...spec,
    sink: { from: 'given', logits: Array.from(values.get('sinks')?.data ?? [], encodeNumber) },
  }),
  differential: (spec, values) => ({
    ...spec,
    ...(spec.differential && {
      differential: { ...spec.differential, lambda: 'given', vectors: matrixOf(values, 'lambdaVectors') },
    }),
  }),
  output: (spec, values) => ({
    ...spec,
    outputProjection: { from: 'given', wo: matrixOf(values, 'wo'), ...rowOf(values, 'bo') },
  }),
};

function matrixOf(values: Values, id: string): SpecMatrix {
  const tensor = values.get(id);
  if (!tensor) throw new Error(`no values of ${id}`);
  return encodeMatrix([tensor.shape.at(-2) ?? 1, tensor.shape.at(-1) ?? 1], tensor.data);
}

/** A bias as a flat list, if there is one. */
function rowOf<Name extends string>(values: Values, id: Name): { readonly [name in Name]?: readonly SpecNumber[] } {
  const tensor = values.get(id);
  return tensor ? ({ [id]: Array.from(tensor.data, encodeNumber) } as { readonly [name in Name]: SpecNumber[] }) : {};
}
