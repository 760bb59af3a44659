/** How many axes a formula itself gives a name: two to Q, K and V of softmax(QKᵀ/√d_k)V, two to X and W_Q of XW_Q, one to x_i of W_Q x_i, none to α_{ij} of Σ α_{ij} v_j. */
import { bare, partsOf, type Expression, type SymbolPart } from '../tree';
import { add, type Document, type Parsed } from './context';
import { sectionOf } from './evidence';
import { indexedKey } from './names';
import { sizeOf } from './sizes';
import { sentenceAround } from './words';

/** What words say of a name, and what stands for all tokens, comes before what a product makes of it. */
export function fromUse(text: string, parsed: readonly Parsed[], document: Document): void {
  const expressions = parsed.flatMap(({ expression }) => (expression ? [expression] : []));
  const isOfBlocks = ofBlocks.test(text);
  const areRows = !isOfBlocks && expressions.some(sumsOverKeys);
  for (const expression of expressions) {
    const indices = countsTokens(expression) ? [0] : [0, 1];
    for (const part of partsOf(expression))
      otherwiseUsed(document, part, indices, (sign) => areRows || (!isOfBlocks && sign === '·'));
  }
  const otherwiseCalled = (of: SymbolPart): boolean =>
    parsed.some(({ region, expression }) => expression?.kind === 'symbol' && !region.display && expression.name === of.name && (of.index ? isWhole : isNoMatrix).test(sentenceAround(text, region.outer))); // prettier-ignore
  // `Q_i K_i^T` is of heads or blocks: then `Q_1 · K_2` may be of those too.
  const names = expressions.some((one) => [...partsOf(one)].some((part) => matching(turned(part), /^K$/, 1)))
    ? /^(?:[qk]|query|key)$/
    : /^(?:[qkQK]|query|key)$/;
  for (const expression of expressions) {
    for (const part of partsOf(expression)) {
      if (part.kind === 'product')
        part.factors.forEach((right, i) => {
          const before = part.factors[i - 1];
          inProduct(document, before, right, part.signs[i - 1]);
          const [q, k] = areRows && before ? [before, right].map((one, at) => matching(turned(one) ?? one, at === 0 ? /^Q$/ : /^K$/, 1)) : []; // prettier-ignore
          if (q && k && indexIn(q) !== indexIn(k)) say(document, [q, k], 1);
          if (before && part.signs[i - 1] === '·') meeting(document, bare(before), bare(right), names);
        });
      if (part.kind === 'call' && /^(?:score|sim|align)$/i.test(part.name))
        meeting(document, part.args[0], part.args[1]);
      // QKᵀ/√d_k by itself.
      const scores = part.kind === 'quotient' && part.under.kind === 'root' ? scaledScores(part) : undefined;
      if (scores?.every((one) => !one.index && !isOfToken(document, one))) say(document, scores, 2);
      if (part.kind === 'sigma') inSum(document, part.of, areRows ? /^[vhV]$/ : /^[vh]$/);
      // `α_1 v_1 + … + α_m v_m`.
      if (part.kind === 'sum' && part.terms.some(({ kind }) => kind === 'dots')) for (const term of part.terms) inSum(document, term, /^[vh]$/, 1); // prettier-ignore
      if (part.kind === 'relation') ofScore(document, part.sides);
      if (part.kind === 'relation') ofWeights(document, part.sides);
      if (part.kind === 'relation') ofHeads(document, part.sides);
      if (part.kind === 'relation') ofEmbedding(document, part.sides, otherwiseCalled);
    }
  }
}

/** `Q_i = x_i W^Q, K_j = x_j W^K`: of one token each, where `Q_i` and `K_i` may be of a sequence. */
const countsTokens = (of: Expression): boolean =>
  new Set([...partsOf(of)].flatMap((part) => (part.kind === 'relation' ? indexOfRole(part.sides[0]) : []))).size > 1;

