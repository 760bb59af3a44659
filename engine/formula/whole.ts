/** A whole document: the attentions that its formulas and its code build, in reading order, and the last one explained with the document's own numbers. */
import type { AttentionAnswer, AttentionChoice, NamedFile, Question, StoredOutput, WrittenNumbers } from '../program';
import { pythonIn } from '../parse';
import { hasAttentionCode } from '../python';
import { positionAt, t, type Paced, type Problem, type TextRange } from '../text';
import { attentionFormulas, type AttentionFormula } from './attentions';
import { explainingFormula, explainingOne, readingNumbers, type ExplainedFormula, type Numbers } from './explain';
import type { Formula, Formulas } from './formulas';

/** What a document was read as. */
export interface OpenDocument {
  readonly text: string;
  readonly found: Formulas;
  readonly numbers: Numbers;
  readonly attentions: readonly AttentionFormula[];
}

type Found = Extract<AttentionAnswer, { is: 'found' }>;

/** Has a program answered: its attentions, with the numbers that the document prints for it. */
export type AskProgram = (question: Extract<Question, { kind: 'attention' }>) => Paced<AttentionAnswer>;

export function* openingDocument(text: string, found: Formulas): Paced<OpenDocument> {
  const numbers = yield* readingNumbers(text);
  return { text, found, numbers, attentions: yield* attentionFormulas(found, numbers.whole) };
}

/** The formula at a place, or the last attention among the formulas of a range. */
export function* answerFormula(document: OpenDocument, at: TextRange | number): Paced<AttentionAnswer> {
  const { found, text, attentions, numbers } = document;
  const which = typeof at === 'number' ? attentions[at]?.at : formulaIn(document, at);
  const formula = which === undefined ? undefined : found.formulas[which];
  if (which === undefined || !formula || formula.status === 'alone') return { is: 'none' };
  const made = yield* explainingFormula(text, found, which, numbers);
  return made.ok ? foundFormula(document, made.value) : { is: 'refused', problems: made.problems };
}

function formulaIn({ found: { formulas }, attentions }: OpenDocument, at: TextRange): number | undefined {
  const own = formulas.findIndex(({ outer }) => outer.start <= at.start && at.end <= outer.end);
  if (own >= 0) return own;
  return attentions.findLast(({ range }) => at.start <= range.start && range.end <= at.end)?.at;
}

function foundFormula(document: OpenDocument, made: ExplainedFormula): Found {
  const { found, attentions } = document;
  const { formula, spec } = made;
  const own = attentions.findIndex(({ at }) => found.formulas[at] === formula);
  const listed = attentions.map((one) => choiceOf(document, one));
  const all = own >= 0 ? listed : [...listed, { label: labelOf(document, formula.outer, ''), span: formula.outer }];
  return {
    is: 'found',
    spec,
    all,
    which: own >= 0 ? own : listed.length,
    notes: [],
    printed: [],
    byParts: true,
    ...(made.sizes.size > 0 ? { standInSizes: true } : {}),
    said: [
      ...(made.instead ? [t('Shown is the formula in line {0}: {1}', positionAt(document.text, formula.outer.start).line, made.instead.message)] : []),
      ...saidOf(made),
    ], // prettier-ignore
  };
}

const choiceOf = (document: OpenDocument, { range, title, shape }: AttentionFormula): AttentionChoice => ({
  label: labelOf(document, range, shape === '' ? title : `${title}, ${shape}`),
  span: range,
});

const labelOf = ({ text }: OpenDocument, { start }: TextRange, title: string): string =>
  t('formula in line {0}: {1}', positionAt(text, start).line, title);

