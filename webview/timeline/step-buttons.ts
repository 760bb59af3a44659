import {
  t,
  type Plan,
  type Role,
  type Slice,
  type Step,
  type StepGroup,
  type Tile,
  type TileRequest,
} from '../../engine/index';
import {
  drawnStep,
  inputsOf,
  isOff,
  leadingIndex,
  sliceRequest,
  mainSteps,
  shownShape,
  stepOf,
  type TraceHandle,
} from '../trace';
import { createThumbnail, type Thumbnail } from '../heatmap';
import { h, roleClass, symbolNodes, typeset, type Child } from '../draw';

/** A step of the timeline: its button and its thumbnail. */
export interface StepEntry {
  readonly button: HTMLElement;
  /** Inputs (weights, tables, masks) and steps that are switched off have none. */
  readonly thumb?: Thumb;
}

export interface Thumb {
  readonly box: HTMLElement;
  readonly step: string;
  readonly size: { readonly width: number; readonly height: number };
  drawn?: Thumbnail;
}

/** The entries by step id. */
export type StepEntries = Map<string, StepEntry>;

/** Groups of steps that are unfolded, by id. */
export type OpenGroups = ReadonlySet<string>;

/** Two plans with the same key differ at most in their thumbnails. */
export const layoutKey = (plan: Plan, open: OpenGroups): string =>
  plan.steps
    .map((s) => [s.id, s.symbol, shownShape(plan, s).join('×'), s.call.op, s.kind, s.words.name].join())
    .concat([...open].sort())
    .join(';');

export function drawSteps(
  strip: HTMLElement,
  plan: Plan,
  open: OpenGroups,
  onStep: (id: string) => void,
  onFold: (group: string) => void,
): StepEntries {
  const entries: StepEntries = new Map();
  const parts = [h('div', { class: 'timeline-part' })];
  let branches: Branches | undefined;
  let group: string | undefined;
  for (const step of mainSteps(plan)) {
    const begins = step.group !== undefined && step.group.id !== group;
    group = step.group?.id;
    if (begins && branches) parts.push(h('div', { class: 'timeline-part' }));
    if (begins) branches = undefined;
    if (begins && step.group) parts.at(-1)?.append(groupButton(plan, step.group, open.has(step.group.id), onFold));
    if (group !== undefined && !open.has(group)) continue;
    const item = createStepItem(step, plan, entries);
    const inBranch = step.place === 'branch';
    // After the branches have joined, a second row may begin.
    if (branches && !inBranch) parts.push(h('div', { class: 'timeline-part' }));
    if (!branches && inBranch) parts.at(-1)?.append((branches = newBranches()).element);
    if (!inBranch) branches = undefined;
    (branches ? branchOf(branches, step.role) : parts.at(-1))?.append(item);
  }
  strip.replaceChildren(...parts);
  for (const [id, { button }] of entries) button.addEventListener('click', () => onStep(id));
  strip.onkeydown = (event) => moveByKey(event, entries, onStep);
  return entries;
}

/** The button that folds and unfolds steps beside the attention that is shown: another layer, the feed-forward layer. */
function groupButton(plan: Plan, group: StepGroup, open: boolean, onFold: (group: string) => void): HTMLElement {
  const count = mainSteps(plan).filter((step) => step.group?.id === group.id).length;
  const button = h(
    'button',
    { type: 'button', class: 'timeline-group', 'data-group': group.id, 'aria-expanded': String(open) },
    h('span', { class: 'timeline-chevron', 'aria-hidden': 'true' }, open ? '▾' : '▸'),
    h('span', { class: 'timeline-group-name' }, group.name),
    h('span', { class: 'timeline-shape' }, t('{0} steps', count)),
  );
  button.addEventListener('click', () => onFold(group.id));
  return h('div', { class: 'timeline-item' }, button);
}

/** The parallel branches of queries, keys and values: a row for each, with all its steps. */
interface Branches {
  readonly element: HTMLElement;
  readonly rows: Map<Role, HTMLElement>;
}

const newBranches = (): Branches => ({ element: h('div', { class: 'timeline-branches' }), rows: new Map() });

function branchOf({ element, rows }: Branches, role: Role): HTMLElement {
  const row = rows.get(role) ?? element.appendChild(h('div', { class: 'timeline-row' }));
  rows.set(role, row);
  return row;
}

