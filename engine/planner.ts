import { formula, symbol, type Formula, type Symbol } from './formula';
import { isSource, operations, type CallOf, type OperationCall, type OperationName } from './operations';
import type { Plan, Step, Token, ValueKind } from './plan';
import { fail, ok, type Problem, type Result } from './problems';
import { checkSpec } from './shapes';
import type { AttentionSpec, Scale } from './spec';
import { formatShape, sizeOf } from './tensor';
import { splitText } from './tokens/split';
import { wordsOf, type Role } from './words';

/**
 * The only place that knows variants: turns a spec into ordered steps. Problems carry the path of the field that does
 * not fit, with the shapes that were found and expected.
 */
export function planOf(spec: AttentionSpec): Result<Plan> {
  const problems = checkSpec(spec);
  if (problems.length) return fail(...problems);
  const draft = startDraft(spec);
  if (draft.tokens.length === 0) return fail(noTokens());
  if (spec.start.from === 'qkv') planGivenQkv(draft, spec.start);
  else planProjections(draft);
  planAttention(draft);
  return ok(finish(draft));
}

const noTokens = (): Problem => ({
  code: 'empty',
  message: 'the text has no tokens',
  hint: 'Select at least one word.',
  path: 'start.text',
});

interface Draft {
  readonly spec: AttentionSpec;
  readonly steps: Step[];
  readonly tokens: readonly Token[];
  readonly keyTokens: readonly Token[];
  /** Steps hidden by the mask, from `masked` on. */
  hiddenBy?: string;
}

function startDraft(spec: AttentionSpec): Draft {
  const { start, labels } = spec;
  if (start.from === 'text') {
    const tokens = splitText(start.text, start.tokenizer);
    return { spec, steps: [], tokens, keyTokens: tokens };
  }
  const rows = start.from === 'x' ? start.x.length : start.q.length;
  const tokens = labelled(rows, labels?.queries);
  const keyRows = start.from === 'x' ? rows : start.k.length;
  const sharesLabels = keyRows === rows && !labels?.keys;
  return { spec, steps: [], tokens, keyTokens: sharesLabels ? tokens : labelled(keyRows, labels?.keys) };
}

const labelled = (count: number, labels: readonly string[] | undefined): Token[] =>
  Array.from({ length: count }, (_, id) => ({ id, text: labels?.[id] ?? String(id) }));

interface Row {
  readonly id: string;
  readonly symbol: Symbol;
  readonly unicode: string;
  readonly kind?: ValueKind;
  readonly call: OperationCall;
  readonly operands?: readonly string[];
  /** Required for sources; operations have a shape rule. */
  readonly shape?: readonly number[];
  readonly formula: Formula;
  readonly place?: Step['place'];
  readonly rows?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
}

function addStep(draft: Draft, row: Row): void {
  const operands = (row.operands ?? []).map((id) => stepOf(draft, id));
  const shapes = operands.map((s) => s.shape);
  const shape = isSource(row.call) ? (row.shape ?? []) : shapeOf(row.call, shapes);
  const rowLabels = row.rows ?? indices(shape.at(-2) ?? 1);
  const columnLabels = row.columns ?? indices(shape.at(-1) ?? 1);
  draft.steps.push({
    id: row.id,
    symbol: row.unicode,
    role: row.symbol.role,
    kind: row.kind ?? 'signed',
    call: row.call,
    operands: row.operands ?? [],
    shape,
    formula: row.formula,
    shapes: shapesText(row.call, shapes, shape),
    words: wordsOf({ ...draft, id: row.id, call: row.call, shape, operands, rowLabels, columnLabels }),
    rowLabels,
    columnLabels,
    ...(draft.hiddenBy === undefined ? {} : { hiddenBy: draft.hiddenBy }),
    place: row.place ?? 'road',
  });
}

function shapeOf(call: OperationCall, operands: readonly (readonly number[])[]): readonly number[] {
  const name = call.op as OperationName;
  return operations[name].shape(call as never, operands);
}

function stepOf(draft: Draft, id: string): Step {
  const step = draft.steps.find((s) => s.id === id);
  if (!step) throw new Error(`the plan has no step ${id} yet`);
  return step;
}

const indices = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));
const names = (tokens: readonly Token[]): string[] => tokens.map((t) => t.text);

