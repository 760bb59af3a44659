import type { MatrixRole, ParsedMatrix } from './matrix';

/** Roles that depend on the values, as names alone are ambiguous. */
export type ValueRole = 'scores' | 'weights' | 'context';

export interface NamedRole {
  readonly role: MatrixRole;
  /** 3 in `x_3`. */
  readonly index?: number;
}

const byName = new Map<string, MatrixRole>();
const learn = (role: MatrixRole, names: string): void => {
  for (const name of names.split(' ')) byName.set(name, role);
};
learn('q', 'q query queries');
learn('k', 'k key keys');
learn('v', 'v value values');
learn('x', 'x m emb embed embedding embeddings input inputs');
learn('wo', 'wo ao woutput outproj oproj cproj tooutput');
learn('bo', 'bo boutput');
learn('mask', 'mask attnmask attentionmask causalmask keypaddingmask paddingmask srcmask tgtmask lookaheadmask');
for (const letter of ['q', 'k', 'v'] as const) {
  const long = { q: 'query', k: 'key', v: 'value' }[letter];
  const prefixes = ['w', 'a', 'to', 'weight', 'weights'];
  const names = prefixes.flatMap((prefix) => [prefix + letter, prefix + long]);
  learn(`w${letter}`, [...names, `${letter}proj`, `${long}proj`, `proj${letter}`, `${long}weight`].join(' '));
  learn(`b${letter}`, `b${letter} b${long} bias${letter} bias${long} ${letter}bias ${long}bias`);
}
learn('bias', 'bias biases');

/** Parts of a dotted name that are ignored. */
const ignoredNameParts = new Set([
  'self',
  'this',
  'model',
  'layer',
  'attn',
  'attention',
  'module',
  'data',
  'detach',
  'params',
  'val',
]);

/**
 * The role of a name. Case and underscores are ignored (`W_q`, `Wq`, `w_query`, `A_q`), as are `self.` and `.data`; `self.q_proj.weight` and
 * `query.weight` are W_q, `x_1` is one token's vector.
 */
export function roleOf(name: string): NamedRole | undefined {
  const parts = name.split('.').filter((part) => part !== '' && !ignoredNameParts.has(part.toLowerCase()));
  const last = parts.at(-1);
  if (last === undefined || name.length > 80) return undefined;
  const owner = parts.at(-2);
  if (owner !== undefined && (last === 'weight' || last === 'kernel')) return parameterRole(owner, 'w');
  if (owner !== undefined && last === 'bias') return parameterRole(owner, 'b');
  const token = tokenIndex(last);
  if (token !== undefined) return { role: 'xi', index: token };
  const role = byName.get(fold(last));
  return role && { role };
}

const fold = (name: string): string => name.replace(/[_\s-]/g, '').toLowerCase();

/** The role of `q_proj.weight`, `query.weight`: a parameter of a linear layer that is named after its output. */
function parameterRole(owner: string, kind: 'w' | 'b'): NamedRole | undefined {
  const role = byName.get(fold(owner));
  if (role === undefined) return undefined;
  if (role === 'q' || role === 'k' || role === 'v') return { role: `${kind}${role}` };
  if (kind === 'w') return { role };
  if (role === 'wo') return { role: 'bo' };
  return { role: role === 'wq' ? 'bq' : role === 'wk' ? 'bk' : role === 'wv' ? 'bv' : 'bias' };
}

/** The index in `x_3`, `x3`, `X_3` or `x₃`. */
function tokenIndex(name: string): number | undefined {
  const plain = name.replace(/[₀-₉]/g, (digit) => String(digit.charCodeAt(0) - 0x2080));
  const match = /^[xX]_?(\d{1,4})$/.exec(plain);
  return match ? Number(match[1]) : undefined;
}

const scoreNames = new Set(
  's score scores logit logits scaled qk qkt dots energy alignment attnscores attentionscores attnlogits attentionlogits scaledscores rawscores alignmentscores'.split(
    ' ',
  ),
);
const weightNames = new Set(
  'a p w attn attention weights attnweights attentionweights probs attnprobs attentionprobs attentionmatrix alpha alphas'.split(
    ' ',
  ),
);
const contextNames = new Set(
  'context memory encoder encoderoutput encoderoutputs encoderhidden encoderhiddenstates encoderstates encout enc xenc xkv'.split(
    ' ',
  ),
);

/**
 * The role of a matrix by its name and values together, where the name alone is ambiguous (`S`, `A`, `weights`): scores, weights (rows
 * sum to 1), or the context that keys and values come from.
 */
export function roleByValues({ name, shape, values, rowLabels, columnLabels }: ParsedMatrix): ValueRole | undefined {
  const folded = fold(name?.slice(name.lastIndexOf('.') + 1) ?? '');
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  if (shape.length < 2) return undefined;
  if (contextNames.has(folded)) return 'context';
  if (weightNames.has(folded) && rowsSumToOne(values, columns)) return 'weights';
  const labelled = rowLabels !== undefined && rowLabels.join() === columnLabels?.join() && rows === columns;
  if (labelled) return rowsSumToOne(values, columns) ? 'weights' : 'scores';
  return scoreNames.has(folded) ? 'scores' : undefined;
}

/** Tolerance of a row sum: n numbers printed with four decimals are off by at most n · 0.00005, plus a margin. */
const rowSumTolerance = (columns: number): number => 0.001 + 0.00005 * columns;

/** Whether no number is negative and each row sums to 1, as far as printed digits tell. */
function rowsSumToOne(values: Float64Array, columns: number): boolean {
  for (let start = 0; start < values.length; start += columns) {
    let sum = 0;
    for (let j = start; j < start + columns; j++) {
      const x = values[j] ?? NaN;
      if (!(x >= 0)) return false;
      sum += x;
    }
    if (!(Math.abs(sum - 1) <= rowSumTolerance(columns))) return false;
  }
  return values.length > 0;
}

/** Whether the name says that scores are already scaled: `scaled_scores`, `scaled`, `normalized`. */
export const isScaledName = (name: string | undefined): boolean => /scaled|normali[sz]ed/i.test(name ?? '');