const indexOfRole = (of: Expression | undefined): readonly string[] =>
  (matching(of, /^[QKV]$/, 1)?.index ?? []).flatMap((one) => (one.kind === 'symbol' ? [one.name] : []));

/** `q_1^2` is of components: then `q_i` may be one too. `Q = h_t W_Q` is of all tokens, `Q_i = h_i W_Q` may be. */
function otherwiseUsed(
  { notByUse }: Document,
  part: Expression,
  indices: readonly number[],
  areRows: (sign: string) => boolean,
): void {
  if (part.kind === 'power' && part.base.kind === 'symbol' && part.base.index) notByUse.add(indexedKey(part.base));
  // `Q_i K_j^T`: of tokens or of blocks, and not of heads.
  const counts = part.kind === 'product' ? part.factors.map((one) => matching(turned(one) ?? one, /^[QK]$/, 1)) : [];
  counts.forEach((one, i) => {
    const before = counts[i - 1];
    if (one && before && !areRows(part.kind === 'product' ? (part.signs[i - 1] ?? '') : '') && one.name !== before.name && indexIn(one) !== indexIn(before)) for (const name of 'QKV') notByUse.add(`${name}[]`); // prettier-ignore
  });
  // `v_s = r_s + γ Σ_j a_{sj} v_j`: of itself, as no output of attention is.
  const [left] = part.kind === 'relation' ? part.sides : [];
  const whole = matching(left, /^[vh]$/, 1);
  if (whole && part.kind === 'relation' && part.sides.slice(1).some((side) => side.kind === 'sum' && [...partsOf(side)].some((one) => one.kind === 'sigma' && [...partsOf(one)].some((inner) => inner.kind === 'symbol' && indexedKey(inner) === indexedKey(whole))))) notByUse.add(indexedKey(whole)); // prettier-ignore
  if (part.kind !== 'relation' || !part.sides.some((side) => indices.some((count) => matching(bare(side), /^[QKV]$/, count)))) return; // prettier-ignore
  for (const side of part.sides)
    for (const factor of side.kind === 'product' ? side.factors : []) {
      const one = small(bare(factor), /^[aeqkvxhsyzcou]$/);
      if (one) notByUse.add(indexedKey(one));
    }
}

const ofBlocks = /block|tile|tiling|chunk|flash/i;

/** `Σ_j exp(Q_i K_jᵀ)`: over the keys, so that Q_i and K_j are of one token each where the text has no blocks. */
const sumsOverKeys = (of: Expression): boolean =>
  [...partsOf(of)].some((part) => part.kind === 'sigma' && part.sign === 'sum' && isNormalised(part.of) && [...partsOf(part.of)].some((one) => one.kind === 'product' && one.factors.some((factor, i) => matching(turned(factor) ?? factor, /^K$/, 1)?.index?.some((by) => by.kind === 'symbol' && by.name === part.index) && isOtherQuery(one.factors[i - 1], part.index)))); // prettier-ignore

const isNormalised = (of: Expression): boolean => hasExponential(of) || [...partsOf(of)].some((part) => part.kind === 'call' && /soft ?max/i.test(part.name)); // prettier-ignore

const isOtherQuery = (of: Expression | undefined, index: string | undefined): boolean => {
  const query = of && matching(turned(of) ?? of, /^Q$/, 1);
  return query !== undefined && indexIn(query) !== index;
};

/** Of all of them or of none: what the text says otherwise of one may be of a batch, or of one token. */
function say(document: Document, all: readonly (SymbolPart | undefined)[], count: number): void {
  const { axes, declared, wholes, sizes, notByUse } = document;
  const names = all.flatMap((of) => (of ? [{ of, key: indexedKey(of) }] : []));
  const isOther = names.some(
    ({ key, of }) =>
      wholes.has(key) ||
      notByUse.has(key) ||
      // "the vector v": then v_j is a number of it.
      (count === 1 && of.index && axes.get(indexedKey({ ...of, index: [] }))?.some((one) => one.count === 1)) ||
      sizeOf(sizes, of) !== undefined ||
      axes.get(key)?.some((one) => one.count !== count) ||
      declared.get(key)?.some(({ shape }) => shape.length !== count),
  );
  if (isOther) return;
  for (const { of, key } of names) {
    const at = of.range.start;
    const last = axes.get(key)?.at(-1)?.at;
    // Once in a section: many formulas use a name.
    if (last === undefined || sectionOf(document, last) !== sectionOf(document, at)) add(axes, key, { at, count });
  }
}

