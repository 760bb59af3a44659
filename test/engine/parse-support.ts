import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { literalAt, setNameReader, specFromText, type Assembled, type ParsedMatrix } from '../../engine/parse/index';
import { parseMatrices } from './parse-same';
import { nameReader } from '../../engine/program/index';
import { scanCandidates } from '../../engine/parse/literals';
import { scannerOf } from '../../engine/parse/scanner';
import { positionAt, type Problem } from '../../engine/text/problems';
import { sizeOf } from '../../engine/math/tensor';

setNameReader(nameReader);

export const root = join(__dirname, '../..');
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
export const example = (name: string): string => readText(join('extension/examples', name));

/** The only matrix of a text. Asserts that there are no problems. */
export function onlyMatrix(text: string): ParsedMatrix {
  const { matrices, problems } = parseMatrices(text);
  assert.deepEqual(problems, [], text);
  const [matrix, second] = matrices;
  assert.ok(matrix, `no matrix in ${text}`);
  assert.equal(second, undefined, `a second matrix in ${text}`);
  return matrix;
}

export const valuesOf = (text: string): number[] => [...onlyMatrix(text).values];

/** A problem as code, line, column and the text of its range: `ragged 3:5 [7, 8]`. */
export function where(text: string, problem: Problem): string {
  assert.ok(problem.range, problem.message);
  const { line, column } = positionAt(text, problem.range.start);
  const covered = text.slice(problem.range.start, problem.range.end);
  return `${problem.code} ${line}:${column} ${covered}`;
}

export function assembled(text: string): Assembled {
  const result = specFromText(text);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

export function refused(text: string): readonly Problem[] {
  const result = specFromText(text);
  assert.ok(!result.ok, `expected problems, found ${JSON.stringify(result)}`);
  return result.problems;
}

/** The result of literalAt at the `|` in a text: name and shape, or codes of problems, or nothing. */
export function at(marked: string): string {
  const offset = marked.indexOf('|');
  assert.ok(offset >= 0, 'a | marks the offset');
  const found = literalAt(marked.slice(0, offset) + marked.slice(offset + 1), offset);
  if (!found) return 'nothing';
  if ('problems' in found) return found.problems.map((p) => p.code).join(' ');
  return `${found.matrix.name ?? '-'} ${found.matrix.shape.join('×')}`;
}

/** Number of characters that the parser reads. */
export function stepsOf(text: string): number {
  const s = scannerOf(text);
  scanCandidates(s);
  return s.steps;
}

/** Asserts what holds for any text: matrices in order without overlap, problems with a range, and that a literal found at `offset` encloses it. */
export function checkText(text: string, offset: number): ReturnType<typeof parseMatrices> {
  const found = parseMatrices(text);
  let last = 0;
  for (const { shape, values, range } of found.matrices) {
    assert.ok(shape.length >= 1 && shape.length <= 4, shape.join());
    assert.equal(sizeOf(shape), values.length);
    assert.ok(range.start >= last && range.end > range.start && range.end <= text.length);
    last = range.end;
  }
  for (const { range, message } of found.problems) {
    assert.ok(range && range.start >= 0 && range.end >= range.start && range.end <= text.length, message);
    assert.ok(message.length > 0 && message.length < 300);
  }
  checkAt(text, offset);
  return found;
}

function checkAt(text: string, offset: number): void {
  const found = literalAt(text, offset);
  if (!found || 'problems' in found) return;
  const { range, nameRange } = found.matrix;
  const start = Math.min(range.start, nameRange?.start ?? range.start);
  assert.ok(start <= offset && offset <= range.end, `${JSON.stringify(range)} does not enclose ${offset}`);
}
