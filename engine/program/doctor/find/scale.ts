/** Scale: by what scores are divided, and when. */
import { t, type Paced } from '../../../text';
import type { Node } from '../../tensor';
import { denseOf } from '../../nearest';
import { comesFrom, isScalar, passes, isSample, productWithLeaf, throughMoves } from '../../recognise';
import { headsOf, standardOf, type Facts } from '../facts';
import type { RuleId } from '../rules';
import { rewritten, textAt, type Found, type Mend } from './found';

export function* findScale(facts: Facts, text: string): Paced<readonly Found[]> {
  const before = yield* beforeSoftmax(facts, text);
  const after = yield* afterSoftmax(facts, text);
  return after.length > 0 ? after : before;
}

const same = (a: number, b: number): boolean => Math.abs(a - b) <= 2e-4 * Math.abs(b);

function* beforeSoftmax(facts: Facts, text: string): Paced<readonly Found[]> {
  const { attention, own: { d, folded }, hidden, scores } = facts; // prettier-ignore
  const floored = facts.way.find((one) => one.node.operation === 'floor_divide')?.node;
  // Of integers it is meant: then a score is a whole number before.
  if (floored) return /int/.test(floored.dtype ?? '') ? [] : rounded(text, floored, hidden);
  const factor = yield* factorOf(facts);
  const usual = 1 / Math.sqrt(d);
  if (factor === undefined || d === 1 || same(factor, usual)) return [];
  if (same(factor, 1) && same(yield* foldedInWeight(facts), usual)) return [];
  if (isTemperature(facts) || facts.own.sides.every(isFeatures)) return [];
  // tanh(s / c) · c is all but s.
  if (Math.abs(factor / usual - 1) < 0.01 && facts.way.some(({ node }) => node.operation === 'tanh')) return [];
  if (!same(factor, 1) && facts.own.sides.some(isAbsorbed)) return [];
  const node = attention.parts.scaled ?? scores;
  const by = Number((1 / factor).toPrecision(4));
  const root = Number(Math.sqrt(d).toPrecision(4));
  const made = (rule: RuleId, message: string, mends: readonly Mend[] = []): readonly Found[] => [{ rule, node, hidden, message, mends }]; // prettier-ignore
  if (same(factor, 1 / d) && same(folded, usual))
    return made('scale-twice', t('Scores are divided by √d_k = {0} twice: in what makes the queries or keys, and here.', root), rewritten(t('Divide once'), text, node, textAt(text, node.operands[0]?.range ?? node.range))); // prettier-ignore
  const width = widthsOf(facts).find((one) => one !== d && same(factor, 1 / Math.sqrt(one)));
  // Of a width that is d_k² nothing tells its root from d_k.
  if (width !== undefined)
    return made('scale-width', t('Scores are divided by {0}, the root of the width {1}; √d_k of one head is {2}.', by, width, root), ofHead(text, node, scores)); // prettier-ignore
  if (same(factor, 1 / d) && isSample(attention) && hasRoot(text, node)) return [];
  if (same(factor, 1 / d))
    return made('scale-without-root', t('Scores are divided by d_k = {0}, not by √d_k = {1}, as μP means to (Yang et al. 2022).', d, root), rooted(text, node)); // prettier-ignore
  if (same(factor, Math.sqrt(d)) && hasRoot(text, node))
    return made('scale-inverse', t('Scores are multiplied by √d_k = {0}, not divided by it.', root), divided(text, node)); // prettier-ignore
  // A factor for each head is a scale too: Swin v2 learns one.
  const isEachHeads = ({ shape }: Node): boolean => (shape?.length ?? 0) > 2 && shape?.every((size, i) => size === 1 || i === shape.length - 3) === true; // prettier-ignore
  if (facts.way.some(({ node, others }) => isFactor(node) && others.some(isEachHeads))) return [];
  // Numbers that stand in for arguments are no choice of the code.
  if (isSample(attention) && (!same(factor, 1) || attention.parts.scaled || scores.operands.some(isScaled))) return [];
  return same(factor, 1)
    ? made('scale-none', t('Scores are not scaled; standard attention divides them by √d_k = {0}.', root), scaling(text, scores))
    : made('scale-other', t('Scores are divided by {0}; standard attention divides them by √d_k = {1}.', by, root));
} // prettier-ignore

