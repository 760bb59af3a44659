import { t, type Problem } from '../text';
import type { MatrixRole, ParsedMatrix } from './matrix';
import { symbols } from './rows';
import { withoutWords } from './start-specs';
import type { SelectionParts } from './selection-parts';

/** The problem that X or some of its weights are missing. */
export function missingForWeights(
  parts: SelectionParts,
  x: ParsedMatrix | undefined,
  weights: readonly ('wq' | 'wk' | 'wv')[],
): Problem {
  const missing = (['wq', 'wk', 'wv'] as const).filter((role) => !weights.includes(role)).map((role) => symbols[role]);
  if (!x) missing.unshift('X' as never);
  const unknown = unknownOf(parts, [...(x ? [] : (['x', 'xi'] as const)), 'wq', 'wk', 'wv']);
  if (unknown) return unknown;
  const have = weights.map((role) => parts.byRole.get(role)?.name ?? symbols[role]);
  return missingProblem(
    missing,
    have,
    parts.byRole.get(weights[0] ?? 'wq'),
    t('Select X (or x_1 … x_n), W_q, W_k and W_v.'),
  );
}

/** The problem of a missing matrix whose value the program does not tell. */
const unknownOf = ({ byRole, unknown }: SelectionParts, roles: readonly MatrixRole[]): Problem | undefined =>
  roles.filter((role) => !byRole.has(role)).flatMap((role) => unknown.get(role)?.problem ?? [])[0];

export function missingForKeys(parts: SelectionParts, keys: readonly ('q' | 'k' | 'v')[]): Problem {
  const missing = (['q', 'k'] as const).filter((role) => !keys.includes(role)).map((role) => symbols[role]);
  const unknown = unknownOf(parts, ['q', 'k']);
  if (unknown) return unknown;
  const have = keys.map((role) => parts.byRole.get(role)?.name ?? symbols[role]);
  const hint = t('Select Q and K, and V to see the output; or rename it to X for Q = K = V = X.');
  return missingProblem(missing, have, parts.byRole.get(keys[0] ?? 'q'), hint);
}

function missingProblem(
  missing: readonly string[],
  have: readonly string[],
  at: ParsedMatrix | undefined,
  hint: string,
): Problem {
  return {
    code: 'missing',
    message: withoutWords(have, missing),
    hint,
    ...(at ? { range: at.nameRange ?? at.range } : {}),
  };
}

export const severalUnnamed = (count: number, second: ParsedMatrix): Problem => ({
  code: 'unnamed',
  message:
    second.name === undefined
      ? t('{0} matrices are selected and nothing says which is which', count)
      : t('{0} matrices are selected and none is named Q, K, V or X', count),
  hint: t('Name them Q = …, K = …, V = …, or select one of them.'),
  range: second.range,
});

export function unusable(others: readonly ParsedMatrix[]): Problem {
  const [m] = others;
  return {
    code: 'missing',
    message: t('{0} without X, or Q and K', m?.name ?? t('this')),
    hint: t('Select X, or Q and K, with it.'),
    ...(m ? { range: m.nameRange ?? m.range } : {}),
  };
}
