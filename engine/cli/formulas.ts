// Documents with formulas: their outline, and the attention of a formula where the document has no other.
import { createAnswering, formulasOf, type Formula } from '../formula';
import type { Assembled, AttentionAnswer } from '../index';
import { copiedCells, parseMatrices, pythonIn, wholeOfLoop } from '../parse';
import { formatShape } from '../program';
import { fail, finish, ok, positionAt, t, type Result } from '../text';
import type { Arguments } from './arguments';

const languageOf = (path = ''): string => (/\.(?:tex|ltx)$/i.test(path) ? 'latex' : 'markdown');

interface Line {
  readonly at: number;
  readonly words: string;
}

/** One line for each formula, matrix and block of Python, and how many were understood. */
export function outline(path: string | undefined, text: string): string {
  const { formulas } = formulasOf(text, languageOf(path));
  const inFormula = (at: number): boolean => formulas.some(({ outer }) => outer.start <= at && at < outer.end);
  const { matrices, problems } = parseMatrices(text);
  const lines: Line[] = [
    ...formulas.map((one) => ({ at: one.range.start, words: wordsOf(text, one) })),
    ...matrices.filter(({ range }) => !inFormula(range.start)).map(({ range, name, shape }) => ({ at: range.start, words: name === undefined ? t('matrix, {0}', shape.join('×')) : t('matrix {0}, {1}', name, shape.join('×')) })),
    ...problems.filter(({ range }) => range && !inFormula(range.start)).map(({ range, message }) => ({ at: range?.start ?? 0, words: t('matrix, refused: {0}', message) })),
    ...(pythonIn(text)?.blocks ?? []).map(({ start }) => ({ at: start, words: t('Python code') })),
  ]; // prettier-ignore
  const written = lines.sort((a, b) => a.at - b.at).map(({ at, words }) => {
    const { line, column } = positionAt(text, at);
    return `${line}:${column}: ${words}`;
  }); // prettier-ignore
  return `${[...written, summary(formulas)].join('\n')}\n`;
}

function summary(formulas: readonly Formula[]): string {
  const count = (status: Formula['status']): number => formulas.filter((one) => one.status === status).length;
  return t(
    'Formulas: {0} understood, {1} refused, {2} left alone',
    count('understood'),
    count('refused'),
    count('alone'),
  );
}

function wordsOf(text: string, { range, status, isSize, shapes, assumed, problems }: Formula): string {
  const written = excerpt(text.slice(range.start, range.end));
  if (status === 'alone') return t('left alone: {0}', written);
  const [first] = problems;
  if (first)
    return t(
      'refused: {0}: {1}',
      written,
      first.hint === undefined ? first.message : `${first.message} (${first.hint})`,
    );
  if (isSize) return t('size: {0}', written);
  const all = shapes
    .map((shape) => (shape ? (shape.length === 0 ? t('a number') : formatShape(shape)) : '?'))
    .join('; ');
  return assumed ? t('{0}: usual: {1}, not said here', written, all) : `${written}: ${all}`;
}

const longest = 60;

const excerpt = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
};

/** The last attention that a document with formulas, or with copied cells, builds, as the editor explains it; undefined where it has none. */
export function attentionOfDocument(
  { input, set }: Arguments,
  text: string,
  read: Result<Omit<Assembled, 'used'>>,
): Result<Omit<Assembled, 'used'>> | undefined {
  if (input === undefined || input === '-' || set.length > 0 || /\.(?:py|json)$/i.test(input)) return undefined;
  const found = formulasOf(text, languageOf(input));
  if (!found.hasAttention && !copiedCells(text)) return undefined;
  const { answer } = finish(createAnswering()({ kind: 'document', text, languageId: languageOf(input) })) as {
    readonly answer: AttentionAnswer;
  };
  if (answer.is === 'refused') return read.ok && read.value.spec.start.from !== 'text' ? undefined : fail(...answer.problems); // prettier-ignore
  if (answer.is !== 'found') return undefined;
  const { spec, all, which, said = [], calls, notes } = answer;
  const whole = calls === undefined ? undefined : finish(wholeOfLoop(text, spec, calls));
  const { line } = positionAt(text, startOf(text, all[which]?.span.start ?? 0));
  const others = all.filter((_, i) => i !== which).map(({ label }) => label);
  return ok({
    spec: whole ?? spec,
    notes: [
      answer.byParts ? t('This is the formula of line {0}; {1} takes the document as text.', line, '--as-text') : t('This is the attention of {0}; {1} takes the document as text.', all[which]?.label, '--as-text'),
      ...(whole ? [t('The code computes one query at a time: its {0} queries are shown together.', calls)] : []),
      ...said,
      ...(others.length > 0 ? [t('Other attentions of the document: {0}.', others.join('; '))] : []),
    ],
    unfollowed: notes,
  }); // prettier-ignore
}

/** Behind the signs and the blanks before a formula. */
const startOf = (text: string, at: number): number => at + (/^[\s$]*/.exec(text.slice(at, at + 100))?.[0].length ?? 0);
