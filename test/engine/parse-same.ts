// What holds of any text beside what a test says of it: blank lines around it, other ends of lines and the place of the cursor change no number.
import assert from 'node:assert/strict';
import { literalAt, parseMatrices as parse, type Matrices, type ParsedMatrix } from '../../engine/parse/index';
import { scanCandidatesPaced } from '../../engine/parse/literals';
import { scannerOf } from '../../engine/parse/scanner';
import type { Problem, TextRange } from '../../engine/text/problems';

type Place = (range: TextRange | undefined) => string;

/** All that is read of a matrix; ranges as `place` says them. */
const shown = (m: ParsedMatrix, place: Place): unknown[] => [m.name, m.role, m.index, m.shape, [...m.values].map(String), m.dtype, m.format, m.rowLabels, m.columnLabels, m.notes, place(m.range), place(m.nameRange), place(m.expression)]; // prettier-ignore
const said = ({ code, message, hint, range }: Problem, place: Place): unknown[] => [code, message, hint, place(range)];

const all = ({ matrices, problems }: Matrices, place: Place): unknown[] => [
  ...matrices.map((m) => shown(m, place)),
  ...problems.map((p) => said(p, place)),
];

const movedBy =
  (by: number): Place =>
  (range) =>
    range ? `${range.start - by} ${range.end - by}` : '';

/** The matrices of a text, of which it is asserted that they are the same where the text stands elsewhere. */
export function parseMatrices(text: string): Matrices {
  const found = parse(text);
  if (text.length > 4000) return found;
  const here = all(found, movedBy(0));
  const twoLines = parse(`\n\n${text}\n\n`);
  assert.deepEqual(all(twoLines, movedBy(2)), here, 'blank lines around it change what is read');
  if (!/\r/.test(text)) {
    const windows = text.replaceAll('\n', '\r\n');
    const before = (at: number): number => at - (windows.slice(0, at).match(/\r/g)?.length ?? 0);
    const place: Place = (range) => (range ? `${before(range.start)} ${before(range.end)}` : '');
    assert.deepEqual(all(parse(windows), place), here, 'ends of lines of Windows change what is read');
  }
  for (const matrix of found.matrices) checkAtCursor(text, matrix);
  checkPace(text);
  return found;
}

function checkAtCursor(text: string, matrix: ParsedMatrix): void {
  const { start, end } = matrix.range;
  for (const offset of [start, start + 1, Math.floor((start + end) / 2), end - 1]) checkAt(text, matrix, offset);
}

/** Of a frame that is written out and of pages of R the cursor finds the part that it is in. */
function checkAt(text: string, matrix: ParsedMatrix, offset: number): void {
  const { range } = matrix;
  const at = literalAt(text, offset);
  if (!at || 'problems' in at) return;
  const isPart = at.matrix.range.start > range.start || at.matrix.range.end < range.end;
  if (isPart && (matrix.format === 'pandas' || /^, , /m.test(text))) return;
  assert.deepEqual([...at.matrix.values].map(String), [...matrix.values].map(String), 'the cursor in it finds other numbers');
} // prettier-ignore

/** The count of what was looked at, on which the places to stop depend, never goes back, and each character is counted a few times. */
function checkPace(text: string): void {
  const s = scannerOf(text);
  const work = scanCandidatesPaced(s);
  for (let steps = 0, next = work.next(); !next.done; next = work.next()) {
    assert.ok(s.steps >= steps, 'steps go back');
    steps = s.steps;
  }
  assert.ok(s.steps >= 0 && s.steps <= 2000 + 400 * text.length, `${s.steps} steps for ${text.length} characters`);
}
