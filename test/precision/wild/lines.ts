/** Which lines of attention code have a shape, and whether comments that state one agree. */
import { formatShape, isKnownShape, type Program, type Shape } from '../../../engine/program/index';
import { computingLines } from './scan';
import type { Cell } from './cells';

export interface LineShape {
  readonly line: number;
  /** `other`: known, and no tensor. `unreached`: the interpreter did not come there. */
  readonly is: 'shape' | 'other' | 'unknown' | 'unreached';
  readonly text: string;
  readonly why?: string;
  /** What a comment says, where the number of axes is another than ours: to be looked at. */
  readonly disagrees?: string;
}

export function lineShapes(program: Program, text: string, cell: Cell): readonly LineShape[] {
  const starts = computingLines(cell).map((start) => start + cell.start);
  return starts.map((start, i) => {
    const next = starts[i + 1] ?? cell.end;
    const end = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
    const line = text.slice(0, start).split('\n').length;
    return { line, text: text.slice(start, end).trim(), ...stateOf(program, start, next, text.slice(start, end)) };
  });
}

function stateOf(program: Program, start: number, next: number, text: string): Omit<LineShape, 'line' | 'text'> {
  const bound = program.bindings.filter(({ range }) => range.start >= start && range.start < next);
  const nodes = program.graph.nodes.filter(({ range }) => range.start >= start && range.start < next);
  const shapes = bound.flatMap(({ node }) => (node ? [node.shape] : []));
  // What a layer computes within is no shape of the line's name.
  const known =
    bound.length > 0
      ? shapes.find((shape) => shape !== undefined)
      : nodes.findLast(({ shape }) => shape !== undefined)?.shape;
  if (known) return { is: 'shape', ...disagreement(text, shapes.length === 1 || !bound.length ? known : undefined) };
  if (bound.length > 0) {
    const unknown = bound.find(({ value }) => value.kind === 'unknown' || value.kind === 'tensor');
    if (!unknown) return { is: 'other' };
    const why = unknown.value.kind === 'unknown' ? unknown.value.cause.text : unknown.node?.why?.text;
    return { is: 'unknown', ...(why === undefined ? {} : { why }) };
  }
  return nodes.length > 0
    ? { is: 'unknown', ...(nodes[0]?.why ? { why: nodes[0].why.text } : {}) }
    : { is: 'unreached' };
}

/** `# (B, nh, T, hs)`, `# [batch, seq, dim]`, `# B x T x C`. */
const stated = /#[^([\n]*[([]([\w*/+. -]+(?:\s*[,×]\s*[\w*/+. -]+)+)[)\]]\s*$/;

function disagreement(text: string, shape: Shape | undefined): { disagrees?: string } {
  const axes = stated.exec(text)?.[1]?.split(/[,×]/);
  if (!axes || !shape) return {};
  const numbers = axes.map((axis) => (/^\s*\d+\s*$/.test(axis) ? Number(axis) : undefined));
  const same =
    axes.length === shape.length &&
    numbers.every((n, i) => n === undefined || typeof shape[i] !== 'number' || shape[i] === n);
  return same
    ? {}
    : { disagrees: `${formatShape(shape)} beside ${axes.join(',')}${isKnownShape(shape) ? '' : ' (symbols)'}` };
}