/** Where queries and keys have length 1, as cosines have it: their products are no sums of d_k numbers of size 1, and by what they are multiplied is a choice. */
function isTemperature({ own: { q, k, d } }: Facts): boolean {
  return [q, k].every((of) => of.every((_, at) => at % d > 0 || Math.abs(of.subarray(at, at + d).reduce((sum, x) => sum + x * x, 0) - 1) < 1e-3)); // prettier-ignore
}

/** Whether a side is no query or key but features of it: sines and cosines of random projections (Peng et al. 2021), itself twice (Qin et al. 2022). */
function isFeatures(side: Node): boolean {
  for (let at: Node | undefined = side; at && at.operation !== 'matmul'; at = at.operands[0]) {
    if (at.operation === 'sin' || at.operation === 'cos' || at.operation === 'exp') return true;
    const bases = at.operation === 'concat' ? at.operands.map((one) => (isFactor(one) ? one.operands[0] : one)) : [];
    const [base] = bases;
    if (base && bases.length > 1 && bases.every((one) => one === base) && sizeOf(throughMoves(base)) < sizeOf(at)) return true; // prettier-ignore
  }
  return false;
}

const sizeOf = ({ shape }: Node): number => shape?.reduce<number>((a, b) => a * (typeof b === 'number' ? b : NaN), 1) ?? NaN; // prettier-ignore

/** Whether a side was multiplied with a weight twice, as q W_kᵀ beside what keys are made from (DeepSeek-V2, section 2.1): then d_k is another width. */
function isAbsorbed(side: Node): boolean {
  const outer = productWithLeaf(throughMoves(side));
  return outer !== undefined && productWithLeaf(throughMoves(outer.x)) !== undefined;
}

