import { say, slot, t, type CellValue, type Step } from '../../engine/index';
import { make } from '../heatmap';
import { labelAt, shortLabel } from '../trace';
import { brief, percent, repr } from '../draw';
import { largest } from '../product';
import {
  rowName,
  rowOf,
  columnOf,
  stepOf,
  symbolNode,
  sentenceNodes,
  valueButton,
  formattedValue,
  type InspectorContext,
} from './layout';
import { shareBar } from './bars';

/** The chain from a cell to the cells it becomes: `S 2.12 › ÷ √8 0.75 › A 0.327 › 32.7 % of v_sat`. Empty if there are none. */
export function laterCellsOf(
  book: InspectorContext,
  here: CellValue,
  chain: readonly CellValue[],
  whole: boolean,
): HTMLElement | undefined {
  const links = [here, ...chain.filter((c) => stepOf(book, c.step).call.op !== 'identity')];
  const end = whole ? mixedInto(book, chain.at(-1) ?? here) : undefined;
  if (links.length === 1 && !end) return undefined;
  const items = links.map((cell, i) => link(book, cell, i === 0));
  const list = make(
    'ol',
    { class: 'later-cells' },
    ...[...items, ...(end ? [end] : [])].map((node) => make('li', {}, node)),
  );
  return make('section', {}, make('h3', { text: t('Where it goes') }), list);
}

function link(book: InspectorContext, cell: CellValue, current: boolean): HTMLElement {
  const step = stepOf(book, cell.step);
  const node = valueButton(
    book,
    cell,
    make('span', { class: 'made' }, ...made(step)),
    ' ',
    formattedValue(book, cell.step, cell.value),
  );
  node.classList.add('later-step');
  node.style.setProperty('--role', `var(--role-${step.role})`);
  if (current) node.setAttribute('aria-current', 'true');
  return node;
}

/** The label of a link: the operation, if it says more than the symbol. */
function made(step: Step): (Node | string)[] {
  if (step.call.op !== 'divide') return [symbolNode(step)];
  const square = Math.round(step.call.by ** 2);
  const root = Math.abs(Math.sqrt(square) - step.call.by) < 1e-6 && !Number.isInteger(step.call.by);
  return [`÷ ${root ? `√${square}` : brief(step.call.by)}`];
}

/** The end of the chain, where a product mixes the cell with others: a row of the output for a weight, a row of scores for a query. */
function mixedInto(book: InspectorContext, last: CellValue): HTMLElement | undefined {
  const next = book.trace.plan.steps.find((s) => s.call.op === 'matmul' && s.operands.includes(last.step));
  if (next?.call.op !== 'matmul') return undefined;
  const first = next.operands[0] === last.step;
  if (stepOf(book, last.step).kind === 'weights' && first) return shareOfValue(book, last, next);
  const own = next.call.transposeB ? rowOf(last) : columnOf(last);
  const [sentence, index] = first
    ? [say('[row|column] {0} of {1}', labelAt(next.rowLabels, rowOf(last)), slot()), [rowOf(last), 0]]
    : [say('[column|row] {0} of {1}', labelAt(next.columnLabels, own), slot()), [0, own]];
  return goTo(book, next, index, sentenceNodes(book, sentence, symbolNode(next)));
}

/** For a weight: how much it contributes of which row of V. */
function shareOfValue(book: InspectorContext, weight: CellValue, output: Step): HTMLElement {
  const value = stepOf(book, output.operands[1] ?? '');
  const name = make(
    'span',
    {},
    symbolNode(value, true),
    make('sub', { text: labelAt(value.rowLabels, columnOf(weight)) }),
  );
  return goTo(
    book,
    output,
    [rowOf(weight), 0],
    sentenceNodes(book, say('{0} of {1}', percent(weight.value), slot()), name),
  );
}

const goTo = (book: InspectorContext, step: Step, index: readonly number[], content: (Node | string)[]): HTMLElement =>
  make(
    'button',
    {
      class: 'walk later-step',
      attributes: { type: 'button', 'data-step': step.id },
      onClick: () => book.options.onNavigate(step.id, index),
    },
    ...content,
  );

const mostBars = 20;

/** The weights of a row as bars labelled by keys; of a long row only the largest. */
export function rowBars(book: InspectorContext, step: Step, here: CellValue, weights: readonly number[]): HTMLElement {
  const lead = here.index.slice(0, -1);
  const at = columnOf(here);
  const most = Math.max(...weights.filter(Number.isFinite), 0);
  const shown = weights.length <= mostBars ? weights.map((_, i) => i) : largest(weights, mostBars, at);
  const items = shown.map((i) => bar(book, step, [...lead, i], weights[i] as number, most, i === at));
  const left = weights.length - shown.length;
  const more =
    left > 0
      ? [make('li', { class: 'others', text: left === 1 ? t('1 smaller one') : t('{0} smaller ones', left) })]
      : [];
  const title = make(
    'h3',
    {},
    ...sentenceNodes(book, say('In [row|column] {0} of {1}', rowName(book, here), slot()), symbolNode(step)),
  );
  return make('section', {}, title, make('ul', { class: 'row-bars' }, ...items, ...more));
}

function bar(
  book: InspectorContext,
  step: Step,
  index: readonly number[],
  weight: number,
  most: number,
  lit: boolean,
): HTMLElement {
  const cell: CellValue = { step: step.id, index, value: weight };
  const at = index.at(-1) ?? 0;
  const [text, title] = [shortLabel(step.columnLabels, at), labelAt(step.columnLabels, at)];
  const name = make('span', { class: 'name', text, title });
  const item = make('li', { class: lit ? 'lit' : '', attributes: { 'data-weight': repr(weight) } });
  item.append(name, shareBar(weight, most), valueButton(book, cell));
  return item;
}
