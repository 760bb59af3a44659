import {
  equals,
  marginOf,
  rootOf,
  say,
  shownAngle,
  shownApplied,
  shownDistance,
  shownQuotient,
  shownReduced,
  shownRotation,
  shownSame,
  shownSum,
  shownWork,
  signOf,
  t,
  tokenizerName,
  type AttentionSpec,
  type CellExplanation,
  type CellValue,
  type Sentence,
  type ShownLine,
  type ShownResult,
} from '../../engine/index';
import { isVocabulary } from '../choices';
import { make } from '../heatmap';
import { brief, formatNumber } from '../draw';
import { keysInRows } from '../trace';
import {
  intermediateDigits,
  columnName,
  columnOf,
  formatIn,
  nameNode,
  placesIn,
  resultText,
  rowName,
  sentenceText,
  stepOf,
  shownValueButton,
  formattedValue,
  type InspectorContext,
} from './layout';

type Kind = CellExplanation['kind'];
type Of<K extends Kind> = Extract<CellExplanation, { kind: K }>;
type Content = (Node | string)[];

const line = (...content: Content): HTMLElement => make('div', {}, ...content);
const note = (...content: Content): HTMLElement => make('p', { class: 'note' }, ...content);
/** One line of a calculation: sign, name, number. An operand's name is a link to its explanation. */
type Entry = readonly [sign: string, what: CellValue | string, number: string];

function ledger(
  book: InspectorContext,
  cell: CellValue,
  result: ShownResult,
  ...entries: readonly Entry[]
): HTMLElement {
  const last: Entry = [signOf(result), nameText(book, cell), resultText(book, result)];
  const rows = [...entries, last].map(([sign, what, number], i) =>
    make(
      'tr',
      i === entries.length ? { class: 'result' } : {},
      make('td', { class: 'sign-cell', text: sign }),
      make('td', {}, typeof what === 'string' ? what : shownValueButton(book, what, number, nameNode(book, what))),
      make('td', { text: number }),
    ),
  );
  return make('table', { class: 'ledger' }, make('tbody', {}, ...rows));
}

/** One number that appears in two matrices. */
function same(
  book: InspectorContext,
  cell: CellValue,
  from: CellValue,
): { readonly result: ShownResult; readonly entry: Entry } {
  const { from: shown, result } = shownSame(cell, from, placesIn(book));
  return { result, entry: ['', from, shown[0]?.text ?? ''] };
}

const plainEntry = (book: InspectorContext, sign: string, cell: CellValue): Entry => [
  sign,
  cell,
  formattedValue(book, cell.step, cell.value),
];
const textAt = ({ from }: ShownLine, i: number): string => from[i]?.text ?? '';

const nameText = (book: InspectorContext, cell: CellValue): string => nameNode(book, cell).textContent ?? '';

const equation = (...lines: HTMLElement[]): HTMLElement => make('div', { class: 'equation' }, ...lines);
const bold = (text: string): HTMLElement => make('b', { text });

/** Name and value of an operand in one button. */
const named = (book: InspectorContext, cell: CellValue, text: string): HTMLElement =>
  shownValueButton(book, cell, text, nameNode(book, cell), ' ', text);

/** The end of an equation: `= ` and the value. */
const ending = (book: InspectorContext, result: ShownResult): Content => [
  `${signOf(result)} `,
  bold(resultText(book, result)),
];

function sum(book: InspectorContext, cell: Of<'sum'>): HTMLElement[] {
  const line = shownSum(cell, placesIn(book));
  return [ledger(book, cell, line.result, ['', cell.left, textAt(line, 0)], ['+', cell.right, textAt(line, 1)])];
}

function quotient(book: InspectorContext, cell: Of<'quotient'>): HTMLElement[] {
  const line = shownQuotient(cell, placesIn(book), intermediateDigits);
  const root = rootOf(cell.by);
  const by: Entry = ['÷', root === undefined ? '' : `√${root}`, textAt(line, 1)];
  return [ledger(book, cell, line.result, ['', cell.operand, textAt(line, 0)], by)];
}

