import { fail, ok, type Problem, type Result } from '../problems';
import type { Convention } from '../spec';
import { formatShape } from '../tensor';
import type { ParsedMatrix } from './matrix';
import type { Stacked } from './stack';

type Dims = readonly [rows: number, columns: number];
export type Weights = Readonly<Record<'x' | 'wq' | 'wk' | 'wv', Dims>>;

export interface Chosen {
  readonly convention: Convention;
  /** Why, and that it can be switched. */
  readonly note: string;
}

/**
 * Whether the weights apply as X·W or X·Wᵀ: what the shapes allow; where both fit, X·Wᵀ for column vectors (W·x) and for
 * the weights of linear layers (`q_proj.weight`), X·W otherwise. A Problem when neither fits.
 */
export function conventionOf(
  dims: Weights,
  fields: Readonly<Record<string, ParsedMatrix>>,
  tokens: Stacked | undefined,
): Result<Chosen> {
  const width = dims.x[1];
  const roles = ['wq', 'wk', 'wv'] as const;
  const fits = (side: 0 | 1): boolean => roles.every((role) => dims[role][side] === width);
  const [xw, xwt] = [fits(0), fits(1)];
  if (!xw && !xwt) return fail(...roles.flatMap((role) => unfit(role, dims, fields)));
  if (xw && xwt) return ok(preferred(fields, tokens));
  const [convention, word] = xw ? (['XW', 'X·W'] as const) : (['XWT', 'X·Wᵀ'] as const);
  return ok({
    convention,
    note: `${word}: the only one that fits X ${formatShape(dims.x)} and W_q ${formatShape(dims.wq)}.`,
  });
}

function preferred(fields: Readonly<Record<string, ParsedMatrix>>, tokens: Stacked | undefined): Chosen {
  if (tokens?.columns) {
    const [first] = tokens.sources;
    const names =
      tokens.labels.length > 1 ? `${tokens.labels[0]}…${tokens.labels.at(-1)} are columns` : 'x is a column';
    const shape = formatShape(first?.shape ?? []);
    return { convention: 'XWT', note: `X·Wᵀ, because ${names} (${shape}): W·x on columns is X·Wᵀ on rows.` };
  }
  if (['wq', 'wk', 'wv'].every((role) => fields[role]?.name?.endsWith('.weight')))
    return { convention: 'XWT', note: 'X·Wᵀ, because a linear layer keeps its weight as d_out×d_in.' };
  return {
    convention: 'XW',
    note: 'The weights are square, so both X·W and X·Wᵀ fit; X·Wᵀ is right where W stands at the left (W·x).',
  };
}

const symbols = { wq: 'W_q', wk: 'W_k', wv: 'W_v' } as const;

/** `W_q is 5×8; X is 6×16: X·W needs 16 rows, X·Wᵀ needs 16 columns`, for each matrix that the first does not agree with. */
function unfit(role: 'wq' | 'wk' | 'wv', dims: Weights, fields: Readonly<Record<string, ParsedMatrix>>): Problem[] {
  const [width, own] = [dims.x[1], dims[role]];
  const found = fields[role];
  const where = { ...(found ? { range: found.range } : {}), path: `projections.${role}` };
  const message = `${symbols[role]} is ${formatShape(own)}; X is ${formatShape(dims.x)}: X·W needs ${width} rows, X·Wᵀ needs ${width} columns`;
  if (own[0] !== width && own[1] !== width)
    return [{ code: 'shape-mismatch', message, hint: 'Neither fits: check X and the weights.', ...where }];
  const side = dims.wq[0] === width ? 0 : 1;
  if (own[side] === width) return [];
  return [{ code: 'shape-mismatch', message, hint: 'W_q, W_k and W_v must all apply in the same way.', ...where }];
}
