import { t, type AttentionSpec, type ControlOption, type GroupId, type Problem } from '../../engine/index';
import { briefOf } from './summary';
import { createDisplay, type Display } from './orientation-control';
import {
  controls,
  countChanged,
  groupNote,
  groups,
  isChanged,
  isOfDisplay,
  problemsAt,
  readQuantity,
  type PageChoice,
  type PageControl,
} from './list';
import {
  button,
  dropdown,
  h,
  isStandalone,
  setAttribute,
  setDisabled,
  setTypeset,
  textField,
  type Field,
} from '../draw';
import type { ControlValues } from '../choices';

export interface ControlsModel {
  /** The input's own spec, which determines which controls there are. */
  readonly spec: AttentionSpec;
  readonly switches: ControlValues;
  readonly defaults: ControlValues;
  /** Why `switches` were refused, if they were. */
  readonly problems: readonly Problem[];
  /** Names of the tokenizer files that can be used. */
  readonly files: readonly string[];
  /** Whether tokens are drawn as columns. */
  readonly columns: boolean;
  /** Ids of the groups that are unfolded. */
  readonly unfolded: readonly string[];
}

export interface ControlsActions {
  readonly onChange: (switches: ControlValues) => void;
  readonly onReset: () => void;
  readonly onChooseTokenizer: () => void;
  readonly onColumns: (columns: boolean) => void;
  readonly onFold: (group: GroupId, open: boolean) => void;
  readonly onClose: () => void;
}

export interface Controls {
  readonly element: HTMLElement;
  update(model: ControlsModel): void;
  focus(): void;
}

/** The sheet of controls in groups, which fold to one line with the chosen values. Each control has a line that explains it. */
export function createControls(actions: ControlsActions): Controls {
  let model: ControlsModel | undefined;
  const reset = button({ label: t('Reset'), title: t('Back to what the input came with'), onClick: actions.onReset });
  const heading = h('h2', { id: 'controls-title', tabindex: -1 }, t('Controls'));
  const close = button({ label: t('Close controls'), icon: 'close', iconOnly: true, onClick: actions.onClose });
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
  let groupsShown: readonly Group[] = [];
  let drawnFor = '';
  const display = createDisplay(actions.onColumns);
  return {
    element,
    focus: () => heading.focus(),
    update(next) {
      model = next;
      const key = layoutKey(next);
      if (key !== drawnFor) {
        drawnFor = key;
        groupsShown = drawGroups(body, next, display, { change, onFold: actions.onFold });
      }
      const rows = groupsShown.flatMap((group) => group.rows);
      for (const row of rows) updateRow(row, next);
      display.update(next.columns);
      for (const group of groupsShown) updateGroup(group, next);
      showOthers(others, rows, next.problems);
      setDisabled(reset, countChanged(next.switches, next.defaults) === 0 && next.problems.length === 0);
    },
  };
}

interface Row {
  readonly control: PageControl;
  readonly field: Field;
  readonly element: HTMLElement;
  readonly note: HTMLElement;
  readonly mark: HTMLElement;
  readonly problem: HTMLElement;
  /** Text that is no number. It stays in the field until it is corrected or the controls change. */
  rejected?: { readonly text: string; readonly problem: Problem; readonly value: string };
}

/** Shows problems that belong to no control above all controls. */
function showOthers(element: HTMLElement, rows: readonly Row[], problems: readonly Problem[]): void {
  const claimed = rows.flatMap(({ control }) => problemsAt(control, problems));
  const message = inWords(problems.filter((problem) => !claimed.includes(problem)));
  setTypeset(element, message);
  setAttribute(element, 'data-problem', message ? 'controls' : undefined);
}

const inWords = (problems: readonly Problem[]): string =>
  problems.map((p) => [p.message, p.hint].filter(Boolean).join('. ')).join('\n');

/** A key of what determines the set of rows; they are rebuilt only when it changes. */
const layoutKey = ({ spec, switches, files }: ControlsModel): string =>
  [
    spec.start.from,
    spec.projections.from,
    switches.model,
    ...files,
    ...applicable(spec, switches).map((c) => c.id),
  ].join();

/** The controls for an input. A program's steps can only be changed in its code, so only the display controls apply to it. */
const applicable = (spec: AttentionSpec, switches: ControlValues): readonly PageControl[] =>
  controls.filter(
    (control) => control.applies(spec, switches) && (spec.start.from !== 'program' || isOfDisplay(control)),
  );

type Change = (row: Row, text: string) => void;

interface Group {
  readonly id: GroupId;
  readonly rows: readonly Row[];
  readonly element: HTMLDetailsElement | undefined;
  readonly brief: HTMLElement;
}

interface Drawing {
  readonly change: Change;
  readonly onFold: ControlsActions['onFold'];
}