function applied(book: InspectorContext, cell: Of<'applied'>): HTMLElement[] {
  const line = shownApplied(cell, placesIn(book), intermediateDigits);
  const signs = cell.function === 'exp' ? ['exp'] : ['', cell.function];
  const entries = line.from.map(({ text }, i): Entry => [signs[i] ?? '', cell.operands[i] ?? '', text]);
  return [ledger(book, cell, line.result, ...entries)];
}

function reduced(book: InspectorContext, cell: Of<'reduced'>): HTMLElement[] {
  const line = shownReduced(cell, placesIn(book));
  const sign = cell.function === 'sum' ? '+' : ',';
  const entries = cell.terms.map((term, i): Entry => [i === 0 ? '' : sign, term, textAt(line, i)]);
  const words = cell.function === 'sum' ? t('The sum of these numbers.') : t('The largest of these numbers.');
  return [ledger(book, cell, line.result, ...entries), note(words)];
}

function lookup(book: InspectorContext, cell: Of<'lookup'>): HTMLElement[] {
  const { result, entry } = same(book, cell, cell.entry);
  const [, from, text] = entry;
  return [
    ledger(book, cell, result, plainEntry(book, '', cell.id), ['→', from, text]),
    note(
      sentenceText(
        book,
        say(
          'The {0} of “{1}” is {2}: [row|column] {2} of the table.',
          columnName(book, cell.id),
          rowName(book, cell),
          cell.id.value,
        ),
      ),
    ),
  ];
}

function moved(book: InspectorContext, cell: Of<'moved'> | Of<'unchanged'>, words: string): HTMLElement[] {
  const { result, entry } = same(book, cell, cell.operand);
  return [ledger(book, cell, result, entry), note(words)];
}

/** Where a number comes from that no step of the page computes. */
function givenWords(book: InspectorContext, id: string): string {
  const { start } = book.trace.spec;
  const step = start.from === 'program' ? start.steps.find((one) => one.id === id) : undefined;
  const origin = step?.op === 'given' ? step.origin : undefined;
  if (stepOf(book, id).standIn) return t('Stand-in numbers: the text does not say what they are.');
  return origin === 'computed'
    ? t('Given: the code computes it, and its steps are not shown.')
    : t('Given: a number of your input.');
}

/** Explanations of cells with one or two operands: an equation with numbers, and a sentence where it needs one. */
export const explained: {
  readonly [K in Exclude<Kind, 'products' | 'softmax'>]: (book: InspectorContext, cell: Of<K>) => HTMLElement[];
} = {
  sum,
  quotient,
  lookup,
  masked: (book, cell) => masked(book, cell),
  unchanged: (book, cell) => moved(book, cell, t('This step is switched off: its numbers pass unchanged.')),
  given: (book, cell) => [
    note(book.options.origin?.(stepOf(book, cell.step), cell.index) ?? givenWords(book, cell.step)),
  ],
  learned: (_, { tensor, at, model }) => [
    note(t('Learned in training: {0} of the model {1}.', `${tensor}[${at.join(', ')}]`, model)),
  ],
  token: (book, cell) => [note(sentenceText(book, tokenNote(book.trace.spec, cell)))],
  drawn: (book, cell) => drawn(book, cell),
  position: (book, cell) => position(book, cell),
  bucket: (_, cell) => [
    note(
      cell.alone
        ? t('Key less query is {0}: this distance has a bucket of its own.', cell.relative)
        : t('Key less query is {0}: this distance shares its bucket with others beside it.', cell.relative),
    ),
  ],
  hidden: (book, cell) => [note(`${cell.hidden ? '1' : '0'}: ${visibility(book, cell, cell.hidden)}.`)],
  worked: (book, cell) => worked(book, cell),
  rotated: (book, cell) => rotated(book, cell),
  moved: (book, cell) => moved(book, cell, t('The same number at another place.')),
  distance: (book, cell) => distance(book, cell),
  applied: (book, cell) => applied(book, cell),
  reduced: (book, cell) => reduced(book, cell),
};