/** `(6×8)·(8×6) → (6×6)` */
function shapesText(call: OperationCall, operands: readonly (readonly number[])[], result: readonly number[]): string {
  const wrap = (s: readonly number[]): string => `(${formatShape(s)})`;
  const [a = [], b = []] = operands;
  const to = ` → ${wrap(result)}`;
  switch (call.op) {
    case 'matmul':
      return `${wrap(a)}·${wrap(call.transposeB ? [...b.slice(0, -2), ...b.slice(-2).reverse()] : b)}${to}`;
    case 'add':
      return `${wrap(a)} + ${wrap(b)}${to}`;
    case 'lookup':
      return `rows ${wrap(b)} of ${wrap(a)}${to}`;
    default:
      return operands.length ? wrap(a) + to : wrap(result);
  }
}

// --- symbols -----------------------------------------------------------------

const T = symbol('token', 't');
const E = symbol('x', 'E');
const TABLE = symbol('parameter', 'W_E');
const P = symbol('position', 'P');
const X = symbol('x', 'X');
const S = symbol('scores', 'S');
const Z = symbol('scores', 'Z');
const H = symbol('mask', 'H');
const M = symbol('scores', 'M');
const A = symbol('weights', 'A');
const O = symbol('output', 'O');

const lanes = {
  q: { unicode: 'Q', symbol: symbol('query', 'Q'), weight: symbol('parameter', 'W_q'), weightUnicode: 'W_q' },
  k: { unicode: 'K', symbol: symbol('key', 'K'), weight: symbol('parameter', 'W_k'), weightUnicode: 'W_k' },
  v: { unicode: 'V', symbol: symbol('value', 'V'), weight: symbol('parameter', 'W_v'), weightUnicode: 'W_v' },
} as const;
type Lane = keyof typeof lanes;
const laneIds: readonly Lane[] = ['q', 'k', 'v'];

// --- from text or X to Q, K, V -------------------------------------------------

function planProjections(draft: Draft): void {
  const { spec, tokens } = draft;
  const n = tokens.length;
  if (spec.start.from === 'text') planEmbedding(draft, n, spec.dModel);
  planX(draft, n);
  for (const lane of laneIds) planWeight(draft, lane);
  for (const lane of laneIds) planLane(draft, lane);
}

function planEmbedding(draft: Draft, n: number, dModel: number): void {
  const rows = names(draft.tokens);
  const vocabulary = [...new Set(rows)];
  addStep(draft, {
    id: 'tokens', symbol: T, unicode: 't', kind: 'ids', call: { op: 'tokens' }, shape: [n, 1],
    formula: formula`${T} = (t_1, \dots, t_{${n}})`, rows, columns: ['id'],
  }); // prettier-ignore
  addStep(draft, {
    id: 'table', symbol: TABLE, unicode: 'W_E', call: { op: 'random', divideBy: 1, divideByLatex: '' },
    shape: [vocabulary.length, dModel], formula: formula`${TABLE} \sim \mathcal{N}(0, 1)`, rows: vocabulary, place: 'input',
  }); // prettier-ignore
  addStep(draft, {
    id: 'embedding', symbol: E, unicode: 'E', call: { op: 'lookup' }, operands: ['table', 'tokens'],
    formula: formula`${E}_i = ${TABLE}[t_i]`, rows,
  }); // prettier-ignore
}

function planX(draft: Draft, n: number): void {
  const { spec } = draft;
  const rows = names(draft.tokens);
  const fromText = spec.start.from === 'text';
  const d = spec.start.from === 'x' ? (spec.start.x[0]?.length ?? 0) : spec.dModel;
  const base = fromText ? 'embedding' : 'given';
  if (!fromText && spec.positions === 'none') return givenX(draft, 'x', X, 'X', [n, d]);
  if (!fromText) givenX(draft, 'given', E, 'E', [n, d]);
  if (spec.positions === 'none') {
    const call = { op: 'identity' } as const;
    return addStep(draft, {
      id: 'x',
      symbol: X,
      unicode: 'X',
      call,
      operands: [base],
      formula: formula`${X} = ${E}`,
      rows,
    });
  }
  const layout = spec.positions === 'sinusoidal-interleaved' ? 'interleaved' : 'concatenated';
  addStep(draft, {
    id: 'positions', symbol: P, unicode: 'P', call: { op: 'sinusoidal', layout }, shape: [n, d],
    formula: positionFormula(layout), rows,
  }); // prettier-ignore
  addStep(draft, {
    id: 'x', symbol: X, unicode: 'X', call: { op: 'add' }, operands: [base, 'positions'],
    formula: formula`${X} = ${E} + ${P}`, rows,
  }); // prettier-ignore
}

