import { leadingDimensions, t, type Slice, type Step } from '../../engine/index';
import { createThumbnail, type Thumbnail } from '../heatmap';
import { drawnStep, firstSlice, leadingIndex, sliceRequest, queryHead, type TraceHandle } from '../trace';
import { h, setAttribute } from '../draw';

export interface Slices {
  /** The chooser for heads and inputs of the batch. Hidden if the step is a single matrix. */
  readonly element: HTMLElement;
  update(trace: TraceHandle, step: Step, slice: Slice): void;
  redraw(): void;
}

type Part = keyof Slice;
const nameOf = (part: Part, at: number): string => (part === 'head' ? t('Head {0}', at) : t('Input {0}', at));
/** Most heads or inputs with a thumbnail. More are chosen by number alone, as thumbnails would fill the page. */
const maxThumbnails = 32;

/** Heads as a row of radio buttons with thumbnails of their matrices; likewise inputs of a batch. */
export function createSlices(onPick: (slice: Slice) => void): Slices {
  const element = h('div', { class: 'slices', hidden: true });
  let groups = new Map<Part, Group>();
  let drawn: { trace: TraceHandle; step: string } | undefined;
  let slice = firstSlice;
  const build = (trace: TraceHandle, step: Step): void => {
    const pick = (part: Part, at: number): void => onPick({ ...slice, [part]: at });
    groups = groupsOf(trace, step, slice, pick);
    element.replaceChildren(...[...groups.values()].map((group) => group.element));
    element.hidden = groups.size === 0;
  };
  return {
    element,
    update(trace, step, next) {
      const other = next.batch !== slice.batch;
      slice = next;
      if (drawn?.trace !== trace || drawn.step !== step.id || other) {
        drawn = { trace, step: step.id };
        const focused = focusedAt(element);
        build(trace, step);
        if (focused) groups.get(focused.part)?.buttons[focused.at]?.focus();
      }
      const lead = leadingIndex(trace, step, next);
      leadingDimensions(trace.plan, trace.spec.heads, step).forEach((part, axis) =>
        mark(groups.get(part)?.buttons ?? [], lead[axis] ?? 0),
      );
    },
    redraw() {
      for (const { pictures } of groups.values()) pictures.forEach((picture) => picture.redraw());
    },
  };
}

/** The radio group of heads, or of inputs of a batch. */
interface Group {
  readonly element: HTMLElement;
  readonly buttons: readonly HTMLElement[];
  /** Empty if there are too many. */
  readonly pictures: readonly Thumbnail[];
}

function groupsOf(
  trace: TraceHandle,
  step: Step,
  slice: Slice,
  pick: (part: Part, at: number) => void,
): Map<Part, Group> {
  const groups = new Map<Part, Group>();
  for (const [axis, part] of leadingDimensions(trace.plan, trace.spec.heads, step).entries()) {
    const size = step.shape[axis] ?? 1;
    const pictures = Array.from({ length: size > 1 && size <= maxThumbnails ? size : 0 }, (_, at) =>
      pictureOf(trace, step, { ...slice, [part]: queryHead(part, at, step, trace) }),
    );
    if (size > 1)
      groups.set(
        part,
        groupOf(part, size, pictures, (at) => pick(part, at)),
      );
  }
  return groups;
}

function groupOf(part: Part, size: number, pictures: readonly Thumbnail[], pick: (at: number) => void): Group {
  const buttons = Array.from({ length: size }, (_, at) => {
    const attributes = { type: 'button', role: 'radio', class: 'slice', 'data-at': at };
    const button = h('button', attributes, pictures[at]?.element, h('span', {}, nameOf(part, at)));
    button.addEventListener('click', () => pick(at));
    return button;
  });
  const name = part === 'head' ? t('Heads') : t('Inputs of the batch');
  const attributes = { class: 'slice-group', role: 'radiogroup', 'data-part': part, 'aria-label': name };
  const element = h('div', attributes, ...buttons);
  element.addEventListener('keydown', (event) => moveWithin(event, buttons));
  return { element, buttons, pictures };
}

function pictureOf(trace: TraceHandle, step: Step, slice: Slice): Thumbnail {
  const lead = leadingIndex(trace, step, slice);
  const drawn = drawnStep(trace.plan, step, (request) => trace.read(step.id, { ...request, ...sliceRequest(lead) }));
  return createThumbnail(drawn.step, drawn.read, { width: 44, height: 44 });
}

/** The focused button, so that the focus can be restored after rebuilding. */
function focusedAt(element: HTMLElement): { part: Part; at: number } | undefined {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !element.contains(active)) return undefined;
  const part = active.closest('[data-part=head]') ? 'head' : 'batch';
  return { part, at: Number(active.dataset['at']) };
}

function mark(buttons: readonly HTMLElement[], chosen: number): void {
  buttons.forEach((button, at) => {
    setAttribute(button, 'aria-checked', String(at === chosen));
    setAttribute(button, 'tabindex', at === chosen ? 0 : -1);
  });
}

/** Arrow keys, Home and End move within the group and select, as in native radio groups. */
function moveWithin(event: KeyboardEvent, buttons: readonly HTMLElement[]): void {
  const at = buttons.findIndex((button) => button === document.activeElement);
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const button = buttons[(to + buttons.length) % buttons.length];
  button?.focus();
  button?.click();
}