/** `i` of `Q_i`. */
const indexIn = ({ index = [] }: SymbolPart): string => index.map((one) => (one.kind === 'symbol' ? one.name : ' ')).join(); // prettier-ignore

const matching = (of: Expression | undefined, name: RegExp, indices: number): SymbolPart | undefined =>
  of?.kind === 'symbol' && name.test(of.name) && (of.index?.length ?? 0) === indices && of.index?.every(({ kind }) => /^(?:symbol|number|sum)$/.test(kind)) !== false ? of : undefined; // prettier-ignore

/** `x_i`, `h_t`; not `h_{l-1}`, which are the tokens of a layer. */
function small(of: Expression | undefined, names = /^[qkvxhsyzcou]$/): SymbolPart | undefined {
  const found = matching(of, names, 1);
  const isLayers = found?.index?.some((one) => [...partsOf(one)].some((part) => part.kind === 'symbol' && /^(?:l|ℓ|ell|layer)$/i.test(part.name))); // prettier-ignore
  return isLayers ? undefined : found;
}
const turned = (of: Expression): Expression | undefined => (of.kind === 'transpose' ? bare(of.of) : undefined);

const isRole = /^(?:[qkvo]|quer(?:y|ies)|keys?|values?|out(?:put)?)$/i;

/** Without `i` of `W_i^Q`. */
function weight(of: Expression | undefined): SymbolPart | undefined {
  if (of?.kind !== 'symbol' || of.name !== 'W' || !/^[a-z]/i.test(of.label ?? '')) return undefined;
  const { index: _, ...base } = of;
  return base;
}

/** `q_i · k_j`, `score(q_i, k_j)`: with one index they may be components. */
function meeting(
  document: Document,
  left: Expression | undefined,
  right: Expression | undefined,
  names = /^(?:[qk]|query|key)$/,
): void {
  const [a, b] = [left, right].map((one) => matching(one, names, 1));
  const [i, j] = [a, b].map((one) => one?.index?.[0]);
  // `query_i · key_j`, where words call one a vector.
  if (a && b && a.name.length > 1 && ![a, b].some((one) => document.axes.has(indexedKey(one)))) return;
  // `q_4 · k_i` too; not `k_2 · q_t`, where k_2 may be a rate.
  if (a?.name === 'Q' && b?.name === 'K' && i?.kind === 'number' && j?.kind === 'number' && i.value !== j.value) say(document, [a, b], 1); // prettier-ignore
  if (a && b && a.name !== b.name && j?.kind === 'symbol' && ((i?.kind === 'number' && a.name.startsWith('q')) || (i?.kind === 'symbol' && i.name !== j.name))) say(document, [a, b], 1); // prettier-ignore
}

