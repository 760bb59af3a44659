// Documents with formulas: their outline, and the attention of a formula where the document has no other.
import { explainFormula, formulasOf, type Formula, type Formulas } from '../formula';
import type { Assembled } from '../index';
import { fencedPython, parseMatrices } from '../parse';
import { formatShape } from '../program/tensor/dims';
import { ok, positionAt, t, type Result } from '../text';
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
    ...(fencedPython(text)?.blocks ?? []).map(({ start }) => ({ at: start, words: t('Python code') })),
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
  return assumed ? t('{0}: {1}, as such names are used', written, all) : `${written}: ${all}`;
}

const longest = 60;

const excerpt = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
};

/** The last formula that computes attention, of a document that would else be taken as prose or not be read; undefined where it has none. */
export function attentionOfFormulas(
  { input, set }: Arguments,
  text: string,
  read: Result<Omit<Assembled, 'used'>>,
): Result<Omit<Assembled, 'used'>> | undefined {
  const asProse = read.ok && read.value.spec.start.from === 'text';
  if (input === undefined || input === '-' || set.length > 0 || /\.(?:py|json)$/i.test(input) || (read.ok && !asProse))
    return undefined;
  const found = formulasOf(text, languageOf(input));
  const at = found.formulas.findLastIndex((one) => one.status === 'understood' && one.display);
  if (!found.hasAttention || at < 0) return undefined;
  const made = explainFormula(text, found, at);
  if (!made.ok) return undefined;
  const { spec, formula, sizes, own } = made.value;
  return ok({
    spec,
    notes: saidOf(text, formula, sizes, own),
    unfollowed: [...(read.ok ? [] : read.problems), ...refusedOf(found)],
  });
}

const refusedOf = ({ formulas }: Formulas): readonly Formula['problems'][number][] =>
  formulas.flatMap(({ problems: [first] }) => first ?? []);

function saidOf(
  text: string,
  { range }: Formula,
  sizes: ReadonlyMap<string, number>,
  own: readonly string[],
): readonly string[] {
  const { line } = positionAt(text, range.start + (/^\s*/.exec(text.slice(range.start, range.end))?.[0].length ?? 0));
  const standIns = [...sizes].map(([name, size]) => `${name} = ${size}`).join(', ');
  return [
    t('This is the formula of line {0}; {1} takes the document as text.', line, '--as-text'),
    own.length > 0 ? t('Numbers of the document: {0}. All others stand in.', own.map((name) => name.replace('[]', '')).join(', ')) : t('All numbers stand in: the document gives none for this formula.'),
    ...(standIns === '' ? [] : [t('Sizes that stand in: {0}.', standIns)]),
  ]; // prettier-ignore
}
