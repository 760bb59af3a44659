// A class that was set up, worked at and handed in: what lies in its folder afterwards. Everything follows from the seed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersOf, planClass, readLesson, resultsOf, writeResults, type Answer, type ClassPlan, type Lesson, type Results, type StudentResponse } from '../../engine/index'; // prettier-ignore
import { rightResponse } from './lessons-support';

export const roomLesson = readFileSync(join(__dirname, '../fixtures/lessons/room.md'), 'utf8');
export const program = '0.1.0';

/** What happens to a student's file. */
const fates = [
  'right', 'right', 'right', 'right', 'right', 'right', 'right', 'cut numbers', 'cut numbers',
  'wrong', 'wrong', 'wrong', 'wrong', 'partial', 'partial', 'partial', 'blank', 'half',
  'absent', 'empty', 'crashed', 'tampered', 'neighbour’s numbers', 'neighbour’s file', 'late program', 'late format',
  'CRLF and BOM', 'UTF-16', 'conflict', 'renamed',
] as const; // prettier-ignore
export type Fate = (typeof fates)[number];

export interface RoomStudent {
  readonly student: string;
  readonly folder: string;
  readonly fate: Fate;
  readonly lesson: Lesson;
  readonly seed: number;
}

/** Names as they come: with accents, quotes, slashes, a formula, and one that Windows keeps for itself. */
const odd = ['Zoë Ångström', 'O’Neill, Séan', 'a/b\\c:d', '=SUM(A1)', 'con', '李小龍', '<b>Bold</b>', 'Ada Lovelace'];
export const names = fates.map((_, i) => odd[i] ?? `Student ${String(i).padStart(2, '0')}`);

/**
 * With this seed no number of a neighbour's lies between the digits that a question asks for and what the shown digits leave open besides, of which
 * test/reference/lesson_room.py knows nothing.
 */
export const classSeed = 2018;

export function setUpRoom(): { plan: ClassPlan; students: RoomStudent[] } {
  const plan = planClass({ lesson: roomLesson, name: 'room.md', students: names, seed: classSeed });
  assert.ok(plan.ok, JSON.stringify(plan));
  const { files, folders, key } = plan.value;
  const students = fates.map((fate, i) => {
    const { student, seed } = key.students[i] ?? assert.fail();
    const folder = folders.get(student) ?? assert.fail();
    const text = files.find((f) => f.path === `students/${folder}/room.md`)?.text ?? assert.fail(folder);
    return { student, folder, fate, lesson: readLesson(text).lesson, seed: seed ?? assert.fail() };
  });
  return { plan: plan.value, students };
}

const round = (x: number, digits: number): number => Number(x.toFixed(digits));
const cut = (x: number, digits: number): number => Math.trunc(x * 10 ** digits) / 10 ** digits;

function right(answer: Answer, write = round): StudentResponse {
  if (answer.kind === 'number' && Number.isFinite(answer.value)) return write(answer.value, answer.digits);
  if (answer.kind === 'matrix') return answer.cells.map((c) => write(c.value, answer.digits));
  return rightResponse(answer);
}

function wrong(answer: Answer): StudentResponse {
  switch (answer.kind) {
    case 'number':
      return Number.isFinite(answer.value) ? round(answer.value, answer.digits) + 3 * answer.tolerance : 0;
    case 'shape':
      return [...answer.shape].reverse();
    case 'matrix':
      return answer.cells.map((c) => round(c.value, answer.digits) + 0.25);
    case 'pick-cell':
      return [(answer.cell[0] ?? 0) ^ 1, answer.cell[1] ?? 0];
    case 'order-steps':
      return [...answer.order].reverse();
    case 'choose':
    case 'find-wrong-step':
      return (answer.index + 1) % answer.options.length;
    case 'several':
      return answer.options.flatMap((_, i) => (answer.indices.includes(i) ? [] : [i]));
    case 'text':
      return '';
  }
}

function partial(answer: Answer): StudentResponse {
  const given = right(answer);
  if (answer.kind === 'matrix' && Array.isArray(given)) return [given[0] as number, null, 0.999];
  if (answer.kind === 'order-steps') return ['scaled', 'scores', 'masked', 'weights', 'output'];
  return given;
}

const playing: Partial<Record<Fate, (answer: Answer) => StudentResponse>> = {
  wrong,
  partial,
  blank: () => null,
  'cut numbers': (answer) => right(answer, cut),
};

function play({ student, seed, lesson, fate }: RoomStudent): Results {
  const answers = answersOf(lesson).flatMap(({ question, answer }, i) => {
    assert.ok(answer.ok);
    if (fate === 'half' && i > 3) return [];
    const response = (playing[fate] ?? ((a: Answer) => right(a)))(answer.value);
    return [{ question: question.id, response, attempts: 1 + (i % 3), minutes: 1.5 }];
  });
  const version = fate === 'late program' ? '1.0.0' : program;
  return resultsOf(lesson, { student, seed, program: version, complete: fate !== 'half', answers });
}

/** What was handed in: path and bytes. */
export function handedIn(students: readonly RoomStudent[]): { path: string; bytes: Buffer }[] {
  return students.flatMap((one, i) => {
    const next = students[i + 1] ?? one;
    const path = `students/${one.folder}/${one.folder}.results.json`;
    const text = writeResults(play(one));
    const file = (content: string, encoding: BufferEncoding = 'utf8') => [{ path, bytes: Buffer.from(content, encoding) }];
    switch (one.fate) {
      case 'absent':
        return [];
      case 'empty':
        return file('');
      case 'crashed':
        return file(text.slice(0, 900));
      case 'tampered':
        return file(text.replace(/("question":"shape","response":)\[3,2\]/, '$1[2,3]'));
      case 'neighbour’s numbers':
        return file(writeResults({ ...play({ ...one, lesson: next.lesson, seed: next.seed }) }));
      case 'neighbour’s file':
        return [{ path: `students/${one.folder}/${next.folder}.results.json`, bytes: Buffer.from(writeResults(play(next))) }];
      case 'late format':
        return file(text.replace('"version": 1', '"version": 2'));
      case 'CRLF and BOM':
        return file(`\ufeff${text.replaceAll('\n', '\r\n')}`);
      case 'UTF-16':
        return file(`\ufeff${text}`, 'utf16le');
      case 'conflict':
        return file(`<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`);
      case 'renamed':
        return [{ path: 'students/inbox/final.results.json', bytes: Buffer.from(text) }];
      default:
        return file(text);
    }
  });
} // prettier-ignore
