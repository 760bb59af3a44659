import { tokenizerName, type AttentionSpec, type CellExplanation, type CellValue } from '../../engine/index';
import { isVocabulary } from '../cuts';
import { make } from '../heatmap/dom';
import { brief, formatNumber } from '../numbers';
import { columnName, columnOf, formatIn, nameNode, rowName, stepOf, walk, written, type Book } from './book';

type Kind = CellExplanation['kind'];
type Of<K extends Kind> = Extract<CellExplanation, { kind: K }>;
type Content = (Node | string)[];

const line = (...content: Content): HTMLElement => make('div', {}, ...content);
const note = (...content: Content): HTMLElement => make('p', { class: 'note' }, ...content);
/** One line of a calculation written out: sign, name, number. An operand's name walks to it. */
type Entry = readonly [sign: string, what: CellValue | string, number?: string];

function ledger(book: Book, cell: CellValue, ...entries: readonly Entry[]): HTMLElement {
  const result: Entry = ['=', nameText(book, cell), written(book, cell.step, cell.value)];
  const rows = [...entries, result].map(([sign, what, number], i) =>
    make(
      'tr',
      i === entries.length ? { class: 'result' } : {},
      make('td', { class: 'sign-cell', text: sign }),
      make('td', {}, typeof what === 'string' ? what : walk(book, what, nameNode(book, what))),
      make('td', { text: number ?? (typeof what === 'string' ? '' : written(book, what.step, what.value)) }),
    ),
  );
  return make('table', { class: 'ledger' }, make('tbody', {}, ...rows));
}

const nameText = (book: Book, cell: CellValue): string => nameNode(book, cell).textContent ?? '';

const equation = (...lines: HTMLElement[]): HTMLElement => make('div', { class: 'equation' }, ...lines);
const bold = (text: string): HTMLElement => make('b', { text });

/** Name and value of an operand, as one button. */
const named = (book: Book, cell: Of<'sum'>['left']): HTMLElement =>
  walk(book, cell, nameNode(book, cell), ' ', written(book, cell.step, cell.value));

/** Explanations of one or two operands: an equation with the numbers in it, and a sentence where it needs one. */
export const explained: {
  readonly [K in Exclude<Kind, 'products' | 'softmax'>]: (book: Book, cell: Of<K>) => HTMLElement[];
} = {
  sum: (book, cell) => [ledger(book, cell, ['', cell.left], ['+', cell.right])],
  quotient: (book, cell) => [ledger(book, cell, ['', cell.operand], ['÷', ...divisorEntry(cell.by)])],
  lookup: (book, cell) => [
    ledger(book, cell, ['', cell.id], ['→', cell.entry]),
    note(
      `The ${columnName(book, cell.id)} of “${rowName(book, cell)}” is ${cell.id.value}: row ${cell.id.value} of the table.`,
    ),
  ],
  masked: (book, cell) => masked(book, cell),
  unchanged: (book, cell) => [
    ledger(book, cell, ['', cell.operand]),
    note('This step is switched off: its numbers pass unchanged.'),
  ],
  given: () => [note('Given: a number of your input.')],
  token: (book, cell) => [note(tokenNote(book.trace.spec, cell))],
  drawn: (book, cell) => drawn(book, cell),
  position: (book, cell) => position(book, cell),
  hidden: (book, cell) => [note(`${cell.hidden ? '1' : '0'}: ${visibility(book, cell, cell.hidden)}.`)],
  capped: (book, cell) => [
    equation(
      line(brief(cell.cap), ' · tanh(', named(book, cell.operand), ` ÷ ${brief(cell.cap)})`),
      line(`= ${brief(cell.cap)} · tanh(${brief(cell.ratio)})`),
      line(`= ${brief(cell.cap)} · ${brief(cell.tanh)} = `, bold(written(book, cell.step, cell.value))),
    ),
    note(`No score can pass ±${brief(cell.cap)}; small ones hardly change.`),
  ],
  rotated: (book, cell) => rotated(book, cell),
  moved: (book, cell) => [ledger(book, cell, ['', cell.operand]), note('The same number at another place.')],
  distance: (book, cell) => [
    equation(line(`−${brief(cell.slope)} · ${cell.distance} = `, bold(written(book, cell.step, cell.value)))),
    note(
      `“${rowName(book, cell)}” and “${columnName(book, cell)}” are ${cell.distance} apart; this head’s slope is ${brief(cell.slope)}.`,
    ),
  ],
};

