/** Which attention of a program is meant by a place in its text. */
import { t, type TextRange } from '../../text';
import type { Graph, Node } from '../tensor';
import { gridOf, isSample, lastOf, type Attention } from '../recognise';

export interface Listed {
  readonly attention: Attention;
  /** `lines 10–24: 6×6, 2 heads, masked`. */
  readonly label: string;
  /** From the first to the last line of its steps, from 1. */
  readonly lines: readonly [first: number, last: number];
  /** The softmax. */
  readonly range: TextRange;
}

/** Where a notebook's cell begins in the program, and its number from 1. */
export interface CellStart {
  readonly start: number;
  readonly number: number;
}

export const listed = (
  text: string,
  attentions: readonly Attention[],
  cells: readonly CellStart[] = [],
  pathOf: (attention: Attention) => string | undefined = () => undefined,
): readonly Listed[] => {
  const all = attentions.map((attention) => {
    const lines = linesOf(text, attention);
    return {
      attention,
      lines,
      label: labelOf(attention, placeOf(text, lines, cells)),
      range: attention.site.weights.range,
    };
  });
  const times = new Map<string, number>();
  for (const { label } of all) times.set(label, (times.get(label) ?? 0) + 1);
  return all.map((one) => {
    const path = (times.get(one.label) ?? 0) > 1 ? pathOf(one.attention) : undefined;
    return path === undefined ? one : { ...one, label: t('{0}, {1}', path, one.label) };
  });
};

function labelOf(attention: Attention, place: string): string {
  const { site: { weights }, heads, parts } = attention; // prettier-ignore
  const grid = gridOf(attention, weights.shape);
  const many = heads !== undefined && heads > 1 ? t('{0} heads', heads) : t('one head');
  const masked = parts.masked ? t('masked') : t('no mask');
  const label = t('{0}: {1}, {2}, {3}', place, grid, many, masked);
  return isSample(attention) ? t('{0} (stand-in sizes)', label) : label;
}

/** Lines in words; of a notebook those of its cells. */
function placeOf(text: string, [first, last]: readonly [number, number], cells: readonly CellStart[]): string {
  if (cells.length === 0) return t('lines {0} to {1}', first, last);
  const [from, to] = [inCell(text, first, cells), inCell(text, last, cells)];
  if (from.cell !== to.cell) return t('cell {0}, line {1} to cell {2}, line {3}', from.cell, from.line, to.cell, to.line); // prettier-ignore
  return from.line === to.line
    ? t('cell {0}, line {1}', from.cell, from.line)
    : t('cell {0}, lines {1} to {2}', from.cell, from.line, to.line);
}

/** A line of the program as one of its cell; without cells the program is one. */
export function inCell(
  text: string,
  line: number,
  cells: readonly CellStart[],
): { readonly cell: number; readonly line: number } {
  const own = cells.map(({ start, number }) => ({ number, above: lineAt(text, start) - 1 })).findLast(({ above }) => above < line); // prettier-ignore
  return { cell: own?.number ?? 1, line: line - (own?.above ?? 0) };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function linesOf(text: string, { parts, last }: Attention): readonly [number, number] {
  const inner = [parts.scores, parts.scaled, parts.masked, parts.weights, last].flatMap((node) => node ?? []);
  const lines = inner.map(({ range }) => lineAt(text, range.start));
  return [Math.min(...lines), Math.max(...lines)];
}

/**
 * The attention at a place: of those that have a step on its lines, or stand in the same function, or are called from there, the last one reached.
 * Undefined where none is.
 */
export function chosen(
  text: string,
  graph: Graph,
  attentions: readonly Attention[],
  at: TextRange,
): Attention | undefined {
  const lines = wholeLines(text, at);
  const scope = scopeAround(text, at.start);
  const wanted = [lines, ...(scope ? [scope] : [])];
  for (const range of wanted) {
    const found = attentions.filter((attention) =>
      nodesOf(graph, attention).some((node) => touches(node.range, range)),
    );
    if (found.length > 0) return lastOf(found);
  }
  for (const range of wanted) {
    const called = attentions.filter(({ site }) => site.weights.stack.some((call) => touches(call, range)));
    if (called.length > 0) return lastOf(called);
  }
  const made = attentions.filter((attention) => layersOf(attention).some((of) => touches(of, lines)));
  return lastOf(made) ?? lastOf(calledByName(text, attentions, lines));
}

/** Those that a later line calls by a name that these lines bind: `layer = nn.MultiheadAttention(8, 2)`, whose weights were replaced since. */
function calledByName(text: string, attentions: readonly Attention[], lines: TextRange): readonly Attention[] {
  const names = new Set([...text.slice(lines.start, lines.end).matchAll(/^[ \t]*([A-Za-z_]\w*)[ \t]*=(?!=)/gm)].map(([, name]) => name)); // prettier-ignore
  const isCalled = ({ start, end }: TextRange): boolean => start >= lines.end && names.has(/^[A-Za-z_]\w*(?=\s*\()/.exec(text.slice(start, end))?.[0]); // prettier-ignore
  return names.size === 0
    ? []
    : attentions.filter(({ site: { weights } }) => [weights.range, ...weights.stack].some(isCalled));
}

/** Where the layers of an attention are made: `mha = MultiHeadAttention(64, 8)`, which a later line calls. */
const layersOf = ({ parts: { wq, wk, wv, wo } }: Attention): readonly TextRange[] =>
  [wq, wk, wv, wo].flatMap((node) => (node ? [node.range, ...node.stack] : []));

const touches = (a: TextRange, b: TextRange): boolean => a.start < b.end && b.start < a.end;

function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const last = text.indexOf('\n', Math.max(start, end - 1));
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: last < 0 ? text.length : last + 1 };
}

/** From the starts of the walk to its end, weights and biases of layers included. */
export function nodesOf({ nodes }: Graph, { starts, last, site }: Attention): readonly Node[] {
  const first = Math.min(...starts.map(({ id }) => id), site.weights.id);
  const needed = new Set<Node>([last]);
  for (let id = last.id; id >= first; id--) {
    const node = nodes[id];
    if (node && needed.has(node)) for (const operand of node.operands) needed.add(operand);
  }
  return [...needed];
}

/** The lines of the outermost `def` or `class` in which an offset stands. */
function scopeAround(text: string, offset: number): TextRange | undefined {
  const heads = /^(?:async[ \t]+)?(?:def|class)\b/gm;
  let start = -1;
  for (const { index } of text.matchAll(heads)) if (index <= offset) start = index;
  if (start < 0) return undefined;
  const next = /^[^\s#)\]}]/gm;
  next.lastIndex = text.indexOf('\n', start) + 1;
  const end = next.lastIndex > 0 ? (next.exec(text)?.index ?? text.length) : text.length;
  return offset < end ? { start, end } : undefined;
}
