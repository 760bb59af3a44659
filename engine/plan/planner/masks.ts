import { inputsOf, largestOf } from '../../math';
import { cell, formula, inWords, latexNumber, symbol, type Expression, type Symbol } from '../../operations';
import {
  dimsOf,
  hidesMore,
  isCausal,
  listsOf,
  maskShape,
  reachOf,
  scoresDims,
  type AlsoHidden,
  type Mask,
} from '../../spec';
import { t } from '../../text';
import { cutMask } from './decoding';
import { addStep, scalarOf, stepOf, type Draft, type Grid } from './draft';
import { placesOf } from './places';
import { B, H, M, S, Z } from './symbols';

/* Which keys a query may not see: the mask, those beside it, and what hides a key by any of them. */

/** From the scores before the mask to those after it. */
export function planMask(draft: Draft, grid: Grid, from: string): void {
  const { mask } = draft.spec;
  const row = { id: 'masked', symbol: M, unicode: 'M', ...grid } as const;
  const more = hidesMore(draft.spec);
  if (mask !== 'none') planMaskValues(draft, mask, grid);
  else if (!more) {
    addStep(draft, { ...row, call: { op: 'identity' }, operands: [from] });
    return;
  }
  const added = typeof mask === 'object' && mask.kind === 'additive';
  if (added && !more) {
    addStep(draft, { ...row, call: { op: 'add' }, operands: [from, 'mask'] });
    return;
  }
  if (added)
    addStep(draft, {
      ...row,
      id: 'shifted',
      symbol: Z,
      unicode: 'Z + B',
      call: { op: 'add' },
      operands: [from, 'mask'],
    });
  const own: readonly Hiding[] = mask === 'none' || added ? [] : [{ id: 'mask', symbol: H }];
  const hiding = jointOf(draft, grid, [...own, ...planMore(draft, grid)]);
  draft.hiddenBy = hiding.id;
  const { fill, latex } = fillOf(draft);
  addStep(draft, {
    ...row, call: { op: 'mask', fill }, operands: [added ? 'shifted' : from, hiding.id],
    formula: formula`${ij(M)} = \begin{cases} ${latex} & ${ij(hiding.symbol)} = 1 \\ ${ij(from === 'scores' ? S : Z)} & ${inWords(t('otherwise'))} \end{cases}`,
  }); // prettier-ignore
}

interface Hiding {
  readonly id: 'mask' | 'causalMask' | 'keyMask' | 'segmentMask' | 'jointMask';
  readonly symbol: Symbol;
}

const H_c = symbol('mask', 'H_c');
const H_k = symbol('mask', 'H_k');
const H_s = symbol('mask', 'H_s');
const JOINT = symbol('mask', '\\hat H');

/** The masks beside the mask, each a step. */
function planMore(draft: Draft, grid: Grid): readonly Hiding[] {
  const { alsoHidden: of = {}, mask } = draft.spec;
  return [
    ...(of.causal && !isCausal(mask) ? [planLater(draft, grid)] : []),
    ...(of.keys ? [planFilling(draft, grid, of.keys)] : []),
    ...(of.segments ? [planSegments(draft, grid, of.segments)] : []),
  ];
}

const inputOf = (symbol: Symbol, unicode: string) => ({ symbol, unicode, place: 'input', kind: 'mask' }) as const;

function planLater(draft: Draft, grid: Grid): Hiding {
  const [n, m] = [draft.tokens.length, draft.keyTokens.length];
  const { after, before, visible, latex } = patternOf('causal', n, m, placesOf(draft).ahead);
  addStep(draft, {
    ...inputOf(H_c, 'H_c'), ...grid, id: 'causalMask', shape: [n, m], call: { op: 'patternMask', after, before, visible },
    formula: formula`${ij(H_c)} = [\,${latex}\,]`,
  }); // prettier-ignore
  return { id: 'causalMask', symbol: H_c };
}

function planFilling(draft: Draft, grid: Grid, { values, oneMeans }: NonNullable<AlsoHidden['keys']>): Hiding {
  const keys = listsOf(values).map((list) => list.slice(0, draft.keyTokens.length));
  const [hides, is] = oneMeans === 'visible' ? (['zero', '0'] as const) : (['one', '1'] as const);
  addStep(draft, {
    ...inputOf(H_k, 'H_k'), ...grid, id: 'keyMask', call: { op: 'listMask', hides, keys }, shape: shapeFor(draft, keys),
    formula: formula`${ij(H_k)} = [\,k_j = ${is}\,]`,
  }); // prettier-ignore
  return { id: 'keyMask', symbol: H_k };
}

