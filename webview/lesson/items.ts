import { fillIn, traceOfBlock, type Lesson, type LessonBlock } from '../../engine/index';
import { h } from '../draw';
import { askedShapes, examShapes, isAsked, isWithheld, predictedBy } from './withheld-steps';
import { createFigure, type Figure } from './figure';
import { renderMarkdown } from './markdown';
import type { Item } from './pages';
import type { Attempt } from '../lesson-protocol';
import { createQuestion, type QuestionView } from './question';
import { words } from './words';

export interface Drawing {
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly drafts: Readonly<Record<string, unknown>>;
  /** Whether the lesson is an exam: nothing shows what is right. */
  readonly exam: boolean;
  /** Whether the teacher's notes are shown. */
  readonly notes: boolean;
  readonly onLink: (href: string) => void;
  readonly onDraft: (question: string, response: unknown) => void;
  readonly onAttempt: (question: string, change: Partial<Attempt>) => void;
  readonly onShow?: (block: LessonBlock) => void;
}

/** The DOM nodes of a page's items. */
export interface DrawnItems {
  readonly nodes: readonly Node[];
  /** Updates figures and questions, after an answer (which reveals hidden values) or a change of theme. */
  redraw(): void;
}

export function itemsOf(items: readonly Item[], lesson: Lesson, drawing: Drawing): DrawnItems {
  const figures: Figure[] = [];
  const questions: QuestionView[] = [];
  const top = 2 - (highestHeading(items) - 1);
  const nodes = items.flatMap((item): Node[] => {
    if (item.kind === 'block') return figureNodes(item.block, lesson, drawing, figures);
    if (item.kind === 'question') {
      const view = questionView(item.question.id, lesson, drawing);
      if (view) questions.push(view);
      return view ? [view.element] : [];
    }
    if (item.kind === 'note' && !drawing.notes) return [];
    const text = fillIn(item.text, lesson, item.about).text;
    const prose = renderMarkdown(text, { onLink: drawing.onLink, top: item.kind === 'note' ? 3 : top });
    if (item.kind === 'prose') return [h('div', { class: 'prose' }, prose)];
    return [h('aside', { class: 'note', 'aria-label': words.note }, prose)];
  });
  return {
    nodes,
    redraw() {
      for (const figure of figures) figure.update();
      for (const view of questions) view.redraw();
    },
  };
}

/**
 * The highest heading level on a page, 1 if it has none. Levels are shifted by it, so that the page's headings begin right below the lesson's
 * title.
 */
function highestHeading(items: readonly Item[]): number {
  const levels = items.flatMap((item) => {
    if (item.kind !== 'prose') return [];
    return [...item.text.matchAll(/^ {0,3}(#{1,6})[ \t]/gm)].map(([, marks = '']) => marks.length);
  });
  return levels.length ? Math.min(...levels) : 1;
}

/** Which cells of a block are kept back now: in an exam all that some question asks for. */
const keptBack = (lesson: Lesson, { exam, attempts }: Drawing, block: string): ReturnType<typeof isAsked> =>
  exam ? isWithheld(lesson, block) : isAsked(lesson, attempts, block);

/** A block that cannot be computed is left out: the list of the lesson's problems says why. */
function figureNodes(block: LessonBlock, lesson: Lesson, drawing: Drawing, figures: Figure[]): Node[] {
  const trace = traceOfBlock(block);
  if (!trace.ok) return [];
  const { onShow } = drawing;
  const figure = createFigure({
    block,
    trace: trace.value,
    asked: () => keptBack(lesson, drawing, block.id),
    askedShapes: () => (drawing.exam ? examShapes(lesson, block.id) : askedShapes(lesson, drawing.attempts, block.id)),
    predictedBy: (step) => (drawing.exam ? undefined : predictedBy(lesson, drawing.attempts, block)(step)),
    exam: drawing.exam,
    ...(onShow ? { onShow: () => onShow(block) } : {}),
  });
  figures.push(figure);
  return [figure.element];
}

function questionView(id: string, lesson: Lesson, drawing: Drawing): QuestionView | undefined {
  const number = lesson.questions.findIndex((q) => q.id === id) + 1;
  const question = lesson.questions[number - 1];
  if (!question) return undefined;
  return createQuestion({
    question,
    lesson,
    number,
    attempt: drawing.attempts.get(id),
    draft: drawing.drafts[id],
    links: { onLink: drawing.onLink },
    asked: () => keptBack(lesson, drawing, question.about ?? ''),
    exam: drawing.exam,
    onDraft: (response) => drawing.onDraft(id, response),
    onAttempt: (change) => drawing.onAttempt(id, change),
  });
}
