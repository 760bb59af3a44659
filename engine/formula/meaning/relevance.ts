/** Which formulas of a document are attention's mathematics: those that compute it, and what they are made of. */
import { bare, childrenOf, keyOf, partsOf, type Expression, type SymbolPart } from '../tree';
import { unprimedKey } from './keys';

/** Calculus and statistics: what a text says about attention, not how it is computed. */
const isOther = (of: Expression): boolean => {
  // Layers and arrows between them, named in words.
  if (of.kind === 'relation' && of.signs.every((sign) => sign === '→') && [...partsOf(of)].some((part) => part.kind === 'symbol' && /\p{Script=Han}/u.test(part.name))) return true; // prettier-ignore
  // `σ: ℝ^K → ℝ^K`: from where to where a function goes.
  if (of.kind === 'relation' && of.signs[0] === ':' && of.signs.includes('→')) return true;
  for (const part of partsOf(of)) {
    if (part.kind === 'unread' && /^\\(?:partial|nabla|mathbb|int|Pr|operatornamewithlimits|lim|det|forall|exists|argmin|argmax)/.test(part.text)) return true; // prettier-ignore
    if (part.kind === 'symbol' && /^(?:∂|∇|𝔼)$/.test(part.name)) return true;
    // `p(k_j \vert q_i)`.
    if (part.kind === 'group' && part.open === '(' && part.of.kind === 'product' && part.of.factors.some(({ kind }) => kind === 'rule')) return true; // prettier-ignore
    if (part.kind === 'call' && /^[pP]$/.test(part.name) && [...partsOf(part)].some((one) => one.kind === 'unread' && one.text === '|')) return true; // prettier-ignore
    if (
      (part.kind === 'call' || part.kind === 'symbol') &&
      /^(?:Var|Cov|KL|Loss|loss|argmin|argmax|FLOPs|ln)$/.test(part.name)
    )
      return true;
    // `f(q, k_i)` is a score, `L(N, D)` a loss.
    if (part.kind === 'call' && (part.name === 'log' || (!isOfRole(part.over) && /^[fghLJ]$|[a-z]Function|network|^MLP$/.test(part.name) && !isScores(part.args) && !isShare(of)))) return true; // prettier-ignore
  }
  return false;
};

/** `f_q(x_m, m)`: what makes a query. */
const isOfRole = (of: Expression | undefined): boolean => of?.kind === 'symbol' && /^[qkv]$/.test(of.name);

/** exp over a sum of exp, somewhere in it: `f(s_i) g(h_j)ᵀ` beside it is a score. */
const isShare = (of: Expression): boolean =>
  [...partsOf(of)].some((part) => part.kind === 'quotient' && isWrittenOut(part.over, part.under));

const attentionCall = /soft ?max|attention|^attn|^concat$|multi ?head/i;

/** A softmax, an attention, or QKᵀ. */
function computesAttention(of: Expression): boolean {
  for (const part of partsOf(of)) {
    if (part.kind === 'call' && attentionCall.test(part.name)) return true;
    if (part.kind === 'symbol' && part.name.length > 3 && attentionCall.test(part.name)) return true;
    if (part.kind === 'product' && (isScores(part.factors) || /q.*k|k.*q/i.test(weightsIn(part)))) return true;
    if (part.kind === 'quotient' && isWrittenOut(part.over, part.under)) return true;
    if (part.kind === 'sigma' && part.index !== undefined && isWeighted(part.of, part.index)) return true;
    if (part.kind === 'relation' && isProjection(part.sides)) return true;
  }
  return false;
}

/** α_{ij} = s_iᵀ h_j/√n. */
const isScaledScore = ([left, right]: readonly Expression[]): boolean =>
  left?.kind === 'symbol' && left.index?.length === 2 && right?.kind === 'quotient' && right.under.kind === 'root' && right.over.kind === 'product' && right.over.factors[0]?.kind === 'transpose'; // prettier-ignore

/** `qk` of X W_q (X W_k)ᵀ: which weights are multiplied. */
const weightsIn = (of: Expression): string =>
  of.kind === 'symbol' ? (of.name === 'W' ? (of.label?.charAt(0) ?? '') : '') : /^(?:product|sum|group|transpose)$/.test(of.kind) ? childrenOf(of).map(weightsIn).join('') : ''; // prettier-ignore

/** Q = X W_q, K = W^K X: queries, keys or values by their own weights. */
function isProjection([left, right]: readonly Expression[]): boolean {
  if (left?.kind !== 'symbol' || !/^[qkvQKV]$/.test(left.name) || right?.kind !== 'product') return false;
  const role = left.name.toLowerCase();
  return right.factors.some((one) => one.kind === 'symbol' && one.name === 'W' && one.label?.replace(/^U(?=[KQV])/, '').charAt(0).toLowerCase() === role); // prettier-ignore
}

