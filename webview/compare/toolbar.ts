import { t, type Step } from '../../engine/index';
import type { Outcome } from './compare-steps';
import { outcomeText } from './words';
import { h, setAttribute, typeset } from '../draw';

/** Model of the line above a picture, which offers to undo edits and to compare. */
export interface ToolsModel {
  readonly step: Step;
  /** Whether the step's cells can be edited. */
  readonly writable: boolean;
  /** Whether its matrix is drawn transposed. */
  readonly turned: boolean;
  /** Whether its values are hidden, to be predicted. Then nothing is said about them. */
  readonly hidden: boolean;
  /** How many cells are edited, and the symbols of their steps. */
  readonly edited: { readonly cells: number; readonly symbols: readonly string[] };
  /** Whether edits can be written back to a document. */
  readonly canWriteBack: boolean;
  readonly pinned:
    | {
        /** What was changed since pinning, by names of controls: `Scale`, `Mask`. */
        readonly changes: readonly string[];
        readonly outcome: Outcome | undefined;
        /** The name of the cell that differs most. */
        readonly place: string;
        readonly differences: boolean;
      }
    | undefined;
}

export interface ToolsActions {
  readonly onPin: () => void;
  readonly onUnpin: () => void;
  readonly onDifferences: (shown: boolean) => void;
  readonly onPlace: (index: readonly number[]) => void;
  readonly onDropEdits: () => void;
  readonly onWriteBack: () => void;
}

export interface Tools {
  readonly element: HTMLElement;
  update(model: ToolsModel): void;
}

/** A line of buttons and text. It is rebuilt only when its content changes, so that the focus is not lost. */
export function createTools(actions: ToolsActions): Tools {
  const element = h('div', { class: 'stage-tools', role: 'group', 'aria-label': t('Writing and comparing') });
  let told = '';
  return {
    element,
    update(model) {
      const { step, ...rest } = model;
      const key = JSON.stringify([step.id, step.symbol, step.shape, rest]);
      if (key === told) return;
      told = key;
      const focused = element.contains(document.activeElement) && document.activeElement?.getAttribute('data-tool');
      const lines = [editParts(model, actions), pinParts(model, actions)].filter((parts) => parts.length > 0);
      element.replaceChildren(...lines.map((parts) => h('div', { class: 'tool-line' }, ...parts)));
      if (focused) refocus(element, focused);
    },
  };
}

/** Focuses the same button again or, if it is gone, the first. */
function refocus(element: HTMLElement, tool: string): void {
  const button = element.querySelector<HTMLElement>(`[data-tool="${tool}"]`) ?? element.querySelector('[data-tool]');
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}

function link(tool: string, text: string, onClick: () => void, pressed?: boolean): HTMLElement {
  const button = h('button', { type: 'button', class: 'text-link tool', 'data-tool': tool }, text);
  if (pressed !== undefined) setAttribute(button, 'aria-pressed', String(pressed));
  button.addEventListener('click', onClick);
  return button;
}

function editParts({ step, writable, edited, canWriteBack }: ToolsModel, actions: ToolsActions): HTMLElement[] {
  const { cells, symbols } = edited;
  if (cells === 0) {
    const hint = t('Type on a cell to change {0}; pasting replaces all of it.', step.symbol);
    return writable ? [h('p', { class: 'tool-text' }, ...typeset(hint))] : [];
  }
  const names = symbols.join(', ');
  const text = cells === 1 ? t('1 cell of {0} changed.', names) : t('{0} cells of {1} changed.', cells, names);
  return [
    h('p', { class: 'tool-text edited' }, ...typeset(text)),
    link('drop', t('Take back'), actions.onDropEdits),
    ...(canWriteBack ? [link('write', t('Write back'), actions.onWriteBack)] : []),
  ];
}

function pinParts({ step, turned, hidden, pinned }: ToolsModel, actions: ToolsActions): HTMLElement[] {
  if (!pinned) return [link('pin', t('Pin to compare'), actions.onPin)];
  const { changes, differences } = pinned;
  const outcome = hidden ? undefined : pinned.outcome;
  const what = changes.length
    ? t('Pinned. Changed since then: {0}.', changes.join(', '))
    : t('Pinned. Now change something.');
  const differs = outcome?.kind === 'differs' || outcome?.kind === 'somewhere';
  return [
    h(
      'p',
      { class: 'tool-text pinned', role: 'status' },
      ...typeset(changes.length && !hidden ? `${what} ${outcomeText(step, outcome, turned)}` : what),
    ),
    ...(outcome?.kind === 'differs' ? [link('place', pinned.place, () => actions.onPlace(outcome.index))] : []),
    ...(differs ? [link('differences', t('Difference'), () => actions.onDifferences(!differences), differences)] : []),
    link('pin', t('Unpin'), actions.onUnpin),
  ];
}