/** Number of terms of a sum that are written out. */
const mostTerms = 8;

/** A calculation in several lines, in which every cell is a link to its own explanation. */
function worked(book: InspectorContext, cell: Of<'worked'>): HTMLElement[] {
  const shown = shownWork(cell, placesIn(book), intermediateDigits, mostTerms);
  const { dtype } = book.trace.spec;
  const lines = shown.map((one, i) => {
    const parts = one.parts.map((part) =>
      typeof part === 'string' ? part : shownValueButton(book, part.cell, part.text),
    );
    const end = i === shown.length - 1 ? ending(book, one.result) : [`${equals(one.result, dtype)}`];
    return line(one.name ? `${sentenceText(book, one.name)}: ` : '', ...parts, ' ', ...end);
  });
  return [equation(...lines), note(sentenceText(book, cell.note))];
}

function distance(book: InspectorContext, cell: Of<'distance'>): HTMLElement[] {
  const shown = shownDistance(cell, placesIn(book), intermediateDigits);
  return [
    equation(line(`−${textAt(shown, 0)} · ${cell.distance} `, ...ending(book, shown.result))),
    note(
      t(
        '“{0}” and “{1}” are {2} apart; this head’s slope is {3}.',
        rowName(book, cell),
        columnName(book, cell),
        cell.distance,
        textAt(shown, 0),
      ),
    ),
  ];
}

/** `key “mat” comes after query “cat”, so it is hidden` */
function visibility(book: InspectorContext, cell: CellValue, hidden: boolean): string {
  const [row, column] = [rowName(book, cell), columnName(book, cell)];
  const [query, key] = keysInRows(book.trace.plan) ? [column, row] : [row, column];
  const { mask } = book.trace.spec;
  const causal = mask === 'causal' || (typeof mask === 'object' && mask.kind === 'causal');
  if (causal && hidden) return t('key “{0}” comes after query “{1}”, so it is hidden', key, query);
  return hidden ? t('query “{0}” may not see key “{1}”', query, key) : t('query “{0}” sees key “{1}”', query, key);
}

/** `√8 (2.828)` if the divisor is the root of an integer. */
function divisor(by: number, text = brief(by)): string {
  const root = rootOf(by);
  return root === undefined ? text : `√${root} (${text})`;
}

