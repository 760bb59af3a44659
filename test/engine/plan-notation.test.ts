// Every step that a plan can have, in one table: the letter that the papers give it, the part it plays, and whose rows and columns it has.
import assert from 'node:assert/strict';
import katex from 'katex';
import { planOf, matrixDefaults, type AttentionSpec, type Plan, type Step } from '../../engine/index';
import { latexOf } from '../../engine/operations';
import { coveringSpecs } from './covering-specs';
import { changes, matrix, starts } from './field-values';

/*
 * Vaswani et al. 2017: X, Q, K, V, W_q, W_O; Vaswani's S, A, O as Bahdanau's and Shazeer's texts have them; Su et al. 2021: R; Press et al. 2022: the
 * bias B; Raffel et al. 2020: a table T of buckets b; Ye et al. 2024: λ and D; Xiao et al. 2024: a sink beside the keys; Katharopoulos et al. 2020: φ;
 * Bahdanau et al. 2015: v_a; Shazeer 2020: a gate G. A letter with a prime is the same matrix after one more step.
 * Axes: q and k are tokens of queries and keys, t the rows of a table that has some for tokens, # numbers from 0 on.
 */
const table = `
tokens           t        token     ids     main   q ids
table            W_E      parameter signed  input  t #
embedding        E        x         signed  main   q #
given            E        x         signed  main   q #
positions        P        position  signed  main   q #
x                X        x         signed  main   q #
context          C        x         signed  main   k #
valueSource      X_v      x         signed  main   k #
wqkv             W_qkv    parameter signed  input  # #
bqkv             b_qkv    parameter signed  input  # #
wq               W_q      parameter signed  input  # #
wk               W_k      parameter signed  input  # #
wv               W_v      parameter signed  input  # #
bq               b_q      parameter signed  input  # #
bk               b_k      parameter signed  input  # #
bv               b_v      parameter signed  input  # #
qProduct         XW_q     query     signed  branch q #
kProduct         XW_k     key       signed  branch k #
vProduct         XW_v     value     signed  branch k #
q                Q        query     signed  branch q #
k                K        key       signed  branch k #
v                V        value     signed  branch k #
qHeads           Q_heads  query     signed  branch q #
kHeads           K_heads  key       signed  branch k #
vHeads           V_heads  value     signed  branch k #
qGains           g_q      parameter signed  input  # #
kGains           g_k      parameter signed  input  # #
qNormed          Q_normed query     signed  branch q #
kNormed          K_normed key       signed  branch k #
qRotations       R        position  signed  input  turns #
kRotations       R        position  signed  input  turns #
qRotated         Q_rotated query    signed  branch q #
kRotated         K_rotated key      signed  branch k #
kShared          K_shared key       signed  branch k #
vShared          V_shared value     signed  branch k #
qStep            Q_of_the_step query signed branch q #
kStep            K_of_the_step key  signed  branch k #
vStep            V_of_the_step value signed branch k #
scoreVector      v_a      parameter signed  input  # #
qFeatures        φ(Q)     query     signed  branch q #
kFeatures        φ(K)     key       signed  branch k #
scores           S        scores    signed  main   q k
scaled           Z        scores    signed  main   q k
alibi            B        mask      signed  input  q k
biased           Z+B      scores    signed  main   q k
biasTable        T        parameter signed  input  # #
buckets          b        position  ids     input  q k
relative         B_T      mask      signed  input  q k
related          Z+B_T    scores    signed  main   q k
capped           Z_capped scores    signed  main   q k
tempered         Z/T      scores    signed  main   q k
mask             H        mask      mask    input  q k
causalMask       H_c      mask      mask    input  q k
keyMask          H_k      mask      mask    input  q k
segmentMask      H_s      mask      mask    input  q k
jointMask        Ĥ        mask      mask    main   q k
wholeMask        H        mask      mask    input  # #
shifted          Z+B      scores    signed  main   q k
masked           M        scores    signed  main   q k
sinks            s        parameter signed  input  # #
sunk             M⁺       scores    signed  main   q k+sink
shares           A⁺       scores    weights main   q k+sink
weights          A        weights   weights main   q k
lambdaVectors    Λ        parameter signed  input  λ_q1,λ_k1,λ_q2,λ_k2 #
lambda           λ        parameter signed  main   # #
differences      D        weights   signed  main   q k
patched          A′       weights   weights main   q k
averagedWeights  Ā        weights   weights main   q k
headOutputs      O_h      output    signed  main   q #
headGain         g_D      parameter signed  input  # #
headsNormed      N_h      output    signed  main   q #
headsScaled      O_h′     output    signed  main   q #
headsLeft        O_h′     output    signed  main   q #
attended         O        output    signed  main   q #
concat           O        output    signed  main   q #
wo               W_O      parameter signed  input  # #
bo               b_O      parameter signed  input  # #
outputProduct    Y        output    signed  main   q #
normedGains      g        parameter signed  input  # #
normedBiases     c        parameter signed  input  # #
normed           N        x         signed  main   q #
ownRow           X_of_the_step x    signed  main   q #
residual         R        x         signed  main   q #
residualNormedGains  g    parameter signed  input  # #
residualNormedBiases c    parameter signed  input  # #
residualNormed   N        x         signed  main   q #
ffNormedGains    g        parameter signed  input  # #
ffNormedBiases   c        parameter signed  input  # #
ffNormed         N′       x         signed  main   q #
wg               W_g      parameter signed  input  # #
w1               W_1      parameter signed  input  # #
b1               b_1      parameter signed  input  # #
w2               W_2      parameter signed  input  # #
b2               b_2      parameter signed  input  # #
ffGate           G        output    signed  main   q #
ffHiddenProduct  F        output    signed  main   q #
ffHidden         F        output    signed  main   q #
ffActive         F′       output    signed  main   q #
ffGated          F′       output    signed  main   q #
ffOutputProduct  Y′       output    signed  main   q #
ffOutput         Y′       output    signed  main   q #
blockSum         R′       x         signed  main   q #
blockOutput      X⁽ⁿ⁾     x         signed  main   q #
blockOutputGains g        parameter signed  input  # #
blockOutputBiases c       parameter signed  input  # #
finalNormed      N_end    x         signed  main   q #
finalNormedGains g        parameter signed  input  # #
finalNormedBiases c       parameter signed  input  # #
wu               W_U      parameter signed  input  # #
bu               b_U      parameter signed  input  # #
logitsProduct    L        scores    signed  main   q words
logits           L        scores    signed  main   q words
topLogits        L′       scores    signed  main   q words
probabilities    Ŷ        weights   weights main   q words
output           O        output    signed  main   q #
`;