function givenX(draft: Draft, id: string, sym: Symbol, unicode: string, shape: readonly number[]): void {
  const formulaOfShape = formula`${sym} \in \mathbb{R}^{${shape[0] ?? 0} \times ${shape[1] ?? 0}}`;
  const call = { op: 'given', path: 'start.x' } as const;
  addStep(draft, { id, symbol: sym, unicode, call, shape, formula: formulaOfShape, rows: names(draft.tokens) });
}

function positionFormula(layout: 'interleaved' | 'concatenated'): Formula {
  return layout === 'interleaved'
    ? formula`${P}_{p,2i} = \sin\frac{p}{10000^{2i/d}},\quad ${P}_{p,2i+1} = \cos\frac{p}{10000^{2i/d}}`
    : formula`${P}_{p,i} = \sin\frac{p}{10000^{i/(d/2)}},\quad ${P}_{p,d/2+i} = \cos\frac{p}{10000^{i/(d/2)}}`;
}

function planWeight(draft: Draft, lane: Lane): void {
  const { spec } = draft;
  const { projections } = spec;
  const { weight, weightUnicode } = lanes[lane];
  const id = `w${lane}`;
  const step = { id, symbol: weight, unicode: weightUnicode, place: 'input' } as const;
  if (projections.from === 'random') {
    const dModel = stepOf(draft, 'x').shape[1] ?? 0;
    const width = lane === 'v' ? projections.dV : projections.dK;
    const root = `\\sqrt{${dModel}}`;
    const call = { op: 'random', divideBy: Math.sqrt(dModel), divideByLatex: root } as const;
    const shape = spec.convention === 'XW' ? [dModel, width] : [width, dModel];
    addStep(draft, { ...step, call, shape, formula: formula`${weight} \sim \mathcal{N}(0, 1) / ${root}` });
  } else if (projections.from === 'given') {
    const matrix = projections[`w${lane}`];
    const shape = [matrix.length, matrix[0]?.length ?? 0];
    const given = formula`${weight} \in \mathbb{R}^{${shape[0] ?? 0} \times ${shape[1] ?? 0}}`;
    addStep(draft, { ...step, call: { op: 'given', path: `projections.${id}` }, shape, formula: given });
  }
}

function planLane(draft: Draft, lane: Lane): void {
  const { convention, projections } = draft.spec;
  const { symbol: result, unicode, weight } = lanes[lane];
  const row = { id: lane, symbol: result, unicode, place: 'lane', rows: names(draft.tokens) } as const;
  if (projections.from === 'none') {
    addStep(draft, { ...row, call: { op: 'identity' }, operands: ['x'], formula: formula`${result} = ${X}` });
    return;
  }
  const call = { op: 'matmul', transposeB: convention === 'XWT' } as const;
  const product =
    convention === 'XWT' ? formula`${result} = ${X}\,${weight}^{\top}` : formula`${result} = ${X}\,${weight}`;
  addStep(draft, { ...row, call, operands: ['x', `w${lane}`], formula: product });
}

// --- from given Q, K, V --------------------------------------------------------

function planGivenQkv(draft: Draft, start: Extract<AttentionSpec['start'], { from: 'qkv' }>): void {
  for (const lane of laneIds) {
    const matrix = start[lane];
    if (!matrix) continue;
    const { symbol: result, unicode } = lanes[lane];
    const shape = [matrix.length, matrix[0]?.length ?? 0] as const;
    const given = formula`${result} \in \mathbb{R}^{${shape[0]} \times ${shape[1]}}`;
    const rows = names(lane === 'q' ? draft.tokens : draft.keyTokens);
    const call = { op: 'given', path: `start.${lane}` } as const;
    addStep(draft, { id: lane, symbol: result, unicode, call, shape, formula: given, place: 'lane', rows });
  }
}

// --- from Q, K, V to the output --------------------------------------------------