function masked(book: InspectorContext, cell: Of<'masked'>): HTMLElement[] {
  const hidden = cell.mask.value === 1;
  const fill = formatNumber(cell.fill, formatIn(book, cell.step));
  const { result, entry } = same(book, cell, hidden ? cell : cell.operand);
  const operand = hidden ? plainEntry(book, '', cell.operand) : entry;
  return [
    ledger(book, cell, result, operand, plainEntry(book, hidden ? t('hidden') : t('seen'), cell.mask)),
    note(
      hidden
        ? t('{0}: the score is replaced by {1}, and exp makes that 0.', capital(visibility(book, cell, true)), fill)
        : t('{0}: the score stays.', capital(visibility(book, cell, false))),
    ),
  ];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A draw times a factor, as `torch.randn(…) * 0.02`. */
function drawnTimes(book: InspectorContext, cell: Of<'drawn'>, times: number): HTMLElement[] {
  const shown = shownQuotient(cell, placesIn(book), intermediateDigits);
  const words = t('Drawn from a normal distribution: {0}, seed {1}, times {2}. Random, not learned.', cell.generator, cell.seed, brief(times)); // prettier-ignore
  return [equation(line(textAt(shown, 0), ` · ${textAt(shown, 1)} `, ...ending(book, shown.result))), note(words)];
}

function drawn(book: InspectorContext, cell: Of<'drawn'>): HTMLElement[] {
  if (cell.times !== undefined) return drawnTimes(book, cell, cell.times);
  if (cell.divideBy === 1) {
    const words = t('Drawn from a normal distribution: {0}, seed {1}. Random, not learned.', cell.generator, cell.seed);
    return [note(words)];
  }
  const shown = shownQuotient(cell, placesIn(book), intermediateDigits);
  const by = divisor(cell.divideBy, textAt(shown, 1));
  return [
    equation(line(textAt(shown, 0), ` ÷ ${by} `, ...ending(book, shown.result))),
    note(
      t(
        'Drawn from a normal distribution: {0}, seed {1}, divided by {2}. Random, not learned.',
        cell.generator,
        cell.seed,
        divisor(cell.divideBy),
      ),
    ),
  ];
}

/** A cell of a rotated pair of columns: own · cos ± partner · sin of the position's angle. */
function rotated(book: InspectorContext, cell: Of<'rotated'>): HTMLElement[] {
  const sign = cell.sign < 0 ? '− ' : '+ ';
  const shown = shownRotation(cell, placesIn(book));
  const [own, cosine, partner, sine] = [0, 1, 2, 3].map((i) => textAt(shown, i)) as [string, string, string, string];
  return [
    equation(
      line(named(book, cell.own, own), ' · cos ', shownValueButton(book, cell.cosine, cosine)),
      line(sign, named(book, cell.partner, partner), ' · sin ', shownValueButton(book, cell.sine, sine)),
      line(...ending(book, shown.result)),
    ),
    note(
      sentenceText(
        book,
        say('Two [columns|rows] make a point in the plane, turned by an angle that grows with the position.'),
      ),
    ),
  ];
}

function position(book: InspectorContext, cell: Of<'position'>): HTMLElement[] {
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
  const { divisor: by, angle, result, times } = shownAngle(cell, placesIn(book), intermediateDigits);
  const margin = marginOf(angle, book.trace.spec.dtype);
  const more = times ? ` · ${times.text}` : '';
  const { turn } = cell;
  const isPower = !turn || turn.share === 1;
  return [
    equation(
      ...(isPower ? [line(`${cell.fn}(${cell.position} ÷ ${baseText(turn)}`, up, `)${more}`)] : []),
      line(`${isPower ? '= ' : ''}${cell.fn}(${cell.position} ÷ ${by.text})${more}`),
      line(`${signOf(angle)} ${cell.fn}(${angle.text})${more}${margin}`),
      line(...ending(book, result)),
    ),
    ...(turn && !isPower ? [note(sentenceText(book, slowerWords(turn)))] : []),
    note(
      sentenceText(
        book,
        say(
          'Position {0}; [column|row] {1} swings once in {2} positions.',
          cell.position,
          column,
          brief(2 * Math.PI * cell.divisor, 3),
        ),
      ),
    ),
  ];
}

const baseText = (turn: Of<'position'>['turn']): string => String(Number((turn?.base ?? 10000).toPrecision(6)));

/** What a scaling of RoPE has made of a pair's divisor. */
const slowerWords = ({ plain, share, factor }: NonNullable<Of<'position'>['turn']>): Sentence =>
  share === 0
    ? say('This pair turns slower by {0}: unscaled its divisor is {1}.', factor, brief(plain))
    : say(
        'Of this pair’s speed {0} is kept and the rest divided by {1}: unscaled its divisor is {2}.',
        brief(share),
        factor,
        brief(plain),
      );

const inOrder = say('distinct tokens are numbered in the order in which they first occur');

/** How a token's number was assigned. */
function tokenNote({ start }: AttentionSpec, { text, value, is }: Of<'token'>): Sentence {
  if (is === 'row') return say('“{0}” is [row|column] {1} of the table: {2}.', text, value, inOrder);
  if (start.from !== 'text') return say('The id {0}, as it was given.', value);
  if (isVocabulary(start.tokenizer))
    return say('“{0}” has the id {1} in the vocabulary of {2}.', text, value, tokenizerName(start.tokenizer));
  return start.tokenizer === 'bytes'
    ? say('“{0}” has the id {1}: the byte itself.', text, value)
    : say('“{0}” has the id {1}: {2}.', text, value, inOrder);
}