interface Row {
  readonly symbol: string;
  readonly is: string;
  readonly rows: string;
  readonly columns: string;
}

const known = new Map(
  table
    .trim()
    .split('\n')
    .map((line): [string, Row] => {
      const [id = '', symbol = '', role = '', kind = '', place = '', rows = '', columns = ''] = line.split(/ +/);
      return [id, { symbol: symbol.replaceAll('_of_the_', ' of the ').replace(/_(heads|normed|rotated|shared|capped|end)$/, ' $1').replace('+B', ' + B').replace(/^(X)(W)/, '$1$2'), is: [role, kind, place].join(' '), rows, columns }];
    }),
); // prettier-ignore

const bias = Array<number>(4).fill(0.5);
const block = {
  dModel: 4,
  projections: { from: 'random', dK: 4, dV: 4 },
  outputProjection: { from: 'random' },
} as const;
const words = { ...matrixDefaults, ...starts['words'], ...block } as AttentionSpec;

/** What no field of the others reaches. */
const more: readonly AttentionSpec[] = [
  { ...words, block: { norm: 'before', gains: 'random', finalNorm: true }, feedForward: { of: 'gelu' }, unembedding: { from: 'given', wu: matrix(4, 3, 1), bu: [1, 2, 3] } },
  { ...words, block: { norm: 'after', gains: 'random', layers: 2 }, feedForward: { of: 'relu', bias: true } },
  { ...words, block: { norm: 'none', finalNorm: true } },
  { ...words, block: { norm: 'none', layers: 11 } },
  { ...words, heads: 2, block: { norm: 'none' } },
  { ...words, mask: { kind: 'boolean', trueMeans: 'visible', values: matrix(4, 4, 1).map((row) => row.map((x) => (x > 0 ? 1 : 0))) }, decode: { step: 2 } },
  { ...words, mask: { kind: 'additive', values: matrix(4, 4, 1) }, alsoHidden: { causal: true, segments: { queries: [0, 0, 1, 1] } } },
  { ...words, heads: 2, differential: { lambda: 'given', vectors: matrix(4, 2, 1), gain: [1, 2, 3, 4] }, projections: { from: 'random', dK: 2, dV: 2 } },
  { ...words, outputProjection: { from: 'given', wo: matrix(4, 4, 1), bo: bias } },
  { ...words, outputProjection: { from: 'given', wo: matrix(4, 4, 1), bo: bias }, heads: 2 },
] as readonly AttentionSpec[]; // prettier-ignore