/** A step with its inputs (weights, tables, masks) beside it. */
function createStepItem(step: Step, plan: Plan, entries: StepEntries): HTMLElement {
  const branch = step.place === 'branch';
  const thumb: Thumb = {
    box: h('span', { class: 'thumb' }),
    step: step.id,
    size: branch ? { width: 44, height: 18 } : { width: 88, height: 34 },
  };
  const name = h(
    'span',
    { class: 'timeline-name' },
    symbolOf(step),
    branch ? spokenNameOf(step) : h('span', { class: 'timeline-words' }, ` ${nameOf(step)}`),
  );
  const shape = h('span', { class: 'timeline-shape' }, ownerOf(step), shapeText(plan, step));
  // One that is switched off is folded into its neighbour: its symbol alone stands between the two.
  const folded = isOff(step);
  const button = folded ? stepButton(step, name, ' ', shape) : stepButton(step, thumb.box, name, ' ', shape);
  entries.set(step.id, folded ? { button } : { button, thumb });
  // An input of two steps, such as the mask, is shown beside the first.
  const chips = inputsOf(plan, step)
    .filter(({ id }) => !entries.has(id))
    .map((input) => {
      const chip = chipOf(plan, input);
      entries.set(input.id, { button: chip });
      return chip;
    });
  return h('div', { class: branch ? 'timeline-branch' : 'timeline-item' }, button, ...chips);
}

/** Draws the thumbnail; the previous picture stays until the new values are read. */
export function drawThumb(thumb: Thumb, trace: TraceHandle, slice: Slice): void {
  const step = stepOf(trace.plan, thumb.step);
  if (!step) return;
  const lead = sliceRequest(leadingIndex(trace, step, slice));
  const read = (request: TileRequest): Promise<Tile> => trace.read(step.id, { ...request, ...lead });
  const drawn = drawnStep(trace.plan, step, read);
  if (thumb.drawn) return thumb.drawn.show(drawn.step, drawn.read);
  thumb.drawn = createThumbnail(drawn.step, drawn.read, thumb.size);
  thumb.box.append(thumb.drawn.element);
}

/** “Input X” beside its symbol is just “Input”. */
const nameOf = ({ words, symbol }: Step): string =>
  words.name === symbol ? '' : words.name.endsWith(` ${symbol}`) ? words.name.slice(0, -symbol.length - 1) : words.name;

function stepButton(step: Step, ...children: readonly Child[]): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'timeline-step',
      'data-step': step.id,
      'data-off': isOff(step),
      title: [[step.symbol, nameOf(step)].filter(Boolean).join(': '), isOff(step) && t('unchanged')]
        .filter(Boolean)
        .join(', '),
    },
    ...children,
  );
}

const shapeText = (plan: Plan, step: Step): string => (isOff(step) ? t('unchanged') : shownShape(plan, step).join('×'));

/** The small button of an input: weights, a table, a mask. */
function chipOf(plan: Plan, step: Step): HTMLElement {
  const title = `${step.words.name}, ${shownShape(plan, step).join('×')}`;
  return h(
    'button',
    { type: 'button', class: 'timeline-chip', 'data-step': step.id, title },
    symbolOf(step),
    spokenNameOf(step),
    h('span', { class: 'timeline-shape', 'aria-hidden': 'true' }, ownerOf(step), shownShape(plan, step).join('×')),
  );
}

/** The step's name beside its shape, in the density that shows both below the strip (timeline.css). */
const ownerOf = (step: Step): HTMLElement =>
  h('span', { class: 'timeline-owner', 'aria-hidden': 'true' }, ...typeset(nameOf(step) || step.symbol), ' ');

/** The step's name for screen readers, beside its symbol. */
const spokenNameOf = (step: Step): HTMLElement => h('span', { class: 'said' }, ` ${nameOf(step)}`);

/** The symbol; in “Q heads” the Q is an element of its own, shown alone in dense layouts. */
function symbolOf({ symbol, role }: Step): HTMLElement {
  const [letter = '', ...more] = symbol.split(/(?=[ -]\p{L}{3})/u);
  const rest = more.length > 0 && h('span', { class: 'timeline-more' }, more.join(''));
  return h('var', { class: roleClass(role) }, ...symbolNodes(letter), rest);
}

function moveByKey(event: KeyboardEvent, entries: StepEntries, onStep: (id: string) => void): void {
  const ids = [...entries.keys()];
  const at = ids.findIndex((id) => entries.get(id)?.button === event.target);
  const to = {
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    Home: 0,
    End: ids.length - 1,
  }[event.key];
  const id = to === undefined ? undefined : ids[to];
  if (at < 0 || id === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  onStep(id);
  entries.get(id)?.button.focus();
}