function rounded(text: string, node: Node, hidden: Float64Array): readonly Found[] {
  const was = textAt(text, node.range);
  const outer = outside(was);
  const sign = outer.lastIndexOf('//');
  const [, called = '//'] = sign < 0 ? (/([\w.]*\b(?:floor_divide|div|divide)_?)\((?!.*\b(?:floor_divide|div|divide)_?\()/s.exec(outer) ?? []) : [];
  const at = sign < 0 ? outer.lastIndexOf(called) : sign;
  const now = called === '//' ? '/' : called.replace('floor_divide', 'divide');
  const mended = at < 0 ? undefined : was.slice(0, at) + now + was.slice(at + called.length).replace(/,\s*rounding_mode\s*=\s*(['"])floor\1/, '');
  return [{ rule: 'scale-other', node, hidden, message: t('`{0}` rounds each score down to a whole number.', called.replace(/^\./, '')), mends: rewritten(t('Divide without rounding'), text, node, mended) }];
} // prettier-ignore

/** An expression with blanks for what stands in brackets. */
function outside(was: string): string {
  let depth = 0;
  return Array.from({ length: was.length }, (_, i) => {
    const sign = was.charAt(i);
    if (/[)\]}]/.test(sign)) depth--;
    const kept = depth === 0 ? sign : ' ';
    if (/[([{]/.test(sign)) depth++;
    return kept;
  }).join('');
}

const isFactor = ({ operation }: Node): boolean => operation === 'multiply' || operation === 'divide';

/** Of all heads together, and of what queries and keys are made from. */
const widthsOf = (facts: Facts): readonly number[] => {
  const { x, context, wq } = facts.attention.parts;
  const given = [x, context, wq].flatMap((node) => [
    node?.shape?.at(-1),
    node === wq ? node?.shape?.at(-2) : undefined,
  ]);
  return [facts.own.d * headsOf(facts), ...given].filter(
    (size): size is number => typeof size === 'number' && size > 1,
  );
};

/** By what W_q is multiplied where it is made and W_k is not: `randn(d_k, d) / d ** 0.5 / d_k ** 0.5`. */
function* foldedInWeight({ attention: { parts }, source }: Facts): Paced<number> {
  const factors: number[] = [];
  for (const part of ['wq', 'wk'] as const) {
    let factor = 1;
    for (let at = parts[part]; at?.operands[0]; at = at.operands[0]) {
      const by = at.operands[1];
      const isScale = isFactor(at) && by !== undefined && isScalar(by);
      if (!isScale && !passes(at)) break;
      const value = isScale ? ((yield* denseOf(source, by))?.data[0] ?? NaN) : 1;
      factor = at.operation === 'divide' ? factor / value : factor * value;
    }
    factors.push(factor);
  }
  const [query = 1, key = 1] = factors;
  return Math.min(query / key, key / query);
}

/** Whether a number stands between a query or a key and what made it, though it may be 1 here. */
function isScaled(node: Node): boolean {
  for (let at: Node | undefined = node; at; at = at.operands[0]) {
    const other = at.operands[1];
    const scales = isFactor(at) && other !== undefined && isScalar(other);
    if (scales || !passes(at)) return scales;
  }
  return false;
}

/** The one number by which all scores were multiplied; undefined where they were not by one. */
function* factorOf(facts: Facts): Paced<number | undefined> {
  const standard = yield* standardOf(facts, new Float64Array(facts.hidden.length));
  const scaled = yield* denseOf(facts.source, facts.attention.parts.scaled ?? facts.scores);
  if (!standard || scaled?.data.length !== standard.scores.length) return undefined;
  let factor: number | undefined;
  for (let i = 0; i < scaled.data.length; i++) {
    const raw = standard.scores[i] as number;
    if (Math.abs(raw) < 1e-3 || facts.hidden[i] === 1) continue;
    const own = (scaled.data[i] as number) / raw;
    if (!Number.isFinite(own) || own <= 0) return undefined;
    factor ??= own;
    if (Math.abs(own - factor) > 1e-3 * factor) return undefined;
  }
  return factor;
}

/** Whether a root is taken in an expression, or where a name in it is bound: sizes that stand in may make the root of one the other. */
function hasRoot(text: string, { range }: Node): boolean {
  const written = textAt(text, range);
  const names = new Set(written.match(/[A-Za-z_]\w*/g) ?? []);
  const bound = [...text.matchAll(/\b([A-Za-z_]\w*)[ \t]*=[ \t]*([^=\n].*)/g)].flatMap(([, name = '', value = '']) =>
    names.has(name) ? [value] : [],
  );
  return [written, ...bound].some((one) => /sqrt|\*\*\s*\(?-?\s*(?:0?\.5|1\s*\/\s*2)|pow\(/.test(one));
}

/** What code calls the width of one head. */
const headWidths =
  /(?<![\w.])(?:self\.)?(?:d_k|dk|d_head|dim_head|head_dim|head_size|dim_per_head|depth|d_keys|key_dim|head_width)\b/g;

/** The names of a head's width that stand in a text, then the width of the queries themselves. */
function widthsOfHead(text: string, scores: Node): readonly string[] {
  const written = textAt(text, scores.range);
  const query =
    /^\(*\s*([A-Za-z_]\w*)\s*@/.exec(written)?.[1] ?? /(?:matmul|bmm|dot)\(\s*([A-Za-z_]\w*)\s*,/.exec(written)?.[1];
  const known = [...new Set(text.match(headWidths) ?? [])].sort(
    (a, b) => Number(b.startsWith('self.')) - Number(a.startsWith('self.')),
  );
  return [...known.slice(0, 3), ...(query === undefined ? [] : [`${query}.shape[-1]`])];
}

/** The root of a head's width where that of another stands: in the expression, or where a name in it is bound. */
function ofHead(text: string, node: Node, scores: Node): readonly Mend[] {
  const written = textAt(text, node.range);
  const names = new Set(written.match(/(?:self\.)?[A-Za-z_]\w*/g) ?? []);
  const bound = [...text.matchAll(/^[ \t]*((?:self\.)?[A-Za-z_]\w*)[ \t]*=[ \t]*([^=\n#]*\S)/gm)].flatMap((found) => {
    const [whole, name = '', value = ''] = found;
    const end = found.index + whole.length;
    return names.has(name) && /sqrt|\*\*/.test(value) ? [{ start: end - value.length, end }] : [];
  });
  return [node.range, ...bound].flatMap((range) =>
    widthsOfHead(text, scores).flatMap((width) => {
      const was = textAt(text, range);
      const base = String.raw`[A-Za-z_][\w.]*(?:\.size\(-?\d\)|\.shape\[-?\d\])?|\d+`;
      return rewritten(t('Divide by √d_k of one head'), text, { range }, was.replace(new RegExp(String.raw`(\bsqrt\(\s*)(?:${base})(\s*\))`), `$1${width}$2`), was.replace(new RegExp(String.raw`(?:${base})(\s*\*\*\s*\(?-?\s*(?:0?\.5|1\s*/\s*2))`), `${width}$1`));
    }),
  );
} // prettier-ignore

/** Scores by √d_k, where they are one product. */
const scaling = (text: string, scores: Node): readonly Mend[] => {
  const was = textAt(text, scores.range);
  return widthsOfHead(text, scores).flatMap((width) => rewritten(t('Divide by √d_k'), text, scores, `${was} / ${width} ** 0.5`)); // prettier-ignore
};

/** What the scores are divided by, under a root. */
function rooted(text: string, node: Node): readonly Mend[] {
  const was = textAt(text, node.range);
  const title = t('Divide by the root of it');
  return rewritten(title, text, node, was.replace(/\/\s*([\w.]+(?:\([^()]*\)|\[[^\]]*\])?)\s*\)?$/, (whole, by: string) => `/ ${by} ** 0.5${whole.endsWith(')') && !by.endsWith(')') ? ')' : ''}`)); // prettier-ignore
}

function divided(text: string, node: Node): readonly Mend[] {
  const was = textAt(text, node.range);
  return rewritten(t('Divide by it'), text, node, was.replace(/\*(?!\*)(?=[^*]*(?:\*\*[^*]*)?$)/, '/'));
}

/** `softmax(S, dim=-1) / d` as `softmax(S / d, dim=-1)`, `S.softmax(-1) / d` as `(S / d).softmax(-1)`. */
function scaledInside(whole: string, softmax: string): string | undefined {
  const rest = whole.startsWith(softmax) ? whole.slice(softmax.length) : '';
  const method = /^([\w.]+)(\.softmax\([^()]*\))$/.exec(softmax);
  const called = /^((?:[\w.]+\.)?softmax\()([\w.]+(?:\[[^\]]*\])?)([,)][^]*)$/.exec(softmax);
  if (!/^\s*[*/]/.test(rest)) return undefined;
  if (called) return `${called[1]}${called[2]}${rest}${called[3]}`;
  return method ? `(${method[1]}${rest})${method[2]}` : undefined;
}

/** The name of weights without what it is multiplied with or divided by: what made them may stand in another function. */
const unscaled = (was: string): string | undefined => /^([\w.]+)\s*[*/](?!\*)/.exec(was)?.[1];

/** One number by which all weights are multiplied or divided. */
function* afterSoftmax(facts: Facts, text: string): Paced<readonly Found[]> {
  const { own, attention: { site }, hidden } = facts; // prettier-ignore
  if (!own.v) return [];
  for (let at = own.v.used; at !== site.weights;) {
    const from = at.operands.find((operand) => operand === site.weights || comesFrom(operand, site.weights));
    const other = at.operands.find((operand) => operand !== from);
    if (!from) break;
    const scales = isFactor(at) && other && isScalar(other) && at.attributes.origin !== 'dropout'; // prettier-ignore
    const value = scales ? (yield* denseOf(facts.source, other))?.data[0] : undefined;
    const by = value === undefined ? undefined : at.operation === 'divide' ? value : 1 / value;
    const width =
      by === undefined ? undefined : [own.d, ...widthsOf(facts)].find((one) => one > 1 && same(by, Math.sqrt(one)));
    if (by !== undefined && width !== undefined) {
      const [root, sum] = [by, 1 / by].map((x) => Number(x.toPrecision(4)));
      const message =
        width === own.d
          ? t('Weights are divided by √d_k = {0} after the softmax: they sum to {1}, not to 1.', root, sum)
          : t(
              'Weights are divided by {0}, the root of the width {1}, after the softmax: they sum to {2}, not to 1.',
              root,
              width,
              sum,
            );
      const isUnscaled = same((yield* factorOf(facts)) ?? 0, 1);
      const before = isUnscaled ? rewritten(t('Divide before the softmax'), text, at, scaledInside(textAt(text, at.range), textAt(text, from.range))) : []; // prettier-ignore
      const mends = [
        ...before,
        ...rewritten(
          t('Leave the weights as softmax gives them'),
          text,
          at,
          unscaled(textAt(text, at.range)),
          textAt(text, from.range),
        ),
      ];
      return [{ rule: 'scale-after-softmax', node: at, hidden, message, mends }];
    }
    at = from;
  }
  return [];
}
