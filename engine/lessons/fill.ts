import { t, fail, type Problem, type Result } from '../text';
import { formatShape } from '../math';
import { encodeNumber } from '../spec';
import type { AttentionTrace } from '../run';
import { tracesFor, type Blocks } from './answer';
import { cellsOf, indexIn, stepNamed } from './quantity';

/** Digits after the point of cells in a lesson's figures. A number that a question gives has no fewer, whatever it asks for. */
export const figureDigits = 3;

export interface Filled {
  readonly text: string;
  readonly problems: readonly Problem[];
}

// {{weights[1,0]}}, {{weights[1]}}, {{weights}}, {{other:weights[1,0] 6}}
const figure = /\{\{ ?(?:([\w-]{1,40}):)?([A-Za-z]\w{0,39})(?:\[(\d{1,6}(?:,\d{1,6}){0,3})\])?(?: (\d{1,2}))? ?\}\}/g;

/**
 * Replaces placeholders in a lesson's text by computed figures: `{{weights[1,0]}}` is a cell, `{{weights[1]}}` a row, `{{weights}}` the shape
 * of a step, `{{other:weights[1,0] 6}}` a cell of another block with six digits. `about` is the default block. Problems have ranges in this
 * text.
 */
export function fillIn(text: string, lesson: Blocks, about?: string): Filled {
  const problems: Problem[] = [];
  const filled = text.replace(figure, (whole, id: string | undefined, step: string, at: string | undefined, digits: string | undefined, offset: number) => {
    const trace = tracesFor(about === undefined ? {} : { about }, lesson)(id);
    const found = trace.ok ? figureOf(trace.value, step, at, Number(digits ?? 4)) : trace;
    if (found.ok) return found.value;
    problems.push(...found.problems.map((p) => ({ ...p, range: { start: offset, end: offset + whole.length } })));
    return whole;
  }); // prettier-ignore
  return { text: filled, problems };
}

function figureOf(trace: AttentionTrace, id: string, at: string | undefined, digits: number): Result<string> {
  const step = stepNamed(trace, id);
  if (!step.ok) return step;
  if (digits > 12) return fail({ code: 'field', message: t('{0} digits: at most 12', digits) });
  if (at === undefined) return { ok: true, value: formatShape(step.value.shape) };
  const index = at.split(',').map(Number);
  if (index.length > 1) {
    const cell = indexIn(step.value, index);
    return cell.ok ? { ok: true, value: showNumber(trace.value(id, cell.value), digits) } : cell;
  }
  const row = cellsOf(trace, { step: id, row: index[0] ?? 0 });
  if (!row.ok) return row;
  return { ok: true, value: row.value.map((c) => showNumber(c.value, digits)).join('  ') };
}

/** A number for display with `digits` after the point; integers have none, and numbers that would be shown as zero get an exponent. */
export function showNumber(x: number, digits: number): string {
  if (!Number.isFinite(x)) return String(encodeNumber(x)).replace('inf', '∞').replace('-', '−');
  if (Number.isInteger(x) && Math.abs(x) < 1e15) return String(x).replace('-', '−');
  const fixed = x.toFixed(digits);
  return (Number(fixed) === 0 ? x.toExponential(2) : fixed).replace(/-/g, '−');
}
