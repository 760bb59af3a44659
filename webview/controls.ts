import type { AttentionSpec, Problem } from '../engine/index';
import {
  controls,
  countChanged,
  groupNote,
  groups,
  isChanged,
  problemsAt,
  readQuantity,
  type Control,
  type GroupId,
} from './control-table';
import type { Switches } from './switches';
import { button, dropdown, h, setAttribute, setDisabled, setText, textField, type Field } from './ui';

export interface ControlsModel {
  /** The input as it came: decides which controls there are. */
  readonly spec: AttentionSpec;
  readonly switches: Switches;
  readonly defaults: Switches;
  /** Why `switches` were refused, if they were. */
  readonly problems: readonly Problem[];
  /** Tokenizer files that are known by name. */
  readonly files: readonly string[];
}

export interface ControlsActions {
  readonly onChange: (switches: Switches) => void;
  readonly onReset: () => void;
  readonly onChooseTokenizer: () => void;
  readonly onClose: () => void;
}

export interface Controls {
  readonly element: HTMLElement;
  update(model: ControlsModel): void;
  focus(): void;
}

/** The sheet of switches, in groups, each with a line that says what it does. */
export function createControls(actions: ControlsActions): Controls {
  let model: ControlsModel | undefined;
  const reset = button({ label: 'Reset', title: 'Back to what the input came with', onClick: actions.onReset });
  const heading = h('h2', { id: 'controls-title', tabindex: -1 }, 'Controls');
  const close = button({ label: 'Close controls', icon: 'close', iconOnly: true, onClick: actions.onClose });
  const others = h('p', { class: 'control-problem', role: 'alert' });
  const body = h('div', { class: 'control-groups' });
  const element = h(
    'section',
    { id: 'controls', class: 'controls', 'aria-labelledby': 'controls-title' },
    h('div', { class: 'controls-head' }, heading, reset, close),
    others,
    body,
  );
  const change = (row: Row, text: string): void => {
    if (model) commit(row, text, model, actions);
  };
  let rows: readonly Row[] = [];
  let drawnFor = '';
  return {
    element,
    focus: () => heading.focus(),
    update(next) {
      model = next;
      const key = layoutKey(next);
      if (key !== drawnFor) {
        drawnFor = key;
        rows = drawGroups(body, next, change);
      }
      for (const row of rows) updateRow(row, next);
      showOthers(others, rows, next.problems);
      setDisabled(reset, countChanged(next.switches, next.defaults) === 0 && next.problems.length === 0);
    },
  };
}

interface Row {
  readonly control: Control;
  readonly field: Field;
  readonly element: HTMLElement;
  readonly note: HTMLElement;
  readonly mark: HTMLElement;
  readonly problem: HTMLElement;
  /** Text that is no number: it stays in the field until it is put right or the switches change. */
  rejected?: { readonly text: string; readonly problem: Problem; readonly value: string };
}

/** Problems that no control here stands for: said above them all. */
function showOthers(element: HTMLElement, rows: readonly Row[], problems: readonly Problem[]): void {
  const claimed = rows.flatMap(({ control }) => problemsAt(control, problems));
  const message = inWords(problems.filter((problem) => !claimed.includes(problem)));
  setText(element, message);
  setAttribute(element, 'data-problem', message ? 'controls' : undefined);
}

const inWords = (problems: readonly Problem[]): string =>
  problems.map((p) => [p.message, p.hint].filter(Boolean).join('. ')).join('\n');

/** Rows are rebuilt only when other controls apply. */
const layoutKey = ({ spec, switches, files }: ControlsModel): string =>
  [spec.start.from, spec.projections.from, ...files, ...applicable(spec, switches).map((c) => c.id)].join();

const applicable = (spec: AttentionSpec, switches: Switches): readonly Control[] =>
  controls.filter((control) => control.applies(spec, switches));

type Change = (row: Row, text: string) => void;