const planned = (spec: AttentionSpec): Plan | undefined => {
  const plan = planOf(spec);
  return plan.ok ? plan.value : undefined;
};

const grounds: readonly Partial<AttentionSpec>[] = [{}, { mask: 'causal' }, { heads: 2 }, { positions: 'rope-half' }, { ...block, block: { norm: 'before' } }]; // prettier-ignore

/** A plan for each value of each field: of the first start that takes it beside as few others as it takes. */
const single: readonly AttentionSpec[] = Object.values(changes).flat().flatMap((change) => {
  for (const ground of grounds)
    for (const start of Object.values(starts)) {
      const spec = { ...matrixDefaults, ...start, ...ground, ...change } as AttentionSpec;
      const plan = planned(spec);
      if (plan && !plan.notes.some(({ code }) => code === 'ignored')) return [spec];
    }
  return [];
}); // prettier-ignore

const specs = [...coveringSpecs.map(({ spec }) => spec), ...Object.values(starts).map((start) => ({ ...matrixDefaults, ...start }) as AttentionSpec), ...single, ...more]; // prettier-ignore
const plans = specs.flatMap((spec) => {
  const plan = planned(spec);
  return plan ? [{ spec, plan }] : [];
});

const localOf = (id: string): string => id.replace(/^layer\d+_/, '');
const where = (spec: AttentionSpec, { id }: Step): string => `${id} of ${JSON.stringify(spec).slice(0, 600)}`;

/** The letter of a step where it is not that of the table. */
function symbolOf(spec: AttentionSpec, { id, symbol }: Step, { symbol: usual }: Row, { steps }: Plan): string {
  const local = localOf(id);
  const projected = steps.some((step) => step.id === id.replace(local, 'wo'));
  if (local === 'output') return projected ? 'Y' : 'O';
  if (local === 'ffActive' && spec.feedForward?.of === 'swiglu') return 'G′';
  if (/^[qkv]Product$/.test(local)) return symbol;
  const added = typeof spec.mask === 'object' && spec.mask.kind === 'additive';
  if (/^(mask|wholeMask)$/.test(local) && added) return 'B';
  const last = spec.feedForward === undefined && spec.block?.norm !== 'after' && local === 'residual';
  if (last || local === 'blockOutput') return `X⁽${[...String(Number(/^layer(\d+)_/.exec(id)?.[1] ?? spec.block?.shown ?? 1))].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]).join('')}⁾`; // prettier-ignore
  if (local === 'ownRow') return symbol;
  return usual;
}

const numbers = (size: number): string[] => Array.from({ length: size }, (_, i) => String(i));
const texts = (tokens: Plan['tokens']): string[] => tokens.map(({ text }) => text);

