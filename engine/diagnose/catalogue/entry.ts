/** The parts of attention in which a mistake can be, in the order in which they are computed. */
export const parts = [
  'input', 'norm', 'project', 'cut', 'turn', 'scale', 'mask', 'softmax', 'mix', 'merge', 'out', 'sum',
] as const; // prettier-ignore
export type Part = (typeof parts)[number];

export interface Mistake {
  readonly id: string;
  readonly part: Part;
  /** In the field's words. What gives the same numbers always is one entry with all its names. */
  readonly name: () => string;
  /** How it comes about. */
  readonly cause: () => string;
  /** What is seen in the numbers. */
  readonly look: () => string;
  /** What to write instead, in NumPy; S: scores, A: weights, n: tokens, h: heads. */
  readonly fix: string;
  /** Where somebody made this mistake in public code; without one, only `defined` says what is right. */
  readonly reported?: string;
  /** Where the right computation is defined. */
  readonly defined: string;
}

/** What the mistakes of a part have in common. */
export interface Family {
  readonly part: Part;
  readonly cause: () => string;
  readonly look: () => string;
  readonly fix: string;
  readonly defined?: string;
}

const attention = 'https://arxiv.org/abs/1706.03762';
export const papers = {
  attention,
  rope: 'https://arxiv.org/abs/2104.09864',
  layerNorm: 'https://arxiv.org/abs/1607.06450',
  preNorm: 'https://arxiv.org/abs/2002.04745',
  grouped: 'https://arxiv.org/abs/2305.13245',
  window: 'https://arxiv.org/abs/2004.05150',
  softmax: 'https://arxiv.org/abs/1805.02867',
} as const;

/** `reported`: a path on GitHub. `own`: where it differs from its family. */
export function mistake(
  { part, cause, look, fix, defined = attention }: Family,
  id: string,
  name: () => string,
  reported?: string,
  own: Partial<Omit<Family, 'part'>> = {},
): Mistake {
  const link = reported === undefined ? {} : { reported: `https://github.com/${reported}` };
  return { id, part, name, cause, look, fix, defined, ...own, ...link };
}