/** `key “mat” comes after query “cat”, so it is hidden` */
function visibility(book: Book, cell: CellValue, hidden: boolean): string {
  const [key, query] = [columnName(book, cell), rowName(book, cell)];
  const { mask } = book.trace.spec;
  const causal = mask === 'causal' || (typeof mask === 'object' && mask.kind === 'causal');
  if (causal && hidden) return `key “${key}” comes after query “${query}”, so it is hidden`;
  return `query “${query}” ${hidden ? 'may not see' : 'sees'} key “${key}”`;
}

const isRoot = (by: number): boolean =>
  by > 1 && !Number.isInteger(by) && Math.abs(Math.sqrt(Math.round(by * by)) - by) < 1e-6 * by;

const divisorEntry = (by: number): [string, string] => [isRoot(by) ? `√${Math.round(by * by)}` : '', brief(by)];

/** `√8 (2.828)` where the divisor is the root of a whole number. */
const divisor = (by: number): string => (isRoot(by) ? `√${Math.round(by * by)} (${brief(by)})` : brief(by));

function masked(book: Book, cell: Of<'masked'>): HTMLElement[] {
  const hidden = cell.mask.value === 1;
  const fill = formatNumber(cell.fill, formatIn(book, cell.step));
  return [
    ledger(book, cell, ['', cell.operand], [hidden ? 'hidden' : 'seen', cell.mask]),
    note(
      hidden
        ? `${capital(visibility(book, cell, true))}: the score is replaced by ${fill}, and exp makes that 0.`
        : `${capital(visibility(book, cell, false))}: the score stays.`,
    ),
  ];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function drawn(book: Book, cell: Of<'drawn'>): HTMLElement[] {
  const value = written(book, cell.step, cell.value);
  const scaled = cell.divideBy !== 1;
  return [
    ...(scaled ? [equation(line(brief(cell.draw), ` ÷ ${divisor(cell.divideBy)} = `, bold(value)))] : []),
    note(
      `Drawn from a normal distribution: ${cell.generator}, seed ${cell.seed}${scaled ? `, divided by ${divisor(cell.divideBy)}` : ''}. Random, not learned.`,
    ),
  ];
}

/** One of a pair of columns, turned by the angle of its position: own · cos ± partner · sin. */
function rotated(book: Book, cell: Of<'rotated'>): HTMLElement[] {
  const sign = cell.sign < 0 ? '− ' : '+ ';
  return [
    equation(
      line(named(book, cell.own), ' · cos ', walk(book, cell.cosine)),
      line(sign, named(book, cell.partner), ' · sin ', walk(book, cell.sine)),
      line('= ', bold(written(book, cell.step, cell.value))),
    ),
    note('Two columns make a point in the plane, turned by an angle that grows with the position.'),
  ];
}

function position(book: Book, cell: Of<'position'>): HTMLElement[] {
  const step = stepOf(book, cell.step);
  const width = step.shape.at(-1) ?? 0;
  const concatenated = step.call.op === 'sinusoidal' && step.call.layout === 'concatenated';
  const column = columnOf(cell);
  const pair = step.call.op === 'rotations';
  const power = pair
    ? `${2 * column}/${2 * width}`
    : concatenated
      ? `${column % (width / 2)}/${width / 2}`
      : `${2 * Math.floor(column / 2)}/${width}`;
  const up = make('sup', { text: power });
  return [
    equation(
      line(`${cell.fn}(${cell.position} ÷ 10000`, up, ')'),
      line(`= ${cell.fn}(${cell.position} ÷ ${brief(cell.divisor)})`),
      line(`= ${cell.fn}(${brief(cell.angle)})`),
      line('= ', bold(written(book, cell.step, cell.value))),
    ),
    note(
      `Position ${cell.position}; column ${column} swings once in ${brief(2 * Math.PI * cell.divisor, 3)} positions.`,
    ),
  ];
}

const inOrder = 'distinct tokens are numbered in the order in which they first occur';

/** Where a token's number comes from. */
function tokenNote({ start }: AttentionSpec, { text, value, is }: Of<'token'>): string {
  if (is === 'row') return `“${text}” is row ${value} of the table: ${inOrder}.`;
  if (start.from !== 'text') return `The id ${value}, as it was given.`;
  if (isVocabulary(start.tokenizer))
    return `“${text}” has the id ${value} in the vocabulary of ${tokenizerName(start.tokenizer)}.`;
  return `“${text}” has the id ${value}: ${start.tokenizer === 'bytes' ? 'the byte itself' : inOrder}.`;
}
