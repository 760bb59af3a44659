import {
  blockBefore,
  decodeNumber,
  digitsOf,
  fillIn,
  traceOfBlock,
  type Lesson,
  type Question,
} from '../../engine/index';
import { escapeHtml, numbersTable } from './markup';
import { matrixOf } from './preview-block';
import type { Translate } from './read';

/** A question as static HTML, as on paper: the prompt, space for the answer, hints. The HTML does not contain the answer. */
export function questionHtml(question: Question, lesson: Lesson, { t, formula }: Words): string {
  const text = (s: string): string => inline(fillIn(s, lesson, question.about).text, formula);
  const head = `<div style="opacity:.75">${escapeHtml(t('Question {0}', question.id))}</div>`;
  const hints = (lesson.exam ? [] : (question.hints ?? [])).map((hint, i) => `<details><summary>${escapeHtml(t('Hint {0}', i + 1))}</summary>${text(hint)}</details>`);
  return `${head}<p><b>${text(question.prompt)}</b></p>${answerSpace(question, lesson, text, t)}${hints.join('')}`;
} // prettier-ignore

interface Words {
  readonly t: Translate;
  /** LaTeX as HTML. */
  readonly formula: (latex: string) => string;
}

// `code`, and $formulas$ by the same rule as in the lesson's page: no blank inside the dollar signs, no digit after them. At most 1000 characters
// each.
const spans = /(`[^`\n]{1,1000}`|\$(?![\s$])[^$\n]{0,999}[^\s\\$]\$(?!\d))/;

/** A text of a question as HTML: formulas are typeset, code is marked, everything else is escaped. */
const inline = (text: string, formula: Words['formula']): string =>
  text
    .split(spans)
    .map((part, i) => {
      if (i % 2 === 0) return escapeHtml(part);
      return part.startsWith('$')
        ? formula(withoutTags(part.slice(1, -1)))
        : `<code>${escapeHtml(part.slice(1, -1))}</code>`;
    })
    .join('');

/** A formula without angle brackets, because the preview's Markdown would read them as HTML. */
const withoutTags = (latex: string): string => latex.replaceAll('<', '\\lt ').replaceAll('>', '\\gt ');

type Fill = (text: string) => string;

const line = (t: Translate, what: string): string =>
  `<p>${escapeHtml(t('Answer'))}: <span style="display:inline-block;min-width:8em;border-bottom:1px solid currentColor">&nbsp;</span> <span style="opacity:.75">${escapeHtml(what)}</span></p>`;

function answerSpace(q: Question, lesson: Lesson, text: Fill, t: Translate): string {
  switch (q.kind) {
    case 'choose':
      return 'options' in q ? list(q.options.map((o) => text(o.text))) : line(t, t('a token'));
    case 'find-wrong-step':
      return list(q.steps.map((s) => text(s.text)));
    // Sorted by name, because the order in the file may be the answer.
    case 'order-steps':
      return `<p>${[...q.steps].sort().map((s) => `<code>${escapeHtml(s)}</code>`).join(' · ')}</p>`;
    case 'number':
      return line(t, digitsOf(q) ? t('{0} digits after the point', digitsOf(q)) : t('a whole number'));
    case 'shape':
      return line(t, t('rows × columns'));
    case 'matrix':
      return blanks(q, lesson, t);
    case 'pick-cell':
      return 'claimed' in q ? claimed(q.claimed) : line(t, t('row, column'));
    case 'text':
      return line(t, t('a text'));
  }
} // prettier-ignore

const list = (items: readonly string[]): string => `<ol>${items.map((item) => `<li>${item}</li>`).join('')}</ol>`;

/** The step's matrix with the asked cells empty; for a large matrix only the names of the cells. */
function blanks(q: Extract<Question, { kind: 'matrix' }>, lesson: Lesson, t: Translate): string {
  const block = lesson.blocks.find((b) => b.id === q.about);
  const trace = block && traceOfBlock(block);
  const step = trace?.ok ? trace.value.plan.steps.find((s) => s.id === q.step) : undefined;
  if (!trace?.ok || !step || step.shape.length > 2 || Math.max(...step.shape) > 8)
    return line(t, q.cells.map((c) => `${q.step}[${c.join(',')}]`).join(', '));
  const asked = (i: number, j: number): boolean => q.cells.some((c) => c.at(-2) === i && c.at(-1) === j);
  const matrix = matrixOf(trace.value, step);
  // The asked values must not influence the colours of the others.
  const values = matrix.values.map((v, at) => (asked(Math.floor(at / matrix.columns), at % matrix.columns) ? 0 : v));
  const write = (value: number, i: number, j: number): string | undefined => (asked(i, j) ? undefined : value.toFixed(Math.min(3, digitsOf(q))));
  return numbersTable({ ...matrix, values }, { write });
} // prettier-ignore

function claimed(rows: Extract<Question, { claimed: unknown }>['claimed']): string {
  const values = rows.flatMap((row) => row.map(decodeNumber));
  const write = (_: number, i: number, j: number): string => String(rows[i]?.[j] ?? '');
  const matrix = { rows: rows.length, columns: rows[0]?.length ?? 0, values, rowLabels: [], columnLabels: [] };
  return numbersTable(matrix, { write });
}

/** A text with its placeholders `{{…}}` filled from the last block before an offset. */
export const figuresAt = (text: string, lesson: Lesson, offset: number): string => {
  const after = lesson.parts.findIndex((p) => p.kind === 'prose' && p.range.end > offset);
  return fillIn(text, lesson, blockBefore(lesson, after < 0 ? lesson.parts.length : after)).text;
};