/** What an axis of tokens is called: all of them, or of a decoder’s step the one that asks and those up to it. */
function tokensOn(axis: 'q' | 'k', size: number, plan: Plan, { decode }: AttentionSpec): string[] {
  const all = texts(axis === 'q' ? plan.tokens : plan.keyTokens);
  if (size === all.length || !decode) return all;
  return axis === 'q' ? all.slice(decode.step, decode.step + 1) : all.slice(0, decode.step + 1);
}

function labelsOf(axis: string, size: number, plan: Plan, spec: AttentionSpec): string[] | undefined {
  if (axis === '#') return numbers(size);
  if (axis === 'q' || axis === 'k') return tokensOn(axis, size, plan, spec);
  if (axis === 'k+sink') return [...tokensOn('k', size - 1, plan, spec), 'sink'];
  if (axis.includes(',')) return axis.split(',');
  return undefined;
}

describe('the notation of a plan', () => {
  it('has a letter, a part, rows and columns for every step', () => {
    const seen = new Set<string>();
    for (const { spec, plan } of plans)
      for (const step of plan.steps) {
        const row = known.get(localOf(step.id));
        assert.ok(row, where(spec, step));
        seen.add(localOf(step.id));
        const added = /^(mask|wholeMask)$/.test(localOf(step.id)) && step.symbol === 'B';
        const is = added ? row.is.replace('mask mask', 'mask signed') : row.is;
        assert.equal(step.symbol, symbolOf(spec, step, row, plan), where(spec, step));
        assert.equal([step.role, step.kind, step.place].join(' '), localOf(step.id) === 'mask' && spec.decode ? [step.role, step.kind, 'input'].join(' ') : is, where(spec, step)); // prettier-ignore
        const rows = labelsOf(row.rows, step.shape.at(-2) ?? 1, plan, spec);
        const columns = labelsOf(row.columns, step.shape.at(-1) ?? 1, plan, spec);
        if (rows) assert.deepEqual(step.rowLabels, rows, where(spec, step));
        if (columns) assert.deepEqual(step.columnLabels, columns, where(spec, step));
      }
    assert.deepEqual([...known.keys()].filter((id) => !seen.has(id)), []); // prettier-ignore
  });

  const each = (look: (step: Step, of: { readonly spec: AttentionSpec; readonly plan: Plan }) => void): void => {
    let count = 0;
    for (const of of plans)
      for (const step of of.plan.steps) {
        look(step, of);
        count++;
      }
    assert.ok(count > 2000, String(count));
  };

  it('is LaTeX for tokens as rows and as columns', () => {
    const seen = new Set<string>();
    each((step, { spec }) => {
      for (const latex of [false, true].flatMap((columns) => Object.values(latexOf(step.sentences.formula, columns)))) {
        if (seen.has(latex)) continue;
        seen.add(latex);
        const strict = (code: string): 'ignore' | 'error' => (code === 'htmlExtension' ? 'ignore' : 'error');
        assert.doesNotThrow(() => katex.renderToString(latex, { throwOnError: true, strict, trust: true }), `${latex} ${where(spec, step)}`); // prettier-ignore
      }
    });
  });

  it('says of given numbers which shape they have, of drawn ones how, and of others what they are made of', () => {
    each((step, { spec, plan }) => {
      const { plain } = step.formula;
      const said = where(spec, step);
      if (/^given/.test(step.call.op)) {
        assert.ok(plain.endsWith(` \\in \\mathbb{R}^{${step.shape.join(' \\times ')}}`), `${plain} ${said}`);
        return;
      }
      if (step.call.op === 'random') {
        const { divideBy, times } = step.call;
        const drawn =
          divideBy === 1 ? '\\mathcal{N}(0, 1)' : `\\mathcal{N}(0, 1) / \\sqrt{${Math.round(divideBy ** 2)}}`;
        assert.ok(
          plain.endsWith(` \\sim ${times === undefined ? '' : `${times} \\cdot `}${drawn}`),
          `${plain} ${said}`,
        );
        return;
      }
      const right = plain.slice(plain.indexOf('=') + 1);
      for (const id of step.operands) {
        const operand = plan.steps.find((one) => one.id === id);
        // A table that is looked up at places, turns of a rotation and a mask beside the weights stand in no formula of their own.
        if (!operand || /Rotations$/.test(id) || operand.role === 'mask' && step.id.endsWith('weights') || /Product$/.test(id)) continue; // prettier-ignore
        if (step.id.endsWith('weights') && step.call.op === 'cut') continue;
        const rows = id === 'tokens' && operand.shape[1] === 2;
        const left = rows
          ? 'r_i'
          : (/^\{*(?:\\mathit\{)?(\\[a-zA-Z]+ ?\{?[A-Z]?\}?|[A-Za-z])/.exec(operand.formula.plain)?.[1]?.trim() ?? '');
        assert.ok(right.includes(left), `${plain} lacks ${left} of ${id}: ${operand.formula.plain} ${said}`);
      }
    });
  });

  it('has the formulas of the papers', () => {
    const qkv = { ...matrixDefaults, start: { from: 'qkv', q: matrix(3, 8, 1), k: matrix(3, 8, 2), v: matrix(3, 6, 3) } } as const; // prettier-ignore
    const heads = { heads: 2 } as const;
    const turned = (angle: string, frequency?: string, times = '') => `R_{2p,i} = ${times}\\cos${angle},\\quad R_{2p+1,i} = ${times}\\sin${angle}${frequency === undefined ? '' : `,\\quad \\theta_i = ${frequency}`}`; // prettier-ignore
    const by = (frequency: string, times = ''): string => turned('(p\\,\\theta_i)', frequency, times);
    const rope = (more: object) => ({ positions: 'rope-half', rope: more }) as Partial<AttentionSpec>;
    const scaled = (scaling: object, more: object = {}): Partial<AttentionSpec> => rope({ ...more, scaling });
    const cases: readonly (readonly [Partial<AttentionSpec>, string, string])[] = [
      // Su et al. 2021, eq. 15: angles p · 10000^(−2i/d); GPT-NeoX turns the first `dims` of a head, Llama 3 has another base.
      [rope({}), 'qRotations', turned('\\frac{p}{10000^{2i/d}}')],
      [rope({ dims: 4 }), 'qRotations', turned('\\frac{p}{10000^{2i/4}}')],
      [rope({ base: 500 }), 'kRotations', turned('\\frac{p}{500^{2i/d}}')],
      // Chen et al. 2023: p / s. NTK: the base times s^(d/(d − 2)). Dynamic NTK: s·L/L₀ − (s − 1) in place of s, of L = 3 rows.
      [scaled({ kind: 'linear', factor: 2 }), 'qRotations', by('\\frac{1}{2 \\cdot 10000^{2i/d}}')],
      [scaled({ kind: 'ntk', factor: 2 }, { base: 500 }), 'qRotations', by('\\left(500 \\cdot 2^{d/(d-2)}\\right)^{-2i/d}')],
      [scaled({ kind: 'dynamic', factor: 2, original: 2 }, { dims: 4 }), 'kRotations', by('\\left(10000 \\cdot \\left(\\tfrac{2 \\cdot 3}{2} - (2 - 1)\\right)^{4/(4-2)}\\right)^{-2i/4}')],
      [scaled({ kind: 'dynamic', factor: 2, original: 5 }), 'qRotations', by('\\left(10000 \\cdot \\left(\\tfrac{2 \\cdot 5}{5} - (2 - 1)\\right)^{d/(d-2)}\\right)^{-2i/d}')],
      // Peng et al. 2023, eq. 19 to 22: a ramp between both, times 0.1 ln s + 1, which is 1 for s = 1. Llama 3 has the ramp alone.
      [scaled({ kind: 'yarn', factor: 4, original: 8 }), 'qRotations', by('\\frac{\\gamma_i + (1 - \\gamma_i) / 4}{10000^{2i/d}}', 'm ')],
      [scaled({ kind: 'yarn', factor: 1, original: 8 }), 'qRotations', by('\\frac{\\gamma_i + (1 - \\gamma_i) / 1}{10000^{2i/d}}')],
      [scaled({ kind: 'llama3', factor: 8, original: 8, low: 1, high: 4 }), 'qRotations', by('\\frac{\\gamma_i + (1 - \\gamma_i) / 8}{10000^{2i/d}}')],
      // A sink is a key whose score is 0 or s_h, and whose value is nothing.
      [{ sink: { from: 'one' } }, 'weights', 'A_{ij} = \\frac{e^{M_{ij}}}{1 + \\sum_l e^{M_{il}}}'],
      [{ sink: { from: 'given', logits: [2] } }, 'weights', 'A_{ij} = \\frac{e^{M_{ij}}}{e^{s_h} + \\sum_l e^{M_{il}}}'],
      [{ sink: { from: 'one' } }, 'sunk', 'M^{+} = \\left[M,\\; 0\\right]'],
      [{ sink: { from: 'random' } }, 'sunk', 'M^{+} = \\left[M,\\; s\\right]'],
      [{ sink: { from: 'random' } }, 'sinks', 's \\sim \\mathcal{N}(0, 1)'],
      // Ramapuram et al. 2024: σ(M + b), b = −log n. Katharopoulos et al. 2020, eq. 4 and 7.
      [{ weighting: { by: 'sigmoid' } }, 'weights', 'A_{ij} = \\sigma(M_{ij} + b),\\quad b = -\\log 3'],
      [{ weighting: { by: 'sigmoid', bias: 0.5 } }, 'weights', 'A_{ij} = \\sigma(M_{ij} + b),\\quad b = 0.5'],
      [{ weighting: { by: 'linear' }, scale: 'none' }, 'weights', 'A_{ij} = \\frac{M_{ij}}{\\sum_l M_{il}}'],
      [{ weighting: { by: 'linear' }, scale: 'none' }, 'kFeatures', '\\varphi(K) = \\begin{cases} K + 1 & K > 0 \\\\ e^{K} & K \\le 0 \\end{cases}'],
      [{ weighting: { by: 'linear' }, scale: 'none' }, 'scores', 'S = \\varphi(Q)\\,\\varphi(K)^{\\top}'],
      [{ weighting: { by: 'linear' }, scale: 'none', mask: 'causal' }, 'masked', 'M_{ij} = \\begin{cases} 0 & H_{ij} = 1 \\\\ S_{ij} & \\text{otherwise} \\end{cases}'],
      // Press et al. 2022: −m · distance, of where queries and keys stand.
      [{ positions: 'alibi' }, 'alibi', 'B_{ij} = -m_h \\, |i - j|'],
      [{ positions: 'alibi', positionIds: { offset: 2 } }, 'alibi', 'B_{ij} = -m_h \\, |i + 2 - j|'],
      [{ positions: 'alibi', positionIds: { queries: [0, 1, 2], keys: [0, 1, 5] } }, 'alibi', 'B_{ij} = -m_h \\, |p_i - p_j|'],
      // Raffel et al. 2020: a bias for each bucket of j − i.
      [{ relativeBias: { bidirectional: true } }, 'buckets', 'b_{ij} = \\operatorname{bucket}(j - i)'],
      [{ relativeBias: { bidirectional: true }, positionIds: { offset: 2 } }, 'buckets', 'b_{ij} = \\operatorname{bucket}(p_j - p_i)'],
      [{ relativeBias: { bidirectional: true } }, 'relative', '{B_T}_{ij} = T[b_{ij}, h]'],
      [{ relativeBias: { bidirectional: true } }, 'related', "Z' = Z + B_T"],
      // Ye et al. 2024, eq. 1 and 2, with λ_init = 0.8 − 0.6 e^(−0.3·(l − 1)): 0.2 in the first layer.
      [{ ...heads, differential: { lambda: 'init' } }, 'differences', '{D}^{(h)}_{ij} = {A}^{(2h)}_{ij} - 0.2 \\, {A}^{(2h+1)}_{ij}'],
      [{ ...heads, differential: { lambda: 'random', init: 0.5 } }, 'differences', '{D}^{(h)}_{ij} = {A}^{(2h)}_{ij} - \\lambda \\, {A}^{(2h+1)}_{ij}'],
      [{ ...heads, differential: { lambda: 'random', init: 0.5 } }, 'lambda', '\\lambda = e^{\\Lambda_{q_1} \\cdot \\Lambda_{k_1}} - e^{\\Lambda_{q_2} \\cdot \\Lambda_{k_2}} + 0.5'],
      [{ ...heads, differential: { lambda: 'random' } }, 'lambdaVectors', '\\Lambda \\sim 0.1 \\cdot \\mathcal{N}(0, 1)'],
      [{ ...heads, differential: { lambda: 'init' } }, 'headsScaled', "O_h' = (1 - \\lambda_{\\text{init}}) \\, N_h,\\quad 1 - \\lambda_{\\text{init}} = 0.8"],
      [{ ...heads, averageWeights: true }, 'averagedWeights', '\\bar A_{ij} = \\frac{1}{2} \\sum_h A^{(h)}_{ij}'],
      // Hidden is what any mask hides; transformers’ attention_mask has 1 for a key that is seen.
      [{ alsoHidden: { keys: { values: [0, 1, 1], oneMeans: 'visible' } } }, 'keyMask', '{H_k}_{ij} = [\\,k_j = 0\\,]'],
      [{ alsoHidden: { keys: { values: [0, 1, 1], oneMeans: 'hidden' } } }, 'keyMask', '{H_k}_{ij} = [\\,k_j = 1\\,]'],
      [{ alsoHidden: { keys: { values: [0, 1, 1], oneMeans: 'hidden' } } }, 'masked', 'M_{ij} = \\begin{cases} -\\infty & {H_k}_{ij} = 1 \\\\ Z_{ij} & \\text{otherwise} \\end{cases}'],
      [{ alsoHidden: { causal: true, segments: { queries: [0, 0, 1] } } }, 'causalMask', '{H_c}_{ij} = [\\,j > i\\,]'],
      [{ alsoHidden: { causal: true, segments: { queries: [0, 0, 1] } } }, 'segmentMask', '{H_s}_{ij} = [\\,s_i \\ne s_j\\,]'],
      [{ alsoHidden: { causal: true, segments: { queries: [0, 0, 1] } } }, 'jointMask', '\\hat H_{ij} = {H_c}_{ij} \\lor {H_s}_{ij}'],
      // Query i stands at i + 1, so it is behind key j by i + 1 − j, which is more than 2 where i − j > 1.
      [{ mask: { kind: 'window', size: 2, causal: true }, positionIds: { offset: 1 } }, 'mask', 'H_{ij} = [\\,i - j > 1 \\lor j - i > 1\\,]'],
      [{ mask: { kind: 'window', size: 2, causal: false }, positionIds: { offset: 1 } }, 'mask', 'H_{ij} = [\\,i - j > 1 \\lor j - i > 3\\,]'],
      [{ mask: 'causal', positionIds: { offset: 1 } }, 'mask', 'H_{ij} = [\\,j > i + (1)\\,]'],
    ]; // prettier-ignore
    for (const [change, id, expected] of cases) {
      const plan = planOf({ ...qkv, ...change });
      assert.ok(plan.ok, JSON.stringify([change, plan]));
      assert.equal(plan.value.steps.find((step) => step.id === id)?.formula.plain, expected, JSON.stringify(change));
    }
  });

  it('hatches what a mask hides from the scores to the last weights, where the mask has no more heads than they', () => {
    const q = matrix(3, 8, 1);
    const spec = { ...matrixDefaults, heads: 4, mask: 'causal', start: { from: 'qkv', q, k: q, v: q } } as const;
    const perHead = {
      kind: 'boolean',
      trueMeans: 'hidden',
      values: Array.from({ length: 4 }, () => [
        [0, 1, 1],
        [0, 0, 1],
        [0, 0, 0],
      ]),
    } as const;
    const keys = { alsoHidden: { keys: { values: [1, 1, 0], oneMeans: 'visible' } } } as const;
    const cases: readonly (readonly [Partial<AttentionSpec>, string])[] = [
      [{}, 'masked weights'],
      [{ mask: 'none' }, ''],
      [{ averageWeights: true }, 'masked weights averagedWeights'],
      [{ averageWeights: true, mask: perHead }, 'masked weights'],
      [{ differential: { lambda: 'init' }, averageWeights: true }, 'masked weights differences averagedWeights'],
      [{ differential: { lambda: 'init' }, averageWeights: true, mask: perHead }, 'masked weights'],
      [{ sink: { from: 'one' }, averageWeights: true }, 'masked weights averagedWeights'],
      [{ mask: 'none', ...keys }, 'masked weights'],
      [keys, 'masked weights'],
      [{ mask: { kind: 'additive', values: matrix(3, 3, 1) } }, ''],
      [{ weighting: { by: 'sigmoid' } }, 'masked weights'],
    ]; // prettier-ignore
    for (const [change, expected] of cases) {
      const plan = planned({ ...spec, ...change });
      assert.ok(plan, JSON.stringify(change));
      const hidden = plan.steps.filter(({ hiddenBy }) => hiddenBy !== undefined);
      assert.equal(hidden.map(({ id }) => id).join(' '), expected, JSON.stringify(change));
      const by = change === keys ? 'jointMask' : 'alsoHidden' in change ? 'keyMask' : 'mask';
      assert.deepEqual(hidden.filter(({ hiddenBy }) => hiddenBy !== by), [], JSON.stringify(change)); // prettier-ignore
    }
  });

  it('has a bias of T5 for each head where scores have an axis of heads, be it of one', () => {
    const biasOf = (spec: Partial<AttentionSpec>) => planned({ ...matrixDefaults, relativeBias: { bidirectional: true }, ...spec } as AttentionSpec)?.steps.find(({ id }) => id === 'relative')?.shape.join('×'); // prettier-ignore
    const m = matrix(3, 4, 1);
    const of = (q: never): Partial<AttentionSpec> => ({ start: { from: 'qkv', q, k: q, v: q } });
    assert.deepEqual([of(m as never), of([[m], [m]] as never), { ...of(m as never), heads: 2 }].map(biasOf), [
      '3×3',
      '1×3×3',
      '2×3×3',
    ]);
  });

  it('says which shapes become which', () => {
    const sized = (shape: readonly number[]): string => `(${shape.join('×')})`;
    each((step, { spec, plan }) => {
      const [a, b] = step.operands.map((id) => plan.steps.find((one) => one.id === id)?.shape ?? []);
      const turned = b && step.call.op === 'matmul' && step.call.transposeB ? [...b.slice(0, -2), ...b.slice(-2).reverse()] : b; // prettier-ignore
      const to = sized(step.shape);
      const from = { matmul: `${sized(a ?? [])}·${sized(turned ?? [])}`, add: `${sized(a ?? [])} + ${sized(b ?? [])}`, lookup: `rows ${sized(b ?? [])} of ${sized(a ?? [])}` }; // prettier-ignore
      const expected = (from as Readonly<Record<string, string>>)[step.call.op] ?? (a && sized(a));
      assert.equal(step.shapes, expected === undefined ? to : `${expected} → ${to}`, where(spec, step));
    });
  });
});