function drawGroups(body: HTMLElement, model: ControlsModel, change: Change): Row[] {
  const { spec, switches } = model;
  const rows = applicable(spec, switches).map((control) => createRow(control, model, change));
  const focused = body.querySelector('[data-control]:focus-within')?.getAttribute('data-control');
  body.replaceChildren(
    ...(Object.keys(groups) as GroupId[]).flatMap((group) => {
      const own = rows.filter(({ control }) => control.group === group).map(({ element }) => element);
      const note = groupNote(group, spec);
      if (!own.length && note === undefined) return [];
      const title = h('h3', { id: `group-${group}` }, groups[group]);
      return h(
        'div',
        { class: 'group', role: 'group', 'aria-labelledby': title.id },
        title,
        note !== undefined && h('p', {}, note),
        ...own,
      );
    }),
  );
  if (focused) rows.find(({ control }) => control.id === focused)?.field.element.focus();
  return rows;
}

function createRow(control: Control, { spec, files }: ControlsModel, change: Change): Row {
  const onChange = (text: string): void => change(row, text);
  const { label } = control;
  const field =
    control.kind === 'choice'
      ? dropdown({ label, options: control.options(spec, files), onChange })
      : textField({ label, size: 8, step: control.whole, onChange });
  field.element.setAttribute('data-control', control.id);
  const mark = h('span', { class: 'changed-mark' });
  const note = h('p', { class: 'note' }, control.explain);
  const problem = h('p', { class: 'control-problem', role: 'alert' });
  const element = h(
    'div',
    { class: 'control', 'data-control-row': control.id },
    h(
      'div',
      { class: 'control-line' },
      h('span', { class: 'control-label' }, symbolic(label), ' ', mark),
      field.element,
    ),
    note,
    problem,
  );
  const row: Row = { control, field, element, note, mark, problem };
  return row;
}

function commit(row: Row, text: string, model: ControlsModel, { onChange, onChooseTokenizer }: ControlsActions): void {
  const { control } = row;
  delete row.rejected;
  if (control.kind === 'choice' && text === control.opens) {
    // Until something is chosen there, the choice is what it was.
    row.field.set(control.get(model.switches));
    return onChooseTokenizer();
  }
  if (control.kind === 'choice') return onChange(control.set(model.switches, text, model.spec));
  const value = readQuantity(control, text);
  if (typeof value === 'number') return onChange(control.set(model.switches, value));
  row.rejected = { text, problem: value, value: control.get(model.switches) };
  updateRow(row, model);
}

function updateRow(row: Row, model: ControlsModel): void {
  const { spec, switches, defaults, problems } = model;
  const { control, field } = row;
  const value = control.get(switches);
  if (row.rejected && row.rejected.value !== value) delete row.rejected;
  if (!row.rejected) field.set(value);
  const locked = control.locked?.(spec, switches);
  const found = row.rejected ? [row.rejected.problem] : problemsAt(control, problems);
  const message = inWords(found);
  const changed = isChanged(control, switches, defaults);
  const explain = locked ?? control.explainChoice?.(switches) ?? control.explain;
  setText(row.note, explain);
  setText(row.problem, message);
  setAttribute(row.problem, 'data-problem', message ? control.id : undefined);
  setAttribute(row.element, 'data-changed', changed);
  setText(row.mark, changed ? `was ${shownValue(control, model)}` : '');
  field.describe({
    disabled: locked !== undefined,
    invalid: message !== '',
    description: [explain, message].filter(Boolean).join('. '),
  });
}

function shownValue(control: Control, { spec, defaults, files }: ControlsModel): string {
  const value = control.get(defaults);
  const options = control.kind === 'choice' ? control.options(spec, files) : [];
  return options.find((option) => option.value === value)?.text ?? value;
}

/** `d_k` as a symbol with its index below. */
export function symbolic(label: string): Node {
  const [, base, index] = /^(\p{L})_(\w+)$/u.exec(label) ?? [];
  return base && index ? h('var', {}, base, h('sub', {}, index)) : document.createTextNode(label);
}
