/** Finds the lines of attention code that have a shape, and compares it with a shape stated in a comment. */
import { formatShape, isKnownShape, type Shape } from '../../../engine/program/tensor/dims';
import type { Program } from '../../../engine/program/program';
import { shapeText, tensorOf, whyOf } from '../../../engine/program/places/describe';
import type { Seen, Snapshot } from '../../../engine/program/machine/seen';
import { rangeOf } from '../../../engine/program/syntax/source';
import { neverTensors } from './plain';
import { computingLines } from './scan';
import type { Cell } from './cells';

export interface LineShape {
  readonly line: number;
  /** `other`: known, but not a tensor. `unreached`: the interpreter did not reach the line. */
  readonly is: 'shape' | 'other' | 'unknown' | 'unreached';
  readonly text: string;
  readonly why?: string;
  /** Both shapes, if a comment states another number of axes or another size than ours. Such lines are inspected by eye. */
  readonly disagrees?: string;
}

/** The shapes that the editor shows at each line, for a program that was read with `watch`. */
export function lineShapes(program: Program, text: string, cell: Cell): readonly LineShape[] {
  const starts = computingLines(cell).map((start) => start + cell.start);
  const plain = neverTensors(program, text);
  const seen = [...program.seen.values()].map((one) => ({ seen: one, ...rangeOf(one.source, one.place) }));
  return starts.map((start) => {
    const end = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
    const line = text.slice(0, start).split('\n').length;
    const whole = text.slice(start, end);
    const here = seen.filter((one) => one.start >= start && one.start < end);
    const state = stateOf(here, whole);
    const is = state.is !== 'shape' && plain.has(line) ? 'other' : state.is;
    return { line, text: whole.trim(), ...state, is };
  });
}

interface Here {
  readonly seen: Seen;
  readonly start: number;
  readonly end: number;
}

/** The expression whose shape counts: the names of an assignment, or the longest expression of a return. */
function stateOf(here: readonly Here[], text: string): Omit<LineShape, 'line' | 'text'> {
  const bound = here.filter(({ seen }) => seen.is === 'bound');
  const [longest] = [...here].sort((a, b) => b.end - b.start - (a.end - a.start));
  const of = bound.length > 0 ? bound : longest ? [longest] : [];
  const shown = of.filter(({ seen }) => shapeText(seen.snapshot) !== undefined);
  const [first] = shown;
  if (first) {
    const shape = tensorOf(first.seen.snapshot)?.node.shape;
    return { is: 'shape', ...disagreement(text, of.length === 1 ? shape : undefined) };
  }
  if (of.length === 0) return { is: 'unreached' };
  const open = of.find(({ seen }) => whyOf(seen.snapshot) && !isSize(seen.snapshot));
  const why = open && whyOf(open.seen.snapshot)?.text;
  return open ? { is: 'unknown', ...(why !== undefined && { why }) } : { is: 'other' };
}

const isSize = (snapshot: Snapshot): boolean => snapshot.kind === 'plain' && snapshot.value.kind === 'symbol';

/** A shape stated in a comment, as in `# (B, nh, T, hs)` or `# [batch, seq, dim]`. */
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
