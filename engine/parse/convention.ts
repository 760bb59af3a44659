import { t, fail, ok, type Problem, type Result } from '../text';
import type { Convention } from '../spec';
import { formatShape } from '../math';
import type { Code } from './mask-use';
import type { ParsedMatrix } from './matrix';
import type { Stacked } from './stack-tokens';
import { weightUse } from './weight-use';

type Dims = readonly [rows: number, columns: number];
export type Weights = Readonly<Record<'x' | 'wq' | 'wk' | 'wv', Dims>>;

export interface ConventionChoice {
  readonly convention: Convention;
  /** Why this convention was chosen, and that it can be switched. */
  readonly note: string;
}

/** Code that may use the weights. */
export interface CodeWithWeights {
  readonly code: Code;
  /** The name of W_o. */
  readonly output?: string | undefined;
}

/**
 * Chooses whether the weights apply as X·W or X·Wᵀ: the one that fits the shapes. If both fit, the one that the code uses; else X·Wᵀ for column
 * vectors (W·x) and for the weights of linear layers (`q_proj.weight`), and X·W otherwise. A Problem if neither fits.
 */
export function conventionOf(
  dims: Weights,
  fields: Readonly<Record<string, ParsedMatrix>>,
  tokens: Stacked | undefined,
  used?: CodeWithWeights,
): Result<ConventionChoice> {
  const width = dims.x[1];
  const roles = ['wq', 'wk', 'wv'] as const;
  const fits = (side: 0 | 1): boolean => roles.every((role) => dims[role][side] === width);
  const [xw, xwt] = [fits(0), fits(1)];
  if (!xw && !xwt) return fail(...roles.flatMap((role) => problemsOf(role, dims, fields)));
  if (xw && xwt)
    return ok((used && conventionInCode(used, dims.x, fields, tokens)) ?? defaultConvention(fields, tokens));
  const [convention, word] = xw ? (['XW', 'X·W'] as const) : (['XWT', 'X·Wᵀ'] as const);
  return ok({
    convention,
    note: t('{0}: the only one that fits X {1} and W_q {2}.', word, formatShape(dims.x), formatShape(dims.wq)),
  });
}

/** The convention according to the lines that multiply by the weights. */
function conventionInCode(
  { code, output }: CodeWithWeights,
  x: Dims,
  fields: Readonly<Record<string, ParsedMatrix>>,
  tokens: Stacked | undefined,
): ConventionChoice | undefined {
  const names = (...roles: readonly string[]): string[] => roles.flatMap((role) => fields[role]?.name ?? []);
  const use = weightUse(code, {
    inputs: [...new Set(names('x', 'context'))],
    weights: [...new Set(names('wq', 'wk', 'wv'))],
    output,
    isFlat: tokens !== undefined || fields['x']?.shape.length === 2,
    isSquare: x[0] === x[1],
  });
  if (!use) return undefined;
  const { convention, line } = use;
  const note = convention === 'XW' ? t('X·W, as the line `{0}` says.', line) : t('X·Wᵀ, as the line `{0}` says.', line);
  return { convention, note };
}

function defaultConvention(
  fields: Readonly<Record<string, ParsedMatrix>>,
  tokens: Stacked | undefined,
): ConventionChoice {
  if (tokens?.columns) {
    const [first] = tokens.sources;
    const shape = formatShape(first?.shape ?? []);
    const note =
      tokens.labels.length > 1
        ? t(
            'X·Wᵀ, because {0}…{1} are columns ({2}): W·x on columns is X·Wᵀ on rows.',
            tokens.labels[0],
            tokens.labels.at(-1),
            shape,
          )
        : t('X·Wᵀ, because x is a column ({0}): W·x on columns is X·Wᵀ on rows.', shape);
    return { convention: 'XWT', note };
  }
  if (['wq', 'wk', 'wv'].every((role) => fields[role]?.name?.endsWith('.weight')))
    return { convention: 'XWT', note: t('X·Wᵀ, because a linear layer keeps its weight as d_out×d_in.') };
  return {
    convention: 'XW',
    note: t('The weights are square, so both X·W and X·Wᵀ fit; X·Wᵀ is right where W stands at the left (W·x).'),
  };
}

const symbols = { wq: 'W_q', wk: 'W_k', wv: 'W_v' } as const;

/**
 * Problems of one matrix if no convention fits: `W_q is 5×8; X is 6×16: X·W needs 16 rows, X·Wᵀ needs 16 columns`. None for a matrix that agrees with
 * W_q.
 */
function problemsOf(
  role: 'wq' | 'wk' | 'wv',
  dims: Weights,
  fields: Readonly<Record<string, ParsedMatrix>>,
): Problem[] {
  const [width, own] = [dims.x[1], dims[role]];
  const found = fields[role];
  const where = { ...(found ? { range: found.range } : {}), path: `projections.${role}` };
  const message = t(
    '{0} is {1}; X is {2}: X·W needs {3} rows, X·Wᵀ needs {3} columns',
    symbols[role],
    formatShape(own),
    formatShape(dims.x),
    width,
  );
  if (own[0] !== width && own[1] !== width)
    return [{ code: 'shape-mismatch', message, hint: t('Neither fits: check X and the weights.'), ...where }];
  const side = dims.wq[0] === width ? 0 : 1;
  if (own[side] === width) return [];
  return [{ code: 'shape-mismatch', message, hint: t('W_q, W_k and W_v must all apply in the same way.'), ...where }];
}
