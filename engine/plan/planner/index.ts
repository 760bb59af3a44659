/** Turns a spec into ordered steps, with their notes: the only room that knows attention's variants. */
import { t, type Token, fail, ok, type Problem, type Result } from '../../text';
import type { Plan } from '../plan';
import { workOf } from '../work';
import type { Symbol } from '../../operations';
import { planAttention } from './attention';
import { planBlocks } from './block';
import type { Draft } from './draft';
import { newPool } from './labels';
import {
  labelLimit,
  rowCounts,
  checkSpec,
  hasX,
  type AttentionSpec,
  type Start,
  noTokens,
  tokenizerOf,
  tokensOf,
  vocabularyNeeded,
} from '../../spec';
import { planInputs } from './inputs';
import { modelProblem, providedModel, withWeights } from '../../models';
import { notesOn } from './notes';
import { planProgram, programProblem } from './program';
import { decoding } from './decoding';
import { planGiven, planHeads, planProjections } from './projections';
import { bytesOf } from '../../math';

/**
 * Turns a spec into ordered steps. A problem carries the path
 * of the field that does not fit, with the shapes that were found and expected. Time and memory are proportional to the size of the
 * spec, not to the widths it asks for; `overBudget` judges the cost of computing the plan.
 */
export function planOf(spec: AttentionSpec): Result<Plan> {
  const problems = checkSpec(spec);
  if (problems.length) return fail(...problems);
  const needed = tokenizerOf(spec);
  if (needed) return fail(vocabularyNeeded(needed));
  const misfit = programProblem(spec.start);
  if (misfit) return fail(misfit);
  const asked = startDraft(spec);
  if (asked.tokens.length === 0) return fail(noTokens());
  const misread = modelProblem(spec, asked.tokens.length);
  if (misread) return fail(misread);
  const draft = withModel(asked);
  const unfit = draft === asked ? [] : checkSpec(draft.spec);
  if (unfit.length) return fail(...unfit);
  const before = planFrom[spec.start.from](draft);
  if (spec.start.from !== 'program' && !(hasX(spec) && spec.block)) planAttention(before);
  return draft.labels.count > labelLimit ? fail(tooManyNames(draft)) : ok(finish(draft));
}

/** The draft with the weights of the spec's trained model where they would be drawn. */
function withModel(draft: Draft): Draft {
  const model = draft.spec.model && providedModel(draft.spec.model);
  return model ? { ...draft, ...withWeights(draft.spec, model, draft.tokens.length) } : draft;
}

const tooManyNames = ({ labels }: Draft): Problem => ({
  code: 'too-large',
  message: t('the steps have {0} rows and columns to name, the limit is {1}', labels.count, labelLimit),
  hint: t('Take fewer tokens or a smaller width.'),
});

function fromX(draft: Draft): Draft {
  planInputs(draft);
  if (draft.spec.block) {
    planBlocks(draft);
    return draft;
  }
  planProjections(draft);
  return headed(draft);
}

/** From Q, K and V to those of the heads; of a decoder's step, to its query and the cache. */
function headed(draft: Draft): Draft {
  const cut = decoding(draft);
  planHeads(cut);
  return cut;
}

/** Plans everything before the scores, by what the spec starts from; gives the draft to go on with. */
const planFrom: { readonly [F in Start['from']]: (draft: Draft) => Draft } = {
  text: fromX,
  ids: fromX,
  x: fromX,
  qkv: (draft) => {
    planGiven(draft, ['q', 'k', 'v']);
    return headed(draft);
  },
  scores: (draft) => {
    planGiven(draft, ['v']);
    return headed(draft);
  },
  weights: (draft) => {
    planGiven(draft, ['v']);
    return headed(draft);
  },
  program: (draft) => {
    planProgram(draft);
    return draft;
  },
};

function startDraft(spec: AttentionSpec): Draft {
  const { start, labels } = spec;
  const empty = { spec, steps: [], branches: {}, labels: newPool(), symbols: new Map<string, Symbol>() };
  if (start.from === 'text' || start.from === 'ids') {
    const tokens = start.from === 'text' ? tokensOf(start) : start.ids.map((id) => ({ id, text: String(id) }));
    return { ...empty, tokens, keyTokens: tokens };
  }
  const { queries, keys } = rowCounts(start);
  const tokens = labelled(queries, labels?.queries);
  const shared = keys === queries && !labels?.keys && !(start.from === 'x' && start.context);
  return { ...empty, tokens, keyTokens: shared ? tokens : labelled(keys, labels?.keys) };
}

const labelled = (count: number, labels: readonly string[] | undefined): Token[] =>
  Array.from({ length: count }, (_, id) => ({ id, text: labels?.[id] ?? String(id) }));

function finish(draft: Draft): Plan {
  const { steps, tokens, keyTokens, spec } = draft;
  return {
    steps,
    tokens,
    keyTokens,
    multiplyAdds: steps.reduce((sum, step) => sum + workOf(step, steps), 0),
    bytes: bytesOf(spec.dtype, steps),
    ...notesOn(draft),
  };
}