/** Where the numbers of a formula come from. */
function saidOf({
  own,
  partly,
  sizes,
  spec,
}: Pick<ExplainedFormula, 'own' | 'partly' | 'sizes' | 'spec'>): readonly string[] {
  const names = own.map((name) => name.replace('[]', '')).join(', ');
  const parts = partly.map(({ name, written, of }) => `${name} (${written}/${of})`).join(', ');
  const standIns = [...sizes].map(([name, size]) => `${name} = ${size}`).join(', ');
  return [
    ...(own.length > 0 ? [hasStandIns(spec) ? t('Numbers of the document: {0}. All others stand in.', names) : t('All numbers are the document’s own: {0}.', names)] : parts === '' ? [t('All numbers stand in: the document gives none for this formula.')] : []),
    ...(parts === '' ? [] : [t('Written in part, the rest stands in: {0}.', parts)]),
    ...(standIns === '' ? [] : [t('Sizes that stand in: {0}.', standIns)]),
  ]; // prettier-ignore
}

const hasStandIns = ({ start }: ExplainedFormula['spec']): boolean =>
  start.from === 'program' && start.seed !== undefined;

/** An attention of a document that can be explained. */
export interface Candidate extends AttentionChoice {
  readonly from: 'code' | 'formula';
  readonly explain: () => Paced<AttentionAnswer>;
}

/**
 * The last attention that the document builds: the last one whose numbers it gives, else the last one of which it gives some, else the last. `which`
 * is a place in the list instead. `none` for a document without attention.
 */
export function* answerDocument(
  document: OpenDocument,
  program: AskProgram,
  which?: number,
  files: readonly NamedFile[] = [],
): Paced<AttentionAnswer> {
  const { candidates, notes } = yield* candidatesOf(document, program, files);
  const all = candidates.map(({ label, span }) => ({ label, span }));
  const asked = which === undefined ? undefined : candidates[which];
  const best = asked ? { at: which ?? 0, answer: yield* asked.explain() } : yield* lastWithNumbers(candidates);
  if (!best)
    return notes.length > 0 && document.found.hasAttention ? { is: 'refused', problems: notes } : { is: 'none' };
  const { answer, at } = best;
  if (answer.is !== 'found') return answer.is === 'none' ? answer : { ...answer, problems: withoutRepeats([...answer.problems, ...notes]) }; // prettier-ignore
  return { ...answer, all, which: at, notes: withoutRepeats([...answer.notes, ...notes]) };
}

/** Candidates that are looked at for own numbers, from the end. */
const mostTried = 8;

/** The attention that stands for the whole document. */
export function* lastWithNumbers(
  candidates: readonly Candidate[],
): Paced<{ at: number; answer: AttentionAnswer } | undefined> {
  let best: { at: number; answer: AttentionAnswer; worth: number } | undefined;
  const last = Math.max(0, candidates.length - mostTried);
  for (let at = candidates.length - 1; at >= last && best?.worth !== 2; at--) {
    const answer = (yield* candidates[at]?.explain() ?? nothing()) ?? { is: 'none' };
    const worth = worthOf(answer);
    if (!best || worth > best.worth) best = { at, answer, worth };
  }
  return best;
}

function* nothing(): Paced<undefined> {}

/** 2 where all numbers are the document's, 1 where some are; less where it is not explained. */
function worthOf(answer: AttentionAnswer): -1 | 0 | 1 | 2 {
  if (answer.is !== 'found') return -1;
  const { start } = answer.spec;
  if (start.from !== 'program' || start.seed === undefined) return 2;
  return start.steps.some((step) => step.op === 'given' && step.origin === 'literal') ? 1 : 0;
}

/** All attentions in reading order, and what could not be read. */
export function* candidatesOf(
  document: OpenDocument,
  program: AskProgram,
  files: readonly NamedFile[],
  outputs: readonly StoredOutput[] = [],
): Paced<{ readonly candidates: readonly Candidate[]; readonly notes: readonly Problem[] }> {
  const code = yield* codeCandidates(document, program, files, outputs);
  const formulas = document.attentions.map((one): Candidate => ({
    ...choiceOf(document, one),
    from: 'formula',
    *explain() {
      const formula = document.found.formulas[one.at] as Formula;
      const made = yield* explainingOne(document.text, document.found, formula, document.numbers);
      return made.ok ? foundFormula(document, made.value) : { is: 'refused', problems: made.problems };
    },
  }));
  const candidates = [...code.candidates, ...formulas].sort((a, b) => a.span.start - b.span.start);
  return { candidates, notes: withoutRepeats([...code.notes, ...unread(document)]) };
}

