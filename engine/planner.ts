import { isSource, operations, type CallOf } from './operations';
import type { Plan, Step, Token } from './plan';
import { planAttention } from './planner/attention';
import type { Draft } from './planner/draft';
import { planInputs } from './planner/inputs';
import { planGiven, planHeads, planProjections } from './planner/projections';
import { fail, ok, type Problem, type Result } from './problems';
import { checkSpec, dimsOf } from './shapes';
import type { AttentionSpec, Start } from './spec';
import { sizeOf } from './tensor';
import { splitText } from './tokens/split';

/**
 * The only place (with `planner/`) that knows variants: turns a spec into ordered steps. Problems carry the path of the
 * field that does not fit, with the shapes that were found and expected.
 */
export function planOf(spec: AttentionSpec): Result<Plan> {
  const problems = checkSpec(spec);
  if (problems.length) return fail(...problems);
  const draft = startDraft(spec);
  if (draft.tokens.length === 0) return fail(noTokens());
  planFrom[spec.start.from](draft);
  planAttention(draft);
  return ok(finish(draft));
}

const noTokens = (): Problem => ({
  code: 'empty',
  message: 'the text has no tokens',
  hint: 'Select at least one word.',
  path: 'start.text',
});

function fromX(draft: Draft): void {
  planInputs(draft);
  planProjections(draft);
  planHeads(draft);
}

/** What comes before the scores, for each place to start from. */
const planFrom: { readonly [F in Start['from']]: (draft: Draft) => void } = {
  text: fromX,
  ids: fromX,
  x: fromX,
  qkv: (draft) => {
    planGiven(draft, ['q', 'k', 'v']);
    planHeads(draft);
  },
  scores: (draft) => {
    planGiven(draft, ['v']);
    planHeads(draft);
  },
  weights: (draft) => {
    planGiven(draft, ['v']);
    planHeads(draft);
  },
};

function startDraft(spec: AttentionSpec): Draft {
  const { labels } = spec;
  const [rows, keyRows] = rowCounts(spec.start);
  if (typeof rows !== 'number') return { spec, steps: [], lanes: {}, tokens: rows, keyTokens: rows };
  const tokens = labelled(rows, labels?.queries);
  const shared = keyRows === rows && !labels?.keys && !(spec.start.from === 'x' && spec.start.context);
  return { spec, steps: [], lanes: {}, tokens, keyTokens: shared ? tokens : labelled(keyRows, labels?.keys) };
}

/** The tokens themselves, or how many rows queries and keys have. */
function rowCounts(start: Start): [readonly Token[] | number, number] {
  switch (start.from) {
    case 'text':
      return [splitText(start.text, start.tokenizer), 0];
    case 'ids':
      return [start.ids.map((id) => ({ id, text: String(id) })), 0];
    case 'x':
      return [dimsOf(start.x).at(-2) ?? 0, dimsOf(start.context ?? start.x).at(-2) ?? 0];
    case 'qkv':
      return [dimsOf(start.q).at(-2) ?? 0, dimsOf(start.k).at(-2) ?? 0];
    default: {
      const dims = dimsOf(start.from === 'scores' ? start.scores : start.weights);
      return [dims.at(-2) ?? 0, dims.at(-1) ?? 0];
    }
  }
}

const labelled = (count: number, labels: readonly string[] | undefined): Token[] =>
  Array.from({ length: count }, (_, id) => ({ id, text: labels?.[id] ?? String(id) }));

function finish(draft: Draft): Plan {
  const { steps, tokens, keyTokens, spec } = draft;
  const width = spec.dtype === 'float32' ? 4 : 8;
  return {
    steps,
    tokens,
    keyTokens,
    multiplyAdds: steps.reduce((sum, step) => sum + workOf(step, steps), 0),
    bytes: steps.reduce((sum, step) => sum + sizeOf(step.shape) * width, 0),
  };
}

function workOf(step: Step, steps: readonly Step[]): number {
  if (isSource(step.call)) return 0;
  const shapes = step.operands.map((id) => steps.find((s) => s.id === id)?.shape ?? []);
  return operations[step.call.op].work(step.call as CallOf<never>, shapes, step.shape);
}