function planSegments(draft: Draft, grid: Grid, of: NonNullable<AlsoHidden['segments']>): Hiding {
  const { decoded: first = 0 } = draft;
  const queries = listsOf(of.queries).map((list) => list.slice(first, first + draft.tokens.length));
  const keys = listsOf(of.keys ?? of.queries).map((list) => list.slice(0, draft.keyTokens.length));
  const shape = shapeFor(draft, queries.length > 1 ? queries : keys);
  addStep(draft, {
    ...inputOf(H_s, 'H_s'), ...grid, id: 'segmentMask', call: { op: 'listMask', hides: 'unequal', queries, keys }, shape,
    formula: formula`${ij(H_s)} = [\,s_i \ne s_j\,]`,
  }); // prettier-ignore
  return { id: 'segmentMask', symbol: H_s };
}

/** n×m where all inputs have the same list, else the shape of the scores. */
const shapeFor = (draft: Draft, lists: readonly (readonly number[])[]): readonly number[] =>
  inputsOf(lists) > 1 ? stepOf(draft, 'scores').shape : [draft.tokens.length, draft.keyTokens.length];

/** What hides a key by any of the masks; the one mask where there is no other. */
function jointOf(draft: Draft, grid: Grid, masks: readonly Hiding[]): Hiding {
  const [only, second] = masks;
  if (!only) throw new Error('nothing hides a key');
  if (!second) return only;
  // The first has all leading dimensions: it gives the shape.
  const ranked = [...masks].sort((a, b) => rankOf(draft, b) - rankOf(draft, a));
  addStep(draft, {
    ...grid, id: 'jointMask', symbol: JOINT, unicode: 'Ĥ', kind: 'mask', call: { op: 'anyHidden' }, operands: ranked.map(({ id }) => id),
  }); // prettier-ignore
  return { id: 'jointMask', symbol: JOINT };
}

const rankOf = (draft: Draft, { id }: Hiding): number => stepOf(draft, id).shape.length;

function fillOf(draft: Draft): { fill: number; latex: string } {
  const { spec } = draft;
  if (spec.weighting?.by === 'linear') return { fill: 0, latex: '0' };
  if (spec.maskFill === '-inf') return { fill: -Infinity, latex: '-\\infty' };
  if (spec.maskFill === 'min') return { fill: -largestOf[spec.dtype], latex: '\\min' };
  const fill = scalarOf(draft, spec.maskFill);
  return { fill, latex: latexNumber(fill) };
}

function planMaskValues(draft: Draft, mask: Exclude<Mask, 'none'>, grid: Grid): void {
  const [n, m] = [draft.tokens.length, draft.keyTokens.length];
  const row = { id: 'mask', place: 'input', ...grid } as const;
  if (typeof mask === 'object' && (mask.kind === 'boolean' || mask.kind === 'additive')) {
    const dims = dimsOf(mask.values);
    const shape = maskShape(dims, scoresDims(draft.spec)) ?? dims;
    const additive = mask.kind === 'additive';
    const call = additive
      ? ({ op: 'given', path: 'mask.values' } as const)
      : ({ op: 'givenMask', path: 'mask.values', hiddenIs: mask.trueMeans === 'hidden' ? 1 : 0 } as const);
    const kind = additive ? 'signed' : 'mask';
    const of = additive ? B : H;
    const given = {
      ...row,
      symbol: of,
      unicode: additive ? 'B' : 'H',
      kind,
      shape,
    } as const;
    if (draft.decoded === undefined) addStep(draft, { ...given, call });
    else {
      addStep(draft, { ...given, id: 'wholeMask', call, rows: undefined, columns: undefined });
      cutMask(draft, given);
    }
    return;
  }
  const pattern = patternOf(mask, n, m, placesOf(draft).ahead);
  const call = { op: 'patternMask', after: pattern.after, before: pattern.before, visible: pattern.visible } as const;
  const shown = formula`${ij(H)} = [\,${pattern.latex}\,]`;
  addStep(draft, { ...row, symbol: H, unicode: 'H', kind: 'mask', call, shape: [n, m], formula: shown });
}

interface Pattern {
  readonly after: number;
  readonly before: number;
  readonly visible: number;
  readonly latex: string;
}

/**
 * Hidden where j − i > after, i − j > before or j ≥ visible. Query 0 stands `ahead` of key 0; with m ≠ n, `end` aligns the last query with the last key.
 */
function patternOf(mask: Exclude<Mask, 'none'>, n: number, m: number, ahead: number): Pattern {
  const open = { after: m, before: n, visible: m };
  if (mask === 'causal' || mask.kind === 'causal') {
    const after = mask !== 'causal' && mask.alignment === 'end' ? m - n : ahead;
    return { ...open, after, latex: after === 0 ? 'j > i' : `j > i + (${after})` };
  }
  if (mask.kind === 'padding') return { ...open, visible: mask.visible, latex: `j \\ge ${mask.visible}` };
  if (mask.kind !== 'window') throw new Error('boolean and additive masks have no pattern');
  const reach = reachOf(mask);
  const [after, before] = [(mask.causal ? 0 : reach) + ahead, reach - ahead];
  return { ...open, after, before, latex: `i - j > ${before} \\lor j - i > ${after}` };
}

/** A cell, `M_{ij}`. */
export const ij = (of: Symbol): Expression => cell(of, 'i', 'j');