/** Attentions of the document's Python. Calls of one loop are one attention. */
function* codeCandidates(
  { text, numbers }: OpenDocument,
  program: AskProgram,
  files: readonly NamedFile[],
  outputs: readonly StoredOutput[],
): Paced<{ readonly candidates: readonly Candidate[]; readonly notes: readonly Problem[] }> {
  const code = pythonIn(text);
  if (!code || !hasAttentionCode(code.text)) return { candidates: [], notes: [] };
  const written = [...numbers.all, ...numbers.broken].sort((a, b) => a.start - b.start);
  const ask = (at?: number): Paced<AttentionAnswer> =>
    program({ kind: 'attention', text: code.text, files, written, outputs, ...(at === undefined ? {} : { at }) });
  const last = yield* ask();
  if (last.is !== 'found') return { candidates: [], notes: last.is === 'refused' ? last.problems : [] };
  const candidates = last.all.flatMap(({ label, span }, which): Candidate[] => {
    const isRepeated = last.all.some((other, i) => i > which && isSame(other.span, span));
    const calls = last.all.filter((other) => isSame(other.span, span)).length;
    return isRepeated
      ? []
      : [{ label, span, from: 'code', explain: () => explainCode(() => ask(which), calls, written) }];
  });
  return { candidates, notes: last.notes };
}

const isSame = (a: TextRange, b: TextRange): boolean => a.start === b.start && a.end === b.end;

function* explainCode(
  ask: () => Paced<AttentionAnswer>,
  calls: number,
  written: readonly WrittenNumbers[],
): Paced<AttentionAnswer> {
  const answer = yield* ask();
  if (answer.is !== 'found') return answer;
  return { ...answer, ...(calls > 1 ? { calls } : {}), said: writtenNote(answer, written) };
}

/** Which of the code's own draws have the numbers that the document prints. */
function writtenNote({ spec: { start } }: Found, written: readonly WrittenNumbers[]): readonly string[] {
  if (start.from !== 'program') return [];
  const names = new Map(written.map((one) => [one.name, one] as const).reverse());
  const given = start.steps.flatMap((step) => (step.op === 'given' ? [{ name: step.name ?? step.id, origin: step.origin }] : [])); // prettier-ignore
  const own = given.filter(({ name, origin }) => origin === 'literal' && names.has(name)).map(({ name }) => name);
  const parts = given.flatMap(({ name, origin }) => {
    const one = names.get(name);
    return origin === 'stand-in' && one?.shape.includes(null) ? [`${name} (${one.values.length})`] : [];
  });
  return [
    ...(own.length > 0 ? [t('Numbers that the document prints: {0}.', own.join(', '))] : []),
    ...(parts.length > 0 ? [t('Written in part, the rest stands in: {0}.', parts.join(', '))] : []),
  ];
}

/** What could not be read, each at its place. */
function unread({ found: { formulas }, numbers: { problems } }: OpenDocument): readonly Problem[] {
  const inFormula = (at: number): boolean => formulas.some(({ outer }) => outer.start <= at && at < outer.end);
  const refused = formulas.flatMap(({ status, problems: [first], range }) => (status === 'refused' && first ? [{ range, ...first }] : [])); // prettier-ignore
  return [...refused, ...problems.filter(({ range }) => range && !inFormula(range.start))];
}

function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  const own = problems.filter(({ message, range }) => {
    const key = `${range?.start ?? ''} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  return own.sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0)).slice(0, mostNotes);
}

const mostNotes = 60;