function inProduct(document: Document, before: Expression | undefined, behind: Expression, sign = ''): void {
  // Entry by entry the parts are alike: `W_c ∘ c_t` is no product with a weight.
  if (!before || sign === '∘') return;
  const [left, right] = [bare(before), bare(behind)];
  const values = matching(right, /^V$/, right.kind === 'symbol' ? (right.index?.length ?? 0) : 0);
  const names = values && left.kind === 'call' && /soft ?max/i.test(left.name) ? scaledScores(left) : undefined;
  // Of one head too, where all three have its index.
  if (values && names?.every((one) => indexIn(one) === indexIn(values))) say(document, [...names, values], 2);
  // Heads side by side before W^O.
  if (left.kind === 'call' && /^concat/i.test(left.name) && isRole.test(weight(right)?.label ?? '')) say(document, [weight(right)], 2); // prettier-ignore
  // q_iᵀ k_j; k_iᵀ v_i is a matrix where vectors are rows.
  const [a, b] = [turned(left), right].map((one) => small(one) ?? matching(one, /^[qk]$/, 0));
  if (a && b && (a.index ?? b.index) && a.name !== 'v' && b.name !== 'v') say(document, [a, b], 1);
  const [first, last] = [weight(left), weight(right)];
  const other = first ? right : left;
  if (!first === !last) return;
  const by = first ?? last;
  const [many, one] = [matching(other, /^[QKVXH]$/, 0), small(other)];
  if (many && many.label === undefined && by && isRole.test(by.label ?? '')) say(document, [by, many], 2);
  if (!one || !by) return;
  say(document, [one], 1);
  say(document, [by], 2);
}

const isNoMatrix = /\b(?:vectors?|vektor|scalars?|number|constant|gain|rate|tensors?|batch|operator|expectation|axes|one token|single)\b|\bis a row\b|向量|标量/i; // prettier-ignore
const isWhole =
  /\b(?:layers?|blocks?|sequences?|batch|all tokens|matri(?:x|ces)|scalars?|gates?|numbers?|activations?)\b|矩阵|层/i;

/** `q_i = a_i W^Q` of a token, `Q = E W^Q` of all of them: letters that are often something else, so nothing may stand beside them. */
function ofEmbedding(
  document: Document,
  [left, right, more]: readonly Expression[],
  otherwiseCalled: (of: SymbolPart) => boolean,
): void {
  if (more || left?.kind !== 'symbol' || left.primes || right?.kind !== 'product' || right.factors.length !== 2) return;
  const [first, second] = right.factors.map(bare);
  const by = weight(first) ?? weight(second);
  if (!by || !/^[qkv]/i.test(by.label ?? '')) return;
  const other = weight(first) ? second : first;
  const [of] = [matching(left, /^[QKV]$/, 0) && matching(other, /^[A-GIJL-PR-UY-Z]$/, 0), matching(left, /^[qkv]$/, 1) && small(other, /^[ae]$/)].filter((one) => one !== undefined); // prettier-ignore
  if (!of || of.label !== undefined || otherwiseCalled(of)) return;
  say(document, of.index ? [of] : [by, of], of.index ? 1 : 2);
  if (of.index) say(document, [by], 2);
}

/** `Q = x_0^T W_q`, `Q = W_q(X_m + P_m)`: of one token. */
const isOfToken = ({ defined }: Document, of: SymbolPart): boolean => defined.get(of.name)?.some(({ of: by }) => [...partsOf(by)].some((part) => part.kind === 'symbol' && part.index && part.label === undefined && part.name !== 'W')) === true; // prettier-ignore

/** Q and K of QKᵀ/√d_k: as the formula is known, of matrices. */
function scaledScores(of: Expression): readonly SymbolPart[] | undefined {
  let names: readonly SymbolPart[] | undefined;
  let isScaled = false;
  for (const part of partsOf(of)) {
    isScaled ||= part.kind === 'root';
    if (part.kind !== 'product') continue;
    part.factors.forEach((right, i) => {
      const [q, k] = [part.factors[i - 1], turned(right)].map((one, at) => [0, 1].map((count) => matching(one, at === 0 ? /^Q$/ : /^K$/, count)).find(Boolean)); // prettier-ignore
      if (q && k) names = [q, k];
    });
  }
  return isScaled ? names : undefined;
}

const isWeighed = /^[αa]$/;

