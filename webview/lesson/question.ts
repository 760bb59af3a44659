import {
  answerOf,
  fillIn,
  mark,
  traceOfBlock,
  type Answer,
  type AttentionTrace,
  type Lesson,
  type Question,
  type StudentResponse,
} from '../../engine/index';
import { h, scrollTo, setDisabled, setText, typeset } from '../draw';
import { createControl, type Asking, type Control } from './control/index';
import { renderInline, renderMarkdown, type MarkdownOptions } from './markdown';
import { totalOf, type Attempt } from '../lesson-protocol';
import { words } from './words';

export interface QuestionOptions {
  readonly question: Question;
  readonly lesson: Lesson;
  /** Number within the lesson, from 1. */
  readonly number: number;
  /** The stored attempt, undefined if the question was never tried. */
  readonly attempt: Attempt | undefined;
  /** A response that was entered but not checked. */
  readonly draft: unknown;
  readonly links: MarkdownOptions;
  readonly asked: Asking['asked'];
  /** Whether the lesson is an exam: an answer is kept, and nothing is said of it. */
  readonly exam: boolean;
  readonly onDraft: (response: StudentResponse) => void;
  /** Called when a response was checked, a hint opened, or the answer shown. */
  readonly onAttempt: (change: Partial<Attempt>) => void;
}

/**
 * A question in the page. It can be checked any number of times; hints are opened one by one, and the answer can be shown after the first check.
 */
export interface QuestionView {
  readonly element: HTMLElement;
  /** To be called after a change of theme or an answer to another question. */
  readonly redraw: () => void;
}

/** Undefined if the question has no answer: the list of the lesson's problems says why. */
export function createQuestion(options: QuestionOptions): QuestionView | undefined {
  const { question, lesson } = options;
  const answer = answerOf(question, lesson);
  const block = lesson.blocks.find(({ id }) => id === question.about) ?? lesson.blocks[0];
  const trace = block && traceOfBlock(block);
  return answer.ok && trace?.ok ? playing(options, answer.value, trace.value) : undefined;
}

interface Parts {
  readonly verdict: HTMLElement;
  readonly check: HTMLButtonElement;
  readonly hint: HTMLButtonElement;
  readonly reveal: HTMLButtonElement;
  readonly hints: HTMLElement;
  readonly answer: HTMLElement;
}

function playing(options: QuestionOptions, answer: Answer, trace: AttentionTrace): QuestionView {
  const { question, lesson, number, links, draft } = options;
  const filled = (text: string): string => fillIn(text, lesson, question.about).text;
  const inline = (text: string): Node => renderInline(filled(text), links);
  const name = `question-${number}`;
  const control = createControl({
    question, answer, lesson, trace, name, inline, asked: options.asked,
    changed: () => {
      const read = control.read();
      if (read.ok) options.onDraft(read.value);
    },
  }); // prettier-ignore
  let attempt = options.attempt;
  const change = (next: Partial<Attempt>): void => {
    attempt = { ...(attempt ?? noAttempt), ...next };
    options.onAttempt(next);
    draw();
  };
  const parts = partsOf(options, {
    check: () => {
      checkNow(options, control, parts, attempt, change);
      show(parts.verdict);
    },
    hint: () => {
      change({ hints: Math.min((attempt?.hints ?? 0) + 1, question.hints?.length ?? 0) });
      show(parts.hints);
    },
    reveal: () => {
      change({ revealed: true });
      show(parts.answer);
    },
  });
  /** Brings what was said into view, with its question as far as that has room, and the focus where its button is gone. */
  const show = (part: HTMLElement): void => {
    scrollTo(element, 'nearest');
    scrollTo(part, 'nearest');
    if (isClosed(attempt)) parts.verdict.focus({ preventScroll: true });
  };
  const draw = (): void => drawState({ options, control, parts, answer, attempt, inline });
  if (attempt?.attempts) control.write(attempt.response);
  if (draft !== undefined && (options.exam || !isClosed(attempt))) control.write(draft as StudentResponse);
  draw();
  const prompt = renderMarkdown(filled(question.prompt), { ...links, top: 3 });
  const element = sectionOf(options, name, prompt, control, parts);
  return { element, redraw: () => control.redraw?.() };
}

function sectionOf({ question, number }: QuestionOptions, name: string, prompt: Node, control: Control, parts: Parts): HTMLElement {
  const title = h('p', { id: `${name}-title`, class: 'question-title' }, question.points === undefined ? words.question(number) : words.worth(words.question(number), question.points));
  const body = h('form', { class: 'answering', 'aria-labelledby': `${name}-title` }, control.element, buttonsOf(parts));
  body.addEventListener('submit', (event) => event.preventDefault());
  const element = h(
    'section',
    { class: 'question', 'data-question': question.id, 'data-kind': question.kind, 'aria-labelledby': `${name}-title` },
    title, h('div', { class: 'prompt' }, prompt), body, parts.hints, parts.verdict, parts.answer,
  );
  // Enter in a field checks the response.
  element.addEventListener('keydown', (event) => {
    const isField = event.target instanceof HTMLInputElement;
    if (event.key !== 'Enter' || !isField) return;
    event.preventDefault();
    parts.check.click();
  });
  return element;
} // prettier-ignore

const noAttempt: Attempt = {
  asked: '',
  response: null,
  attempts: 0,
  minutes: 0,
  right: false,
  hints: 0,
  revealed: false,
};
const isClosed = (attempt: Attempt | undefined): boolean => Boolean(attempt?.right || attempt?.revealed);