function planAttention(draft: Draft): void {
  const [rows, columns] = [names(draft.tokens), names(draft.keyTokens)];
  const grid = { rows, columns } as const;
  const [q, k] = [lanes.q.symbol, lanes.k.symbol];
  addStep(draft, {
    id: 'scores', symbol: S, unicode: 'S', call: { op: 'matmul', transposeB: true }, operands: ['q', 'k'],
    formula: formula`${S} = ${q}\,${k}^{\top}`, ...grid,
  }); // prettier-ignore
  planScale(draft, grid);
  planMask(draft, grid);
  const operands = draft.hiddenBy === undefined ? ['masked'] : ['masked', draft.hiddenBy];
  addStep(draft, {
    id: 'weights', symbol: A, unicode: 'A', kind: 'weights', call: { op: 'softmax' }, operands,
    formula: formula`${A}_{ij} = \frac{e^{${M}_{ij} - \max_l ${M}_{il}}}{\sum_l e^{${M}_{il} - \max_{l'} ${M}_{il'}}}`, ...grid,
  }); // prettier-ignore
  if (!draft.steps.some((s) => s.id === 'v')) return;
  delete draft.hiddenBy;
  addStep(draft, {
    id: 'output', symbol: O, unicode: 'O', call: { op: 'matmul', transposeB: false }, operands: ['weights', 'v'],
    formula: formula`${O} = ${A}\,${lanes.v.symbol}`, rows,
  }); // prettier-ignore
}

type Grid = { readonly rows: readonly string[]; readonly columns: readonly string[] };

function planScale(draft: Draft, grid: Grid): void {
  const row = { id: 'scaled', symbol: Z, unicode: 'Z', operands: ['scores'], ...grid } as const;
  const divisor = divisorOf(draft);
  if (!divisor) {
    addStep(draft, { ...row, call: { op: 'identity' }, formula: formula`${Z} = ${S}` });
    return;
  }
  const call = { op: 'divide', by: divisor.by } as const;
  addStep(draft, { ...row, call, formula: formula`${Z} = ${S} \,/\, ${divisor.latex}` });
}

/** What the scores are divided by, as a number and as the reader knows it; undefined when they are not. */
function divisorOf(draft: Draft): { by: number; latex: string } | undefined {
  const { scale } = draft.spec;
  if (scale === 'none') return undefined;
  if (typeof scale === 'object') return { by: scale.divideBy, latex: String(scale.divideBy) };
  const width = widthUnderRoot(draft, scale);
  return { by: Math.sqrt(width), latex: `\\sqrt{${width}}` };
}

function widthUnderRoot(draft: Draft, scale: Extract<Scale, string>): number {
  const x = draft.steps.find((s) => s.id === 'x');
  const of = scale === 'sqrt_d_model' && x ? x : stepOf(draft, 'q');
  return of.shape.at(-1) ?? 1;
}

function planMask(draft: Draft, grid: Grid): void {
  const row = { id: 'masked', symbol: M, unicode: 'M', ...grid } as const;
  if (draft.spec.mask === 'none') {
    addStep(draft, { ...row, call: { op: 'identity' }, operands: ['scaled'], formula: formula`${M} = ${Z}` });
    return;
  }
  const shape = [draft.tokens.length, draft.keyTokens.length];
  // With m ≠ n, query i stands beside key i (aligned at the start, as torch.tril does it).
  addStep(draft, {
    id: 'mask', symbol: H, unicode: 'H', kind: 'mask', call: { op: 'causalMask', offset: 0 }, shape,
    formula: formula`${H}_{ij} = [\,j > i\,]`, place: 'input', ...grid,
  }); // prettier-ignore
  draft.hiddenBy = 'mask';
  const fill = draft.spec.maskFill;
  const fillLatex = fill === '-inf' ? '-\\infty' : '-10^{9}';
  addStep(draft, {
    ...row, call: { op: 'mask', fill: fill === '-inf' ? -Infinity : fill }, operands: ['scaled', 'mask'],
    formula: formula`${M}_{ij} = \begin{cases} ${fillLatex} & j > i \\ ${Z}_{ij} & \text{otherwise} \end{cases}`,
  }); // prettier-ignore
}

// --- the whole -------------------------------------------------------------------

function finish(draft: Draft): Plan {
  const { steps, tokens, keyTokens, spec } = draft;
  const width = spec.dtype === 'float32' ? 4 : 8;
  return {
    steps,
    tokens,
    keyTokens,
    multiplyAdds: steps.reduce((sum, step) => sum + workOf(step, steps), 0),
    bytes: steps.reduce((sum, step) => sum + sizeOf(step.shape) * width, 0),
  };
}

function workOf(step: Step, steps: readonly Step[]): number {
  if (isSource(step.call)) return 0;
  const shapes = step.operands.map((id) => steps.find((s) => s.id === id)?.shape ?? []);
  return operations[step.call.op].work(step.call as CallOf<never>, shapes, step.shape);
}

export type { Role };
