import { addStep, tokenTexts, type Draft, type StepDraft } from './draft';
import { addBranchStep } from './projections';

/* The step of a decoder: the query of one token beside the keys and values of the tokens up to it. */

/**
 * The draft of a step of a decoder: from here on there is one query, and as many keys and values as a cache holds then. The steps before keep all
 * rows.
 */
export function decoding(draft: Draft): Draft {
  const { decode } = draft.spec;
  if (!decode) return draft;
  const { step } = decode;
  const last = step + 1;
  const cut: Draft = {
    ...draft,
    decoded: step,
    tokens: draft.tokens.slice(step, last),
    keyTokens: draft.keyTokens.slice(0, last),
  };
  for (const branch of ['q', 'k', 'v'] as const) {
    if (draft.branches[branch] === undefined) continue;
    addBranchStep(cut, branch, { op: 'cut', rows: [branch === 'q' ? step : 0, last] });
  }
  return cut;
}

/** The rows and columns of a given mask that the step of a decoder has. */
export function cutMask(draft: Draft, row: Omit<StepDraft, 'id' | 'call'>): void {
  const { decoded = 0 } = draft;
  const last = decoded + 1;
  const grid = { rows: tokenTexts(draft.tokens), columns: tokenTexts(draft.keyTokens) };
  const call = { op: 'cut', rows: [decoded, last], columns: [0, last] } as const;
  const { formula: _, shape: __, ...same } = row;
  addStep(draft, { ...same, ...grid, id: 'mask', call, operands: ['wholeMask'] });
}
