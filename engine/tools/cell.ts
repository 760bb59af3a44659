import { printCell } from '../write';
import { fail, ok, t } from '../text';
import type { AttentionTrace } from '../run';
import { attentionOf, lines, noteLines, sourceOf, traceOf } from './reading';
import type { Input, Lines, ToolHost } from './tool';

export async function explainCellOf(input: Input, host: ToolHost): Promise<Lines> {
  const source = await sourceOf(input, host);
  if (!source.ok) return source;
  const read = await attentionOf(source.value, input, host);
  if (!read.ok) return read;
  const trace = await traceOf(read.value.spec, host);
  if (!trace.ok) return trace;
  const notes = noteLines([...read.value.notes, ...trace.value.plan.notes.map(({ message }) => message)]);
  const { cell, digits = 6 } = input;
  if (cell === undefined) return lines(...stepLines(trace.value), ...notes);
  const made = cellLines(trace.value, String(cell), Number(digits));
  return made.ok ? ok([...made.value, ...notes]) : made;
}

/** Each step as `weights  2×3  A = softmax(S)  Weights`. */
const stepLines = (trace: AttentionTrace): readonly string[] => [
  t('Steps, each with its shape; the cell weights[1,0] is row 1, column 0 of the step weights:'),
  ...trace.plan.steps.map(({ id, shape, symbol, words }) => `${id}  ${shape.join('×')}  ${symbol}  ${words.name}`),
];

function cellLines(trace: AttentionTrace, asked: string, digits: number): Lines {
  const [, id = '', list = ''] = /^\s*([\w.]+)\s*\[([\d,\s]+)\]\s*$/.exec(asked) ?? [];
  const step = trace.plan.steps.find((one) => one.id === id);
  if (!step) {
    const known = trace.plan.steps.map((one) => one.id).join(', ');
    return fail({ code: 'cell', message: t('no step {0}; the steps are {1}', asked, known) });
  }
  const index = list.split(',').map(Number);
  const shape = step.shape;
  const lead = shape.slice(0, shape.length - index.length);
  const fits = index.length <= shape.length && index.every((i, d) => i < (shape[lead.length + d] ?? 0));
  if (!fits || lead.some((size) => size !== 1))
    return fail({
      code: 'cell',
      message: t('{0} is outside of {1}', asked, shape.join('×')),
      hint: t('An index from 0 for each of its {0} dimensions is expected.', shape.length),
    });
  return ok(printCell(trace, id, [...lead.map(() => 0), ...index], digits).split('\n'));
}
