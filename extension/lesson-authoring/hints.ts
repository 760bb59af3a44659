import { answerOf, formatShape, mark, settingFields, showNumber, waysOf, type Answer, type Step, type TextRange } from '../../engine/index'; // prettier-ignore
import { cursorIn, type JsonCursor } from './cursor';
import { ownWords } from './completions';
import { contextOf, fenceAt, infoWordAt, stepsAt, stepsOf, type FenceContext, type Fence } from './block-at';
import type { Translate } from './read';
import { blockRoot, questionRoot, schemasAt, specField } from './schema';

/** The content of a hover, as plain lines. */
export interface Hint {
  readonly title: string;
  readonly lines: readonly string[];
  readonly range: TextRange;
}

/** The hover at an offset of a lesson: what a field means, a step with its shape, or the computed answer of a question. */
export function hintAt(text: string, at: number, t: Translate): Hint | undefined {
  const fence = fenceAt(text, at);
  if (!fence) return undefined;
  const around = contextOf(text, fence);
  if (at <= fence.info.end) return openingHint(text, at, fence, around, t);
  const cursor = at < fence.body.end ? cursorIn(text, fence.body, at) : undefined;
  return cursor && cursor.word !== '' ? jsonHint(cursor, fence, around, t) : undefined;
}

function openingHint(text: string, at: number, fence: Fence, around: FenceContext, t: Translate): Hint | undefined {
  const line = { start: fence.range.start, end: fence.info.end };
  if (fence.language === 'attention-question') return answerHint(around, line, t);
  const word = infoWordAt(text, fence, at);
  if (!word || word.name === '') return blockHint(around, line, t);
  const step = word.name === 'step' ? stepsOf(around.block).find((s) => s.id === word.value) : undefined;
  if (step) return stepHint(step, word);
  const said = ownWords(t)[word.name] ?? (settingFields.includes(word.name.split('.')[0] ?? '') ? specField(word.name)[0]?.schema.description : undefined);
  return said === undefined ? undefined : { title: word.name, lines: [said], range: word };
} // prettier-ignore

function blockHint({ block }: FenceContext, range: TextRange, t: Translate): Hint | undefined {
  const steps = stepsOf(block);
  if (!block || !steps.length) return undefined;
  const shapes = steps.map((s) => `${s.id} ${formatShape(s.shape)}`).join(' · ');
  return { title: t('Block {0}', block.id), lines: [...block.notes, shapes], range };
}

const stepHint = (step: Step, { start, end }: TextRange): Hint => ({
  title: `${step.id} ${formatShape(step.shape)}`,
  lines: [`${step.words.name}: ${step.words.question}`, step.shapes],
  range: { start, end },
});

function jsonHint(cursor: JsonCursor, fence: Fence, around: FenceContext, t: Translate): Hint | undefined {
  const { range, word } = cursor;
  const name = word.replace(/^"|"$/g, '');
  if (fence.language === 'attention-question') {
    const way = wayAt(cursor);
    if (way !== undefined && cursor.what === 'key' && (name === 'kind' || name === 'prompt')) {
      const question = around.question && waysOf(around.question)[way];
      const answer = question && answerHint({ ...around, question }, range, t);
      if (answer) return answer;
    }
    const step = cursor.what === 'value' ? stepsAt(around, cursor, fence).find((s) => s.id === name) : undefined;
    if (step && word.startsWith('"')) return stepHint(step, range);
  }
  if (cursor.what !== 'key') return undefined;
  const frames = cursor.frames.map((f, i) => (i === cursor.frames.length - 1 ? { ...f, key: name } : f));
  const root = fence.language === 'attention' ? blockRoot : questionRoot;
  const said = schemasAt(root, frames, false).find((l) => l.schema.description !== undefined)?.schema.description;
  return said === undefined ? undefined : { title: name, lines: [said], range };
}

/** The way to ask a question in whose fields the cursor is: 0 in its own, 1 in the first of `or`. */
function wayAt({ frames: [outer, list, ...inner] }: JsonCursor): number | undefined {
  if (!list) return 0;
  return outer?.key === 'or' && inner.length === 1 && typeof list.key === 'number' ? list.key + 1 : undefined;
}

/** The computed answer and its arithmetic, for the teacher. */
function answerHint({ question, lesson }: FenceContext, range: TextRange, t: Translate): Hint | undefined {
  const answer = question && answerOf(question, lesson);
  if (!question || !answer?.ok) return undefined;
  const marked = mark(question, lesson, null);
  const arithmetic = marked.ok ? marked.value.arithmetic.slice(0, 6) : [];
  return { title: t('Answer of {0}', question.id), lines: [answerText(answer.value), ...arithmetic], range };
}

function answerText(answer: Answer): string {
  switch (answer.kind) {
    case 'number':
      return `${showNumber(answer.value, answer.digits)} ± ${answer.tolerance}`;
    case 'shape':
      return formatShape(answer.shape);
    case 'matrix':
      return answer.cells.map((c) => `[${c.index.join(',')}] ${showNumber(c.value, answer.digits)}`).join(', ');
    case 'pick-cell':
      return `[${answer.cell.join(',')}], ${showNumber(answer.value, 6)}`;
    case 'order-steps':
      return answer.order.join(' → ');
    case 'choose':
    case 'find-wrong-step':
      return answer.options[answer.index] ?? '';
    case 'several':
      return answer.indices.map((i) => answer.options[i]).join('; ');
    case 'text':
      return '';
  }
}
