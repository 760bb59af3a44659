import { t, say, signs } from '../../text';
import { cell, formula, inWords, type Expression } from '../../operations';
import { addStep, tokenTexts, type Draft } from './draft';
import { C, E, P, T, TABLE, X, X_V } from './symbols';
import { inputsOf } from '../../math';
import { dimsOf, type AttentionSpec, usesVocabulary } from '../../spec';
import { placesOf } from './places';

/** From text, ids or a given matrix to X (and, for cross-attention, the context, and what the values are made of where it is another input). */
export function planInputs(draft: Draft): void {
  const { start } = draft.spec;
  if (start.from === 'text' || start.from === 'ids') planEmbedding(draft);
  planX(draft);
  if (start.from !== 'x') return;
  const rows = tokenTexts(draft.keyTokens);
  if (start.context) {
    const call = { op: 'given', path: 'start.context' } as const;
    const shape = dimsOf(start.context);
    addStep(draft, { id: 'context', symbol: C, unicode: 'C', call, shape, rows });
  }
  if (start.values) {
    const call = { op: 'given', path: 'start.values' } as const;
    const shape = dimsOf(start.values);
    addStep(draft, { id: 'valueSource', symbol: X_V, unicode: 'X_v', call, shape, rows });
  }
}

function planEmbedding(draft: Draft): void {
  const { spec, tokens } = draft;
  const n = tokens.length;
  const rows = tokenTexts(tokens);
  const distinct = drawsDistinct(spec);
  const columnNames = [signs('id'), ...(distinct ? [say('[row|column]')] : [])];
  addStep(draft, {
    id: 'tokens', symbol: T, unicode: 't', kind: 'ids', call: { op: 'tokens', rows: distinct }, shape: [n, columnNames.length],
    formula: distinct ? formula`${T} = (t_1, \dots, t_{${n}}),\quad r_i = ${inWords(`${t('row of')} `, `${t('column of')} `)} t_i` : formula`${T} = (t_1, \dots, t_{${n}})`,
    rows, columnNames,
  }); // prettier-ignore
  planTable(draft, spec);
  addStep(draft, {
    id: 'embedding', symbol: E, unicode: 'E', call: { op: 'lookup', column: columnNames.length - 1 }, operands: ['table', 'tokens'],
    formula: distinct ? formula`${E}_i = ${TABLE}[r_i]` : formula`${E}_i = ${TABLE}[t_i]`, rows,
  }); // prettier-ignore
}

/** Whether the table has a row for each distinct token only: a vocabulary of fifty thousand ids would need fifty thousand random rows. */
const drawsDistinct = ({ start, embedding }: AttentionSpec): boolean =>
  usesVocabulary(start) && embedding?.from !== 'given';

function planTable(draft: Draft, spec: AttentionSpec): void {
  const row = { id: 'table', symbol: TABLE, unicode: 'W_E', place: 'input' } as const;
  if (spec.embedding?.from === 'given') {
    const shape = dimsOf(spec.embedding.table);
    const call = { op: 'given', path: 'embedding.table' } as const;
    addStep(draft, { ...row, call, shape });
    return;
  }
  const labels = distinctNames(draft);
  const size = labels?.length ?? draft.tokens.reduce((most, t) => Math.max(most, t.id), 0) + 1;
  const call = { op: 'random', divideBy: 1, divideByLatex: '' } as const;
  addStep(draft, { ...row, call, shape: [size, spec.dModel], rows: labels });
}

/** The distinct tokens, when the table has a row for each of them; undefined when it has a row for every id. */
function distinctNames({ spec: { start }, tokens }: Draft): string[] | undefined {
  if (start.from !== 'text' || start.tokenizer === 'bytes') return undefined;
  const named = new Map<number, string>();
  for (const { id, text } of tokens) if (!named.has(id)) named.set(id, text);
  return [...named.values()];
}

function planX(draft: Draft): void {
  const { spec } = draft;
  const rows = tokenTexts(draft.tokens);
  const given = spec.start.from === 'x' ? spec.start.x : undefined;
  const added = addedPositions(spec);
  if (given) {
    const shape = dimsOf(given);
    const call = { op: 'given', path: 'start.x' } as const;
    const [id, of, unicode] = added ? (['given', E, 'E'] as const) : (['x', X, 'X'] as const);
    addStep(draft, { id, symbol: of, unicode, call, shape, rows });
    if (!added) return;
  }
  const base = given ? 'given' : 'embedding';
  const row = { id: 'x', symbol: X, unicode: 'X', rows } as const;
  if (!added) {
    addStep(draft, { ...row, call: { op: 'identity' }, operands: [base] });
    return;
  }
  planPositions(draft, base);
  addStep(draft, { ...row, call: { op: 'add' }, operands: [base, 'positions'] });
}

/** Whether positions are added to X. RoPE and ALiBi enter later. */
function addedPositions({ positions }: AttentionSpec): boolean {
  return typeof positions === 'object' || positions.startsWith('sinusoidal') || positions === 'learned-random';
}

function planPositions(draft: Draft, base: string): void {
  const { positions } = draft.spec;
  const whole = draft.steps.find((s) => s.id === base)?.shape ?? [];
  const at = placesOf(draft).queries;
  const shape = whole.slice(isSinusoidal(positions) && inputsOf(at) > 1 ? -3 : -2);
  const row = { id: 'positions', symbol: P, unicode: 'P', shape, rows: tokenTexts(draft.tokens) } as const;
  if (typeof positions === 'object') {
    const call = { op: 'given', path: 'positions.learned' } as const;
    addStep(draft, { ...row, call });
  } else if (positions === 'learned-random') {
    const call = { op: 'random', divideBy: 1, divideByLatex: '' } as const;
    addStep(draft, { ...row, call });
  } else {
    const layout = positions === 'sinusoidal-interleaved' ? 'interleaved' : 'concatenated';
    addStep(draft, {
      ...row,
      call: {
        op: 'sinusoidal',
        layout,
        ...(at !== undefined && { at }),
        ...(draft.spec.positionsDtype && { dtype: draft.spec.positionsDtype }),
      },
      formula: sinusoidalFormula(layout),
    });
  }
}

function sinusoidalFormula(layout: 'interleaved' | 'concatenated'): Expression {
  return layout === 'interleaved'
    ? formula`${cell(P, 'p', '2i', ',')} = \sin\frac{p}{10000^{2i/d}},\quad ${cell(P, 'p', '2i+1', ',')} = \cos\frac{p}{10000^{2i/d}}`
    : formula`${cell(P, 'p', 'i', ',')} = \sin\frac{p}{10000^{i/(d/2)}},\quad ${cell(P, 'p', 'd/2+i', ',')} = \cos\frac{p}{10000^{i/(d/2)}}`;
}

const isSinusoidal = (positions: AttentionSpec['positions']): boolean =>
  typeof positions === 'string' && positions.startsWith('sinusoidal');
