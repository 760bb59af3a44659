/** What sentences say of the document’s numbers, where it can be computed: sums, symmetry, shapes, single numbers, what scores are divided by. */
import { explainAttention, valuesOf } from '../../run';
import { matrixDefaults } from '../../spec';
import { t, type TextRange } from '../../text';
import type { Kind } from './things';
import { written } from './prints';
import type { Mark } from './mark';

/** A matrix that the document gives, by its code or printed; a stack of them has all its rows, one below the other. */
export interface Stated {
  readonly kind?: Kind;
  readonly name?: string;
  /** Where it is given. */
  readonly at: number;
  readonly shape: readonly number[];
  /** Undefined where only its shape is known. */
  readonly numbers?: readonly { readonly value: number; readonly slack: number }[];
}

export interface Said {
  readonly text: string;
  /** As long as the text; code and what it printed are blank. */
  readonly prose: string;
  readonly stated: readonly Stated[];
}

export const checkProse = (said: Said): readonly Mark[] =>
  sentencesOf(said.prose).flatMap((sentence) => [
    ...sums(said, sentence),
    ...symmetries(said, sentence),
    ...shapes(said, sentence),
    ...numbers(said, sentence),
    ...roots(sentence),
  ]);

interface Sentence {
  readonly text: string;
  readonly start: number;
  /** What is said under a condition, denied or asked is no claim. */
  readonly isPlain: boolean;
}