/** w_{ij} v_j under a sum over j. */
function isWeighted(of: Expression, index: string): boolean {
  const [weight, value] = of.kind === 'product' ? of.factors : [];
  const by = (at: Expression | undefined): boolean => at?.kind === 'symbol' && at.name === index;
  const counts = weight?.kind === 'symbol' && weight.index?.length === 2 && by(weight.index[1]);
  return counts && value?.kind === 'symbol' && value.index?.length === 1 && by(value.index[0]);
}

const isScores = (factors: readonly Expression[]): boolean =>
  factors.some((factor, i) => isNamed(factors[i - 1], /^[qQ]$/) && isNamed(factor, /^[kK]$/)) ||
  factors.some((factor, i) => isNamed(factors[i - 1], /^[kK]$/) && factors[i - 1]?.kind === 'transpose' && isNamed(factor, /^[qQ]$/)); // prettier-ignore

function isNamed(of: Expression | undefined, name: RegExp): boolean {
  const inner = of && bare(of);
  const at = inner?.kind === 'transpose' ? bare(inner.of) : inner;
  return at?.kind === 'symbol' && name.test(at.name);
}

/** exp over a sum of exp. */
export const isWrittenOut = (over: Expression, under: Expression): boolean => isExponential(over) && hasSum(under);

const isExponential = (of: Expression): boolean => {
  for (const part of partsOf(of)) if (isExp(part)) return true;
  return false;
};
const isExp = (part: Expression): boolean =>
  (part.kind === 'call' && part.name === 'exp') ||
  (part.kind === 'power' && part.base.kind === 'symbol' && part.base.name === 'e');
const hasSum = (of: Expression): boolean => {
  for (const part of partsOf(of)) {
    if (part.kind === 'sigma' && isExponential(part.of)) return true;
    if (part.kind === 'sum' && part.terms.filter(isExp).length > 1) return true;
  }
  return false;
};

const positional = (of: Expression): boolean => {
  for (const part of partsOf(of)) {
    if (part.kind === 'symbol' && /^P\u0302?E?$|^PE$|positional/i.test(part.name) && part.name.length > 1) return true;
    if (part.kind === 'call' && /^(?:PE|positional.*|tokenizer|embed\w*)$/i.test(part.name)) return true;
  }
  return false;
};

export interface Relevance {
  /** By the formula's number. */
  readonly isRelevant: readonly boolean[];
  /** Whether the document has attention at all. */
  readonly any: boolean;
}

/** Names reach from those that compute attention to what they are made of, and to what is made of them. */
export function relevanceOf(
  formulas: readonly (Expression | undefined)[],
  isSize: (key: string) => boolean,
): Relevance {
  const other = formulas.map((of) => of !== undefined && isOther(of));
  const seeds = formulas.map((of, i) => of !== undefined && !other[i] && computesAttention(of));
  const any = seeds.some(Boolean);
  // Without attention of its own it may be a correlation.
  if (any) formulas.forEach((of, i) => of && !other[i] && [...partsOf(of)].some((part) => part.kind === 'relation' && isScaledScore(part.sides)) && (seeds[i] = true)); // prettier-ignore
  const keys = formulas.map((of) => (of ? keysOf(of).filter((key) => !isSize(key)) : []));
  const known = new Set(keys.flatMap((all, i) => (seeds[i] ? all : [])));
  if (any) for (const name of ['Q', 'K', 'V', 'q', 'k', 'v']) known.add(name);
  for (let turn = 0; turn < 4; turn++)
    formulas.forEach((of, i) => {
      if (of && !other[i] && of.kind !== 'symbol' && links(of, known)) keys[i]?.forEach((key) => known.add(key));
    });
  const isRelevant = formulas.map((of, i) => any && of !== undefined && !other[i] && (seeds[i] === true || positional(of) || (keys[i] ?? []).some((key) => known.has(key)) || isGrid(of))); // prettier-ignore
  return { isRelevant, any };
}

const isGrid = (of: Expression): boolean => {
  for (const part of partsOf(of)) if (part.kind === 'matrix' || part.kind === 'space') return true;
  return false;
};

/** A definition whose name, or whose parts, belong to attention. */
function links(of: Expression, known: ReadonlySet<string>): boolean {
  for (const part of partsOf(of))
    if (part.kind === 'relation' && part.sides.some((side) => keysOf(side).some((key) => known.has(key)))) return true;
  return false;
}

/** Matrices, vectors and what has an index; words only where they are names of such. */
const counts = ({ name, index, label }: SymbolPart): boolean =>
  [...name].length > 1
    ? /^(?:head|out)$|_|scores?$|weights?$|output/i.test(name)
    : !/^[ℝℤℕℂ𝔽]$/u.test(name) &&
      (name !== 'e' || index !== undefined) &&
      (index !== undefined || label !== undefined || /^[A-ZqkvxyΑ-Ω]$/.test(name));

/** Names alone, not what counts them. */
function keysOf(of: Expression): string[] {
  const keys: string[] = [];
  const pending = [of];
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (at.kind === 'symbol' && counts(at)) keys.push(unprimedKey(keyOf(at)));
    if (at.kind !== 'symbol') pending.push(...childrenOf(at));
  }
  return keys;
}