const isMadeVector = ({ declared, axes, defined }: Document, key: string): boolean =>
  declared.get(key)?.some(({ shape }) => shape.length === 1) === true ||
  axes.get(key)?.some(({ count }) => count === 1) === true ||
  defined.get(key)?.some(({ of }) => of.kind === 'product' && of.factors.length === 2 && of.factors.some((one) => weight(bare(one))) && of.factors.some((one) => small(bare(one)))) === true; // prettier-ignore

/** Σ_j α_{ij} v_j, where hidden states may stand for values. */
function inSum(document: Document, of: Expression, names: RegExp, indices = 2): void {
  const body = bare(of);
  const [left, right, more] = body.kind === 'product' ? body.factors : [];
  const value = matching(right, names, 1);
  // `w_{ij} v_j` may be a row times a vector, or v_j a number: not where `v_j = W_v x_j`, or the text calls it a vector.
  const share = matching(left, value && isMadeVector(document, indexedKey(value)) ? /^[αaw]$/ : isWeighed, indices);
  if (more || !value || (body.kind === 'product' && body.signs[0] === '∘') || !(share ?? left?.kind === 'call')) return;
  say(document, [value], 1);
  say(document, [share], 0);
}

/** `S_{ij} = (Q_i^C)ᵀ K_j^C + …`: of one query and one key, in capitals too. */
function ofScore(document: Document, [left, right]: readonly Expression[]): void {
  const [i, j] = (left?.kind === 'symbol' && left.index?.length === 2 && left.index) || [];
  if (i?.kind !== 'symbol' || j?.kind !== 'symbol' || i.name === j.name || !right) return;
  for (const part of partsOf(right)) {
    const [first, second, more] = part.kind === 'product' ? part.factors.map(bare) : [];
    const [q, k] = [first && turned(first), second].map((one) => matching(one, /^[QK]$/, 1));
    const by = (of: SymbolPart | undefined, name: string): boolean => of?.index?.[0]?.kind === 'symbol' && of.index[0].name === name; // prettier-ignore
    if (!more && q?.label !== undefined && by(q, i.name) && by(k, j.name)) say(document, [q, k], 1);
  }
}

/** α_{ij} = softmax(s_{ij}), and α_{ij} = exp(…)/Σ exp(…). */
function ofWeights(document: Document, [left, right]: readonly Expression[]): void {
  const share = matching(left, /^[αaw]$/, 2);
  // α_{t,h} may be a row of weights of head h.
  if (share?.index?.some((one) => one.kind === 'symbol' && one.name === 'h')) return;
  const isSoftmax = right?.kind === 'call' && /soft ?max/i.test(right.name);
  const isShare = right?.kind === 'quotient' && [right.over, right.under].every(hasExponential);
  if (!share || !(isSoftmax || isShare)) return;
  const over = isShare ? bare(right.over) : undefined;
  const scored = isSoftmax ? right.args[0] : over?.kind === 'call' ? over.args[0] : over?.kind === 'power' ? over.exponent : undefined; // prettier-ignore
  const score = matching(scored && bare(scored), /^[a-zω]$/, 2);
  say(document, [share], 0);
  say(document, [score], 0);
}

/** `MultiHead(Q, K, V) = Concat(head_1, …, head_h)W^O`: each of all tokens, as Q, K and V are. */
function ofHeads(document: Document, [left, right]: readonly Expression[]): void {
  if (left?.kind !== 'call' || !/^(?:multi-? ?head|MHA)/i.test(left.name) || !left.args.some((one) => matching(one, /^[QX]$/, 0)) || !right) return; // prettier-ignore
  for (const part of partsOf(right))
    if (part.kind === 'call' && /^concat/i.test(part.name)) for (const one of part.args) say(document, [matching(one, /^head$/, 1)], 2); // prettier-ignore
}

/** `exp(x)`, `e^x`, whatever stands around it. */
const hasExponential = (of: Expression): boolean =>
  [...partsOf(of)].some((part) => (part.kind === 'call' && /^exp$/i.test(part.name)) || (part.kind === 'power' && part.base.kind === 'symbol' && part.base.name === 'e')); // prettier-ignore