const unsure =
  /\b(?:not|never|no longer|cannot|unless|if|would|should|could|might|may|suppose|imagine|without|instead of|whether|why|wrong|wrongly|mistake|bug|incorrect|otherwise|before)\b|n['’]t\b|\?\s*$/i;

/** A full stop within a number ends nothing. An empty line ends a sentence. */
function sentencesOf(prose: string): readonly Sentence[] {
  return [...prose.matchAll(/(?:[^.!?\n]|[.](?!\s|\*|$)|\n(?![^\S\n]*\n))+[.!?]*/g)].flatMap(({ 0: text, index }) =>
    /[A-Za-z]/.test(text) ? [{ text: text.replace(/\r?\n/g, (end) => ' '.repeat(end.length)), start: index, isPlain: !unsure.test(text) }] : [],
  );
} // prettier-ignore

const rangeIn = ({ start }: Sentence, found: RegExpMatchArray): TextRange => ({ start: start + (found.index ?? 0), end: start + (found.index ?? 0) + found[0].trimEnd().length }); // prettier-ignore

// --- of what it is said -------------------------------------------------------------

const subject =
  "(?:the |our |this |these |those |its |each |all )*((?:scaled |raw |attention |final |softmax )*(?:weights?|outputs?|scores?|context)(?: (?:matrix|vectors?))?|`[^`\\n]+`|\\$[A-Za-z](?:_\\{?\\w\\}?)?\\$|[A-Z](?:_\\w+)?(?![\\w'’]))";

function kindSaid(words: string): Kind | undefined {
  const bare = words.toLowerCase();
  if (/^(?:attention |softmax )*weights?/.test(bare)) return 'weights';
  if (/^scaled (?:attention )?scores?/.test(bare)) return 'scaled';
  if (/^(?:raw |attention )*scores?/.test(bare)) return 'scores';
  return /^(?:final |attention )*(?:outputs?|context)/.test(bare) ? 'output' : undefined;
}

const nameSaid = (words: string): string => words.replace(/^[`$]|[`$]$/g, '');

const meantBy = ({ stated }: Said, words: string): readonly Stated[] => {
  const kind = kindSaid(words);
  const named = stated.filter(({ name }) => name === nameSaid(words));
  return named.length > 0 ? named : kind ? stated.filter((one) => one.kind === kind) : [];
};

// --- sums ---------------------------------------------------------------------------

const sumOf = new RegExp(
  `\\b(rows?|columns?) (?:of|in) ${subject}[^.;:]{0,60}?\\b(?:sums?|adds?(?: up)?) to (?:one|1(?:\\.0+)?)(?![\\d.]*\\d|%)`,
  'gi',
);
const sumHas = new RegExp(
  `${subject}['’]?s? (rows?|columns?)[^.;:]{0,30}? (?:sums?|adds?(?: up)?) to (?:one|1(?:\\.0+)?)(?![\\d.]*\\d|%)`,
  'gi',
);

function sums(said: Said, sentence: Sentence): readonly Mark[] {
  if (!sentence.isPlain) return [];
  const found = [...sentence.text.matchAll(sumOf)].map((one) => ({ one, axis: one[1] ?? '', words: one[2] ?? '' }));
  const more = [...sentence.text.matchAll(sumHas)].map((one) => ({ one, axis: one[2] ?? '', words: one[1] ?? '' }));
  return [...found, ...more].flatMap(({ one, axis, words }): Mark[] => {
    const byRows = /^row/i.test(axis);
    const all = meantBy(said, words).filter(({ numbers: given }) => given);
    const wrong = all.map((matrix) => otherSum(matrix, byRows));
    const [first] = wrong;
    if (all.length === 0 && kindSaid(words) === 'output' && byRows) return [{ rule: 'sum', range: rangeIn(sentence, one), ...outputSums() }];
    if (!first || wrong.some((other) => !other)) return [];
    const message = byRows ? t('Row {0} sums to {1}, not to 1.', first.at, written(first.sum)) : t('Column {0} sums to {1}, not to 1.', first.at, written(first.sum));
    const other = all.every((matrix) => !otherSum(matrix, !byRows)) ? (byRows ? t('Its columns sum to 1.') : t('Its rows sum to 1.')) : undefined;
    return [{ rule: 'sum', range: rangeIn(sentence, one), message, ...(other === undefined ? {} : { instead: other }) }];
  });
} // prettier-ignore

/** The first row or column whose sum is not 1. */
function otherSum({ shape, numbers: all = [] }: Stated, byRows: boolean): { readonly at: number; readonly sum: number } | undefined {
  const width = shape.at(-1) ?? 1;
  const height = byRows ? all.length / width : (shape.at(-2) ?? 1);
  for (let at = 0; at < (byRows ? height : width); at++) {
    const line = all.filter((_, i) => (byRows ? Math.floor(i / width) === at : i % width === at && i < height * width));
    const sum = line.reduce((whole, { value }) => whole + value, 0);
    const slack = line.reduce((whole, one) => whole + 2 * one.slack, 1e-5);
    if (!(Math.abs(sum - 1) <= slack)) return { at, sum: Number(sum.toPrecision(6)) };
  }
  return undefined;
} // prettier-ignore

/** Numbers that stand in: three tokens, with Q = K = V = X. */
const example = [[1, 0, 2], [0, 1, 1], [2, 1, 0]]; // prettier-ignore

function exampleOf(step: string): readonly (readonly number[])[] {
  const trace = explainAttention({ ...matrixDefaults, start: { from: 'x', x: example } });
  const found = trace.ok ? trace.value.plan.steps.find(({ id }) => id === step) : undefined;
  const values = trace.ok && found ? [...valuesOf(trace.value, found)] : [];
  return example.map((_, i) => values.slice(i * 3, i * 3 + 3));
}

function outputSums(): Pick<Mark, 'message' | 'instead'> {
  const sum = (exampleOf('output')[0] ?? []).reduce((a, b) => a + b, 0);
  return {
    message: t('Rows of the output are means of rows of V, weighted; they sum to what those sum to: with X = {0} row 0 sums to {1}.', JSON.stringify(example), written(Number(sum.toFixed(4)))),
    instead: t('The rows of the weights sum to 1.'),
  };
} // prettier-ignore

// --- symmetry -----------------------------------------------------------------------

const symmetric = new RegExp(
  `(?:${subject}|\\b(it|this)) (?:is|are|stays?|remains?)(?: also| always| thus| therefore| indeed| clearly)? symmetric\\b(?![- ](?:about|around))`,
  'gi',
);
const own = /([A-Za-z])\s*=\s*\1\s*\^\s*\{?(?:T|\\top|\\intercal|\\mathsf\{T\})\}?/;

function symmetries(said: Said, sentence: Sentence): readonly Mark[] {
  if (!sentence.isPlain) return [];
  return [...sentence.text.matchAll(symmetric)].flatMap((found): Mark[] => {
    const [, words = '', it] = found;
    const next = said.prose.slice(sentence.start, sentence.start + sentence.text.length + 120).split(/\n\s*\n/)[0] ?? '';
    const symbol = own.exec(next)?.[1];
    const isWeights = it === undefined ? kindSaid(words) === 'weights' : symbol !== undefined && isWeightOf(said.prose, symbol);
    const all = it === undefined ? meantBy(said, words) : isWeights ? said.stated.filter(({ kind }) => kind === 'weights') : [];
    const given = all.filter(({ numbers: cells, shape }) => cells && shape.length === 2);
    const range = rangeIn(sentence, found);
    const cells = given.map(otherCell);
    const [first] = cells;
    if (first && cells.every((cell) => cell)) return [{ rule: 'symmetric', range, message: t('Cell [{0}, {1}] is {2}, cell [{1}, {0}] is {3}: it is not symmetric.', ...first) }];
    return given.length === 0 && isWeights ? [{ rule: 'symmetric', range, ...weightsTurned() }] : [];
  });
} // prettier-ignore

/** `w` where the document sums `w_{ij} x_j`. */
const isWeightOf = (prose: string, symbol: string): boolean => new RegExp(`\\\\sum[^$]{0,60}?(?<![A-Za-z])${symbol}_\\{?ij\\}?[^$]{0,20}?[vx]_\\{?j`).test(prose); // prettier-ignore

function otherCell({ shape: [n = 0, m = 0], numbers: all = [] }: Stated): readonly [number, number, string, string] | undefined {
  for (let i = 0; i < n; i++)
    for (let j = 0; j < Math.min(i, m); j++) {
      const [a, b] = [all[i * m + j], all[j * m + i]];
      if (a && b && Math.abs(a.value - b.value) > 2 * (a.slack + b.slack) + 1e-6) return [i, j, written(a.value), written(b.value)];
    }
  return n === m ? undefined : [0, 0, '', ''];
} // prettier-ignore

function weightsTurned(): Pick<Mark, 'message' | 'instead'> {
  const w = exampleOf('weights');
  const cell = (i: number, j: number): string => written(Number((w[i]?.[j] ?? NaN).toFixed(4)));
  return {
    message: t('Softmax divides each row by its own sum: with Q = K = X = {0} the weight [0, 1] is {1}, [1, 0] is {2}.', JSON.stringify(example), cell(0, 1), cell(1, 0)),
    instead: t('QKᵀ is symmetric where Q = K; after softmax over its rows it is not.'),
  };
} // prettier-ignore

// --- shapes -------------------------------------------------------------------------

const size = '[(\\[`$]*(\\d+)\\s*(?:x|×|,|\\\\times|by)\\s*(\\d+)[)\\]`$]*(?!\\s*(?:x|×|,|\\\\times|by)?\\s*\\d)';
const hasShape = new RegExp(
  `${subject} (?:has|have|is of|are of)(?: a| the)? (?:shape|size|dimensions?)(?: of)? ${size}`,
  'gi',
);
const shapeIs = new RegExp(`\\b(?:shape|size) of ${subject} (?:is|=) ${size}`, 'gi');
const isMatrix = new RegExp(`${subject} (?:is|are) (?:a|an) ${size}[- ](?:matrix|tensor|array)`, 'gi');
const afterPrint = new RegExp(`^\\s*(?:(?:that is|this is|which is|giving|i\\.e\\.),? )?(?:a|an) ${size}[- ](?:matrix|tensor|array)\\b`, 'i'); // prettier-ignore

function shapes(said: Said, sentence: Sentence): readonly Mark[] {
  const printed = shapeAfterPrint(said, sentence);
  if (!sentence.isPlain) return printed;
  const all = [hasShape, shapeIs, isMatrix].flatMap((pattern) => [...sentence.text.matchAll(pattern)]);
  return [...printed, ...all.flatMap((found): Mark[] => {
    const [, words = '', rows, columns] = found;
    // What stands under another heading may be of another example.
    const near = meantBy(said, words).filter(({ at }) => at < sentence.start && !/^#{1,6}\s/m.test(said.prose.slice(at, sentence.start)));
    const [first] = near;
    if (!first || near.some(({ shape }) => shape.length > 2 || (shape.at(-2) ?? 1) === Number(rows) && shape.at(-1) === Number(columns))) return [];
    return [shapeMark(rangeIn(sentence, found), first.shape)];
  })];
} // prettier-ignore

const shapeMark = (range: TextRange, shape: readonly number[]): Mark => ({ rule: 'shape', range, message: t('It is {0}.', shape.join('×')), instead: shape.join('×') }); // prettier-ignore

/** “a 6×1 matrix”, right behind what was printed. */
function shapeAfterPrint({ text, stated }: Said, sentence: Sentence): readonly Mark[] {
  const found = afterPrint.exec(sentence.text);
  const start = sentence.start + sentence.text.length - sentence.text.trimStart().length;
  const before = stated.findLast(({ at, numbers: given }) => given && at < start);
  if (!found || !before || before.shape.length !== 2) return [];
  const fences = text.slice(before.at, start).match(/^[ \t]*(?:`{3,}|~{3,})[^\n]*/gm) ?? [];
  const isNext =
    fences.length === 1 &&
    text
      .slice(before.at, start)
      .trimEnd()
      .endsWith(fences[0] ?? '');
  const [n, m] = before.shape;
  const same = String(n) === found[1] && String(m) === found[2];
  return isNext && !same ? [shapeMark({ start, end: sentence.start + found[0].length }, before.shape)] : [];
}

// --- single numbers -----------------------------------------------------------------

const numeral = '(?:about |roughly |only |approximately |just |around )?(-?\\d*\\.\\d{2,})(?![\\d%])';
const single = new RegExp(`\\b(attention weight|weight|scaled score|attention score|score)(?! (?:matrix|matrices|decay))\\b[^.;!?]{0,80}?\\b(?:is|of|=|equals|was) ${numeral}`, 'gi'); // prettier-ignore
const extreme = new RegExp(`\\b(largest|highest|biggest|maximum|greatest|smallest|lowest|minimum) (attention weight|weight|scaled score|attention score|score)\\b[^.;!?]{0,60}?\\b(?:is|of|=) ${numeral}`, 'gi'); // prettier-ignore
const indexed = /[`$]?([A-Za-z_]\w*)\[(\d+), ?(\d+)\][`$]? (?:is|=|equals) (?:about |roughly )?(-?\d*\.?\d+)(?![\d%])/g;

const slackOf = (digits: string): number => Number(`1e-${(digits.split('.')[1] ?? '').length}`);
const isNear = ({ value, slack }: { readonly value: number; readonly slack: number }, digits: string): boolean => Math.abs(value - Number(digits)) <= slackOf(digits) * 1.001 + 2 * slack + 1e-9; // prettier-ignore

function numbers(said: Said, sentence: Sentence): readonly Mark[] {
  if (!sentence.isPlain) return [];
  const extremes = [...sentence.text.matchAll(extreme)];
  const singles = [...sentence.text.matchAll(single)].filter(({ index }) => extremes.every((one) => index < one.index || index >= one.index + one[0].length)); // prettier-ignore
  const mark = (found: RegExpMatchArray, message: string): Mark => ({ rule: 'number', range: rangeIn(sentence, found), message }); // prettier-ignore
  const ofKind = (words: string): readonly Stated[] => {
    const kind = kindSaid(words);
    const both: readonly (Kind | undefined)[] = kind === 'scores' ? ['scores', 'scaled'] : [kind];
    return said.stated.filter((one) => one.numbers && both.includes(one.kind));
  };
  return [
    ...extremes.flatMap((found): Mark[] => {
      const [, which = '', words = '', digits = ''] = found;
      const isLargest = /^(?:l.*g|h|b|ma|g)/i.test(which);
      const finite = ofKind(words).map(({ numbers: all = [] }) => all.filter(({ value }) => Number.isFinite(value)));
      const ends = finite.flatMap((all) => (all.length > 0 ? [all.reduce((a, b) => ((isLargest ? b.value > a.value : b.value < a.value) ? b : a))] : []));
      return ends.length === 0 || ends.some((end) => isNear(end, digits)) ? [] : [mark(found, t('It is {0}.', written(Number((ends.at(-1)?.value ?? NaN).toFixed(4)))))];
    }),
    ...singles.flatMap((found): Mark[] => {
      const [, words = '', digits = ''] = found;
      const all = said.stated.flatMap(({ numbers: own = [] }) => own);
      const own = ofKind(words).flatMap(({ numbers: cells = [] }) => cells).filter(({ value }) => Number.isFinite(value));
      if (own.length === 0 || all.some((one) => isNear(one, digits))) return [];
      const near = own.reduce((a, b) => (Math.abs(b.value - Number(digits)) < Math.abs(a.value - Number(digits)) ? b : a));
      return [mark(found, t('{0} is none of this document’s numbers; the nearest is {1}.', digits, written(Number(near.value.toFixed(4)))))];
    }),
    ...[...sentence.text.matchAll(indexed)].flatMap((found): Mark[] => {
      const [, name = '', i, j, digits = ''] = found;
      const all = said.stated.filter((one) => one.name === name && one.numbers && one.shape.length === 2);
      const cells = all.flatMap(({ numbers: own = [], shape }) => (Number(i) < (shape[0] ?? 0) && Number(j) < (shape[1] ?? 0) ? (own[Number(i) * (shape[1] ?? 1) + Number(j)] ?? []) : []));
      const [first] = cells;
      return !first || cells.some((cell) => isNear(cell, digits)) ? [] : [mark(found, t('It is {0}.', written(Number(first.value.toPrecision(6)))))];
    }),
  ];
} // prettier-ignore

// --- roots --------------------------------------------------------------------------

const root =
  /(?:√|\\sqrt\{|\bsqrt\()\s*(\d{1,6})\s*[)}]?\s*(?:\$\s*)?(?:=|≈|\\approx|is)\s*(?:\$\s*)?(\d+(?:\.\d+)?)(?![\d.]*\d)/g;

/** `√64 = 8` */
const roots = (sentence: Sentence): readonly Mark[] =>
  [...sentence.text.matchAll(root)].flatMap((found): Mark[] => {
    const [whole, of = '', digits = ''] = found;
    const value = Math.sqrt(Number(of));
    const rest = sentence.text.slice((found.index ?? 0) + whole.length).trimStart();
    if (Math.abs(value - Number(digits)) <= slackOf(digits) * 1.001 || /^[-+*/×·^(\\]/.test(rest)) return [];
    return [{ rule: 'divisor', range: rangeIn(sentence, found), message: t('√{0} is {1}.', of, written(Number(value.toFixed(4)))) }];
  }); // prettier-ignore