function partsOf({ question, exam }: QuestionOptions, act: Record<'check' | 'hint' | 'reveal', () => void>): Parts {
  const button = (label: string, onClick: () => void, className: string): HTMLButtonElement => {
    const element = h('button', { type: 'button', class: className }, label);
    element.addEventListener('click', onClick);
    return element;
  };
  const hint = button(words.hint(1, question.hints?.length ?? 0), act.hint, 'quiet hint');
  const reveal = button(words.reveal, act.reveal, 'quiet reveal');
  hint.hidden = exam || !question.hints?.length;
  return {
    verdict: h('p', { class: 'verdict', role: 'status', tabindex: -1 }),
    check: button(exam ? words.keep : words.check, act.check, 'primary check'),
    hint,
    reveal,
    hints: h('ol', { class: 'hints', 'aria-live': 'polite' }),
    answer: h('div', { class: 'answer' }),
  };
}

const buttonsOf = ({ check, hint, reveal }: Parts): HTMLElement => h('div', { class: 'buttons' }, check, hint, reveal);

function checkNow(
  { question, lesson, exam, onDraft }: QuestionOptions,
  control: Control,
  parts: Parts,
  attempt: Attempt | undefined,
  change: (next: Partial<Attempt>) => void,
): void {
  const read = control.read();
  if (!read.ok) return say(parts.verdict, 'unreadable', read.problems[0]?.message ?? '');
  const attempts = (attempt?.attempts ?? 0) + 1;
  if (exam) {
    onDraft(read.value);
    return change({ response: read.value, attempts });
  }
  const marked = mark(question, lesson, read.value);
  if (!marked.ok) return;
  onDraft(read.value);
  change({ response: read.value, attempts, right: marked.value.verdict === 'right' });
  control.mark?.(marked.value.wrong ?? []);
}

interface Drawing {
  readonly options: QuestionOptions;
  readonly control: Control;
  readonly parts: Parts;
  readonly answer: Answer;
  readonly attempt: Attempt | undefined;
  readonly inline: (text: string) => Node;
}

function drawState({ options, control, parts, answer, attempt, inline }: Drawing): void {
  const { question, lesson } = options;
  if (options.exam) return drawKept(parts, attempt);
  const closed = isClosed(attempt);
  const tried = (attempt?.attempts ?? 0) > 0;
  drawHints(question, parts, attempt, inline);
  setText(parts.check, tried ? words.tryAgain : words.check);
  setDisabled(parts.reveal, !tried);
  parts.reveal.title = tried ? '' : words.predictFirst;
  parts.check.hidden = closed;
  // A text has no right answer to show.
  parts.reveal.hidden = closed || question.kind === 'text';
  if (attempt && tried) {
    const marked = mark(question, lesson, attempt.response);
    if (marked.ok) say(parts.verdict, marked.value.verdict, closed ? marked.value.reason : marked.value.feedback);
  }
  if (!closed) return;
  control.close(answer);
  parts.hint.hidden = true;
  parts.answer.replaceChildren(...answerNodes(options, answer, inline));
}

/** In an exam: how often an answer was kept. */
function drawKept(parts: Parts, attempt: Attempt | undefined): void {
  parts.reveal.hidden = true;
  const times = attempt ? totalOf(attempt).attempts : 0;
  if (!attempt || attempt.response === null || times === 0) return;
  delete parts.verdict.dataset['verdict'];
  parts.verdict.replaceChildren(words.keptAnswer(times));
}

function drawHints({ hints = [] }: Question, parts: Parts, attempt: Attempt | undefined, inline: (t: string) => Node): void {
  const open = attempt?.hints ?? 0;
  for (const hint of hints.slice(parts.hints.childElementCount, open)) parts.hints.append(h('li', {}, inline(hint)));
  setText(parts.hint, words.hint(Math.min(open + 1, hints.length), hints.length));
  setDisabled(parts.hint, open >= hints.length);
} // prettier-ignore

function say(into: HTMLElement, verdict: keyof typeof words.verdicts, reason: string): void {
  into.dataset['verdict'] = verdict;
  into.replaceChildren(h('strong', {}, words.verdicts[verdict]), ' ', ...typeset(reason));
}

/** The derivation of the right answer, and the lesson's own explanation. */
function answerNodes({ question, lesson }: QuestionOptions, answer: Answer, inline: (t: string) => Node): Node[] {
  const marked = mark(question, lesson, rightResponse(answer));
  const lines = marked.ok ? marked.value.arithmetic : [];
  const steps = lines.length ? [h('p', { class: 'arithmetic-title' }, words.arithmetic), h('ul', { class: 'arithmetic' }, ...lines.map((l) => h('li', {}, ...typeset(l))))] : []; // prettier-ignore
  return [...steps, ...(question.explanation === undefined ? [] : [h('p', {}, inline(question.explanation))])];
}

/** The response that is right, as a student would give it. */
function rightResponse(answer: Answer): StudentResponse {
  switch (answer.kind) {
    case 'choose':
    case 'find-wrong-step':
      return answer.index;
    case 'number':
      return answer.value;
    case 'shape':
      return answer.shape;
    case 'matrix':
      return answer.cells.map(({ value }) => value);
    case 'pick-cell':
      return answer.cell;
    case 'order-steps':
      return answer.order;
    case 'several':
      return answer.indices;
    case 'text':
      return null;
  }
}