function drawGroups(body: HTMLElement, model: ControlsModel, display: Display, drawing: Drawing): Group[] {
  const { spec, switches } = model;
  const rows = applicable(spec, switches).map((control) => createRow(control, model, drawing.change));
  const focused = body.querySelector('[data-control]:focus-within')?.getAttribute('data-control');
  const drawn = (Object.keys(groups) as GroupId[]).map((id) => {
    const own = rows.filter(({ control }) => control.group === id);
    return drawGroup(id, own, id === 'numbers' ? [display.element] : [], groupNote(id, spec), drawing.onFold);
  });
  body.replaceChildren(...drawn.flatMap(({ shown }) => shown ?? []));
  const group = drawn.find((one) => one.rows.some(({ control }) => control.id === focused));
  if (group?.element) group.element.open = true;
  if (focused) rows.find(({ control }) => control.id === focused)?.field.element.focus();
  return drawn;
}

/** A group of controls, which folds; a group without controls for this input says why. */
function drawGroup(
  id: GroupId,
  rows: readonly Row[],
  more: readonly HTMLElement[],
  note: string | undefined,
  onFold: ControlsActions['onFold'],
): Group & { readonly shown: HTMLElement | undefined } {
  const brief = h('span', { class: 'group-brief' });
  const title = h('h3', { id: `group-${id}` }, groups[id]);
  const said = note === undefined ? [] : [h('p', {}, note)];
  if (rows.length + more.length === 0) {
    const attributes = { class: 'group', role: 'group', 'aria-labelledby': title.id };
    return {
      id,
      rows,
      brief,
      element: undefined,
      shown: said.length ? h('div', attributes, title, ...said) : undefined,
    };
  }
  const summary = h('summary', {}, title, brief);
  const inside = h(
    'div',
    { class: 'group-body', role: 'group', 'aria-labelledby': title.id },
    ...said,
    ...rows.map((row) => row.element),
    ...more,
  );
  const element = h('details', { class: 'group', 'data-group': id }, summary, inside);
  summary.addEventListener('click', (event) => {
    event.preventDefault();
    onFold(id, !element.open);
  });
  return { id, rows, brief, element, shown: element };
}

/** A group is open if the reader opened it, or if it contains a problem. */
function updateGroup({ id, rows, element, brief }: Group, model: ControlsModel): void {
  const { spec, switches, defaults, columns, unfolded, files } = model;
  if (!element) return;
  const wrong = rows.some((row) => row.problem.textContent !== '');
  element.open = unfolded.includes(id) || wrong;
  const chosen = briefOf(
    rows.map(({ control }) => control),
    spec,
    switches,
    files,
  );
  setTypeset(brief, id === 'numbers' && columns ? t('{0} · tokens as columns', chosen) : chosen);
  const changed = rows.some(({ control }) => isChanged(control, switches, defaults));
  setAttribute(element, 'data-changed', changed);
}

/** The options of a choice. A standalone page has no VS Code to open a file dialog. */
const offered = (control: PageChoice, { spec, files, switches }: ControlsModel): readonly ControlOption[] =>
  control.options(spec, files, switches).filter(({ value }) => value !== control.opens || !isStandalone());

/** Longest option, in characters, that fits beside the label; longer ones are placed below it in full width. */
const besideLabel = 16;

function createRow(control: PageControl, model: ControlsModel, change: Change): Row {
  const onChange = (text: string): void => change(row, text);
  const label = control.label();
  const options = control.kind === 'choice' ? offered(control, model) : [];
  const field =
    control.kind === 'choice'
      ? dropdown({ label, options, onChange })
      : textField({ label, size: 8, step: control.limit.whole, onChange });
  field.element.setAttribute('data-control', control.id);
  const mark = h('span', { class: 'changed-mark' });
  const note = h('p', { class: 'note' });
  const problem = h('p', { class: 'control-problem', role: 'alert' });
  const element = h(
    'div',
    { class: 'control', 'data-control-row': control.id },
    h(
      'div',
      { class: 'control-line', 'data-long': options.some(({ text }) => text.length > besideLabel) },
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
    // The choice keeps its value until a file has been chosen.
    row.field.set(control.get(model.switches));
    return onChooseTokenizer();
  }
  if (control.kind === 'choice')
    return onChange({ ...model.switches, ...control.set(model.switches, text, model.spec) });
  const value = readQuantity(control, text);
  if (typeof value === 'number') return onChange({ ...model.switches, ...control.set(model.switches, value) });
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
  const explain = locked ?? control.explainChoice?.(switches) ?? control.explain();
  setTypeset(row.note, explain);
  // Quotes in the reader's own text are kept.
  setTypeset(row.problem, message);
  setAttribute(row.problem, 'data-problem', message ? control.id : undefined);
  setAttribute(row.element, 'data-changed', changed);
  setTypeset(row.mark, changed ? t('was {0}', shownValue(control, model)) : '');
  field.describe({
    disabled: locked !== undefined,
    invalid: message !== '',
    description: [explain, message].filter(Boolean).join('. '),
  });
}

function shownValue(control: PageControl, { spec, defaults, files }: ControlsModel): string {
  const value = control.get(defaults);
  const options = control.kind === 'choice' ? control.options(spec, files, defaults) : [];
  return options.find((option) => option.value === value)?.text ?? value;
}

/** A symbol such as `d_k` with its subscript. */
function symbolic(label: string): Node {
  const [, base, index] = /^(\p{L})_(\w+)$/u.exec(label) ?? [];
  return base && index ? h('var', {}, base, h('sub', {}, index)) : document.createTextNode(label);
}
