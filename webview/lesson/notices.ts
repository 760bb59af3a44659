import { positionAt, resultsName, resultsOf, writeResults, type Lesson, type Problem } from '../../engine/index';
import { h, typeset } from '../draw';
import { answeredIn, openIn, type LessonMessage, type LessonPageMessage, type Progress } from '../lesson-protocol';
import { words } from './words';

/** Whether a lesson is played as an exam: by its own text, or by the folder it lies in. */
export const isExam = ({ exam }: LessonMessage, lesson: Lesson): boolean => lesson.exam || exam === true;

/** Problems to list; of the rest only the count is shown. */
const maxListed = 8;

/** A notice that lists the lesson's problems, each with a button that reveals its place in the source. */
export function problemsNotice(
  problems: readonly Problem[],
  { source, uri }: LessonMessage,
  post: (message: LessonPageMessage) => void,
): HTMLElement | undefined {
  if (!problems.length) return undefined;
  const items = problems.slice(0, maxListed).map((problem) => {
    const { line, column } = positionAt(source, problem.range?.start ?? 0);
    const place = words.at(line, column);
    const where = uri === null ? h('span', {}, place) : h('button', { type: 'button', class: 'text-link' }, place);
    const { start = 0, end = start } = problem.range ?? {};
    where.addEventListener('click', () => uri !== null && post({ type: 'reveal', start, end }));
    return h('li', {}, where, ': ', ...typeset(`${problem.message}${problem.hint ? `. ${problem.hint}` : ''}`));
  });
  const more = problems.length - items.length;
  const list = h('ul', {}, ...items, more > 0 && h('li', {}, words.more(more)));
  return h('div', { class: 'notice warning' }, h('p', {}, words.problems(problems.length)), list);
}

export function undoNotice(onUndo: () => void): HTMLElement {
  const undo = h('button', { type: 'button', class: 'primary' }, words.undo);
  undo.addEventListener('click', onUndo);
  return h('div', { class: 'notice undo', role: 'status' }, h('p', {}, words.wasReset), undo);
}

/** The form for handing in without VS Code: asks for a name and downloads the results file. */
export function handInNotice(
  given: LessonMessage,
  lesson: Lesson,
  progress: () => Progress,
  post: (message: LessonPageMessage) => void,
): HTMLElement {
  const name = h('input', { type: 'text', id: 'hand-in-name', autocomplete: 'off', value: given.student || undefined });
  const save = h('button', { type: 'submit', class: 'primary' }, words.handInAs);
  const open = openIn(lesson, answeredIn(lesson, progress()));
  const form = h(
    'form',
    { class: 'notice hand-in-form' },
    h('label', { for: name.id }, words.handInName),
    name,
    save,
    h('span', {}, words.handInHint(open)),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const student = name.value.trim();
    if (student === '') return name.focus();
    const { seed, program } = given;
    const answers = answeredIn(lesson, progress());
    const content = writeResults(
      resultsOf(lesson, {
        student,
        seed,
        program,
        complete: true,
        answers,
        exam: isExam(given, lesson),
        handedIn: new Date().toISOString(),
      }),
    );
    post({ type: 'save', name: resultsName(student), content });
  });
  return form;
}
