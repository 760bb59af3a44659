/** What the statements of a question are about: the numbers and shapes that say whether they are true. */
import type { Claim } from './claim';
import { statementsOf, type Question } from './question';
import type { Quantity, Take } from './quantity';

export interface LookedAt {
  readonly block: string | undefined;
  readonly step: string;
  readonly what: 'numbers' | 'shape';
}

/** Of a quantity, what can be counted by the shape alone. */
export const sizes: readonly Take[] = ['rows', 'columns', 'cells', 'multiplyAdds'];

/** Steps whose numbers or shapes decide the question. Empty for one that is no choice of statements, tokens or steps. */
export function lookedAt(q: Question): readonly LookedAt[] {
  if ('among' in q) return [{ block: q.about, step: q.among.step, what: 'numbers' }];
  return statementsOf(q).flatMap(({ claim }) => ofClaim(claim, q.about));
}

function ofClaim(claim: Claim, about: string | undefined): readonly LookedAt[] {
  const block = claim.about ?? about;
  switch (claim.is) {
    case 'equal':
    case 'less':
    case 'more':
      return [claim.value, claim.to].flatMap((of) => (typeof of === 'number' ? [] : [ofQuantity(of, block)]));
    case 'shape':
      return [{ block, step: claim.step, what: 'shape' }];
    case 'shows':
      return [{ block, step: claim.step, what: 'numbers' }];
    case 'property':
      return [{ block, step: steps[claim.property] ?? 'output', what: 'numbers' }];
    // A product is told from the shapes of what is multiplied, and these are given; lines of a program are no step.
    case 'product':
    case 'assigned':
      return [];
  }
}

const ofQuantity = ({ about, step, take = 'value' }: Quantity, block: string | undefined): LookedAt => ({
  block: about ?? block,
  step,
  what: sizes.includes(take) ? 'shape' : 'numbers',
});

/** The step in which a property shows. */
const steps: Readonly<Record<string, string>> = {
  'rows-sum-to-1': 'weights',
  'scores-symmetric': 'scores',
  'weights-symmetric': 'weights',
  causal: 'weights',
  'permutation-equivariant': 'output',
};
