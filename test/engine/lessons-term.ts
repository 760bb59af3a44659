// A term test as a teacher of thirty has it: a list from a gradebook, thirty variants, twenty honest hand-ins and ten of ten other kinds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersOf, planClass, readLesson, readStudents, resultsOf, writeResults, type Answer, type ClassPlan, type HandedFile, type Lesson, type Results, type StudentResponse } from '../../engine/index'; // prettier-ignore

export const termLesson = readFileSync(join(__dirname, '../fixtures/lessons/term.md'), 'utf8');

/** What a student does who is not honest. */
export const cheats = [
  'neighbour’s file, renamed inside', 'neighbour’s numbers, typed', 'points edited', 'neighbour’s file, as it is', 'not as an exam',
  'late', 'two files', 'a seed of choice', 'an easier text', 'everything ticked',
] as const; // prettier-ignore
export type Cheat = (typeof cheats)[number];

const quoted = (i: number): string => (i === 0 ? '"Lovelace; ""Ada"""' : i === 1 ? '=Bobby' : i === 2 ? 'Ångström, Zoë' : `Student ${i}`); // prettier-ignore
/** As Canvas exports it, opened and saved by a spreadsheet of Europe: a byte order mark, semicolons, Windows line ends. */
export const termList = `\ufeffStudent;ID;SIS User ID;SIS Login ID;Section;Email\r\n    Points Possible;;;;;\r\n${Array.from({ length: 30 }, (_, i) => `${quoted(i)};${9000 + i};A${100 + i};user${i};S1;u${i}@school.test`).join('\r\n')}\r\n`;

export interface TermStudent {
  readonly student: string;
  readonly folder: string;
  readonly seed: number;
  readonly lesson: Lesson;
  readonly cheat?: Cheat;
}

export function setUpTerm(codes = false): { readonly plan: ClassPlan; readonly students: readonly TermStudent[] } {
  const list = readStudents(termList, true);
  assert.deepEqual([list.problems, list.students.length], [[], 30]);
  const plan = planClass({ lesson: termLesson, name: 'term.md', students: list.students, identities: list.identities, codes, seed: 7 });
  assert.ok(plan.ok, JSON.stringify(plan));
  const { files, folders, key } = plan.value;
  const students = key.students.map(({ student, seed }, i): TermStudent => {
    const folder = folders.get(student) ?? assert.fail(student);
    const text = files.find(({ path }) => path === `students/${folder}/term.md`)?.text ?? assert.fail(folder);
    const cheat = i >= 20 ? cheats[i - 20] : undefined;
    return { student, folder, seed: seed ?? assert.fail(), lesson: readLesson(text).lesson, ...(cheat && { cheat }) };
  });
  return { plan: plan.value, students };
} // prettier-ignore

const rounded = (x: number, digits: number): number => Number(x.toFixed(digits));

function right(answer: Answer): StudentResponse {
  switch (answer.kind) {
    case 'number':
      return rounded(answer.value, answer.digits);
    case 'matrix':
      return answer.cells.map(({ value }) => rounded(value, answer.digits));
    case 'several':
      return answer.indices;
    case 'order-steps':
      return answer.order;
    case 'text':
      return 'Because their variance grows with the width.';
    case 'shape':
    case 'pick-cell':
      return null;
    case 'choose':
    case 'find-wrong-step':
      return answer.index;
  }
}

/** An answer that is wrong in one of some ways, each another for every student and question. */
function slipped(answer: Answer, i: number): StudentResponse {
  switch (answer.kind) {
    case 'number':
      return rounded(answer.value + 3.125 + i / 8, answer.digits);
    case 'matrix':
      return answer.cells.map(({ value }, at) => rounded(at === i % 3 ? value + 0.25 + i / 64 : value, answer.digits));
    case 'several':
      return i % 2 ? answer.indices.slice(1) : [...answer.indices, [0, 1, 2, 3, 4].find((at) => !answer.indices.includes(at)) ?? 0];
    case 'order-steps':
      return [...answer.order].reverse();
    case 'choose':
    case 'find-wrong-step':
      return (answer.index + 1 + (i % 2)) % answer.options.length;
    case 'text':
    case 'shape':
    case 'pick-cell':
      return null;
  }
} // prettier-ignore

/** The number of the student decides which answers slip: none of the first, more of the later ones. */
const slips = (i: number, question: number): boolean => (i * 7 + question * 3) % 11 < i / 5;

function play({ lesson, student, seed }: TermStudent, i: number, more: Partial<Results> = {}, of = lesson, ticked?: readonly number[]): Results {
  const answers = answersOf(of).map(({ question, answer }, at) => {
    assert.ok(answer.ok);
    const honest = slips(i, at) ? slipped(answer.value, i) : right(answer.value);
    const response = ticked && answer.value.kind === 'several' ? ticked : honest;
    return { question: question.id, response, attempts: 1 + (i % 3), minutes: 2 };
  });
  return resultsOf(lesson, { student, seed, program: '0.1.0', complete: true, answers, exam: true, handedIn: '2026-12-01T09:30:00.000Z', ...more });
} // prettier-ignore

/** What was handed in. With codes, who works knows the code alone. */
export function handedInTerm(all: readonly TermStudent[], codes = false): HandedFile[] {
  return all.flatMap((one, i): HandedFile[] => {
    const own = codes ? { ...one, student: one.folder } : one;
    const next = all[i - 20] ?? one;
    const file = (results: Results, name = `${own.folder}.results.json`): HandedFile => ({ name: `students/${own.folder}/${name}`, text: writeResults(results) });
    const { cheat } = one;
    if (cheat === undefined) return [file(play(own, i))];
    switch (cheat) {
      case 'everything ticked':
        return [file(play(own, 0, {}, own.lesson, [0, 1, 2, 3, 4]))];
      case 'neighbour’s file, renamed inside':
        return [file(play({ ...next, student: own.student }, 1))];
      case 'neighbour’s numbers, typed':
        return [file(play(own, 1, {}, next.lesson))];
      case 'points edited': {
        const { text } = file(play(own, 17));
        return [{ name: `students/${own.folder}/${own.folder}.results.json`, text: text.replace('"attempts":3', '"attempts":1') }];
      }
      case 'neighbour’s file, as it is':
        return [{ name: `students/${own.folder}/${own.folder}.results.json`, text: writeResults(play(codes ? { ...next, student: next.folder } : next, i - 20)) }];
      case 'not as an exam':
        return [file(play(own, 0, { exam: false }))];
      case 'late':
        return [file(play(own, 2, { handedIn: '2026-12-01T10:45:00.000Z' }))];
      case 'two files':
        return [file(play(own, 19)), file(play(own, 0), 'better.results.json')];
      case 'a seed of choice':
        return [file(play({ ...next, student: own.student }, 0, { seed: 99 }))];
      case 'an easier text':
        return [file(play({ ...own, lesson: easier(one.lesson) }, 0))];
    }
  });
} // prettier-ignore

const easier = ({ source }: Lesson): Lesson =>
  readLesson(source.replace(/^Q = .*$/m, 'Q = [[1, 0], [0, 1], [1, 1]]')).lesson;
