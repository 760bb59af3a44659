import type { AttentionSpec, Plan, Token } from '../engine/index';
import { badgeText, badgeTitle } from './badge';
import type { ComputeReport } from './trace-handle';
import { badge, button, h, setAttribute, setDisabled, setText } from './ui';

export interface HeaderModel {
  readonly label: string;
  readonly canReveal: boolean;
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** The row of the selected token, if rows are tokens. */
  readonly token: number | undefined;
  readonly report: ComputeReport | undefined;
  readonly preview: boolean;
  readonly changed: number;
  readonly controlsOpen: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** How many notes are hidden and can be had back. */
  readonly hiddenNotes: number;
}

export interface HeaderActions {
  readonly onReveal: () => void;
  readonly onToken: (token: number) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onControls: () => void;
  readonly onNotes: () => void;
}

export interface Header {
  readonly element: HTMLElement;
  update(model: HeaderModel): void;
  focusControls(): void;
}

/** Where the input came from, its tokens, what computed it, and the switches. */
export function createHeader(actions: HeaderActions): Header {
  const source = h('button', { type: 'button', class: 'source text-link', title: 'Show in the editor' });
  source.addEventListener('click', actions.onReveal);
  const tokens = createTokens(actions.onToken);
  const report = h('span', { class: 'report', 'data-badge': true });
  const undo = button({ label: 'Undo', title: 'Undo (Ctrl+Z)', icon: 'undo', iconOnly: true, onClick: actions.onUndo });
  const redo = button({
    label: 'Redo',
    title: 'Redo (Ctrl+Shift+Z)',
    icon: 'redo',
    iconOnly: true,
    onClick: actions.onRedo,
  });
  const notes = button({ label: 'Show notes', icon: 'note', iconOnly: true, onClick: actions.onNotes });
  const controls = button({ label: 'Controls', icon: 'controls', onClick: actions.onControls });
  const element = h(
    'header',
    { class: 'header' },
    h('div', { class: 'header-source' }, source),
    tokens.element,
    report,
    h('div', { class: 'header-actions' }, notes, undo, redo, controls),
  );
  return {
    element,
    focusControls: () => controls.focus(),
    update(model) {
      setText(source, model.label);
      setAttribute(source, 'disabled', !model.canReveal);
      tokens.update(model);
      writeParts(report, badgeText(model));
      setAttribute(report, 'title', badgeTitle(model));
      setDisabled(undo, !model.canUndo);
      setDisabled(redo, !model.canRedo);
      notes.hidden = model.hiddenNotes === 0;
      controls.querySelector('.count')?.remove();
      if (model.changed) controls.append(badge(String(model.changed)));
      controls.ariaLabel = model.changed ? `Controls, ${model.changed} changed` : 'Controls';
      controls.ariaExpanded = String(model.controlsOpen);
    },
  };
}

/** Breaks a line after a dot only: `float64 ·` and `CPU` stay whole. */
function writeParts(report: HTMLElement, text: string): void {
  if (report.textContent === text) return;
  const parts = text.split(/(?<=·) /);
  report.replaceChildren(...parts.flatMap((part, i) => [i ? ' ' : '', h('span', { class: 'whole' }, part)]));
}

interface Tokens {
  readonly element: HTMLElement;
  update(model: Pick<HeaderModel, 'plan' | 'token'>): void;
}

/** How many tokens have a button each; the rest of a longer text is reached through the matrices. */
const shownTokens = 2000;

/** The tokens in a row: one tab stop, arrow keys walk. */
function createTokens(onToken: (token: number) => void): Tokens {
  const strip = h('div', { class: 'tokens', role: 'toolbar', 'aria-label': 'Tokens' });
  let drawn: readonly Token[] = [];
  let selected: number | undefined;
  const buttonAt = (i: number): HTMLElement | undefined => strip.children[i] as HTMLElement | undefined;
  strip.addEventListener('click', ({ target }) => {
    const at = [...strip.children].indexOf((target as Element).closest('button') as Element);
    if (at >= 0) onToken(at);
  });
  strip.addEventListener('keydown', (event) => {
    const at = [...strip.children].indexOf(document.activeElement as Element);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: strip.children.length - 1 }[event.key];
    if (to === undefined || !buttonAt(to)) return;
    event.preventDefault();
    event.stopPropagation();
    onToken(to);
    buttonAt(to)?.focus();
  });
  return {
    element: strip,
    update({ plan, token }) {
      if (plan.tokens !== drawn) {
        drawn = plan.tokens;
        selected = undefined;
        strip.replaceChildren(...drawn.slice(0, shownTokens).map(tokenButton));
        const more = drawn.length - shownTokens;
        if (more > 0) strip.append(h('span', { class: 'more-tokens' }, `… ${more} more`));
      }
      if (token === selected) return;
      mark(buttonAt(selected ?? -1), false);
      selected = token;
      const at = buttonAt(token ?? -1);
      mark(at, true);
      const first = buttonAt(0);
      if (first) first.tabIndex = at && at !== first ? -1 : 0;
      if (at) reveal(at, strip);
    },
  };
}

function tokenButton(token: Token, i: number): HTMLElement {
  const label = `Token ${i}: ${token.text}`;
  return h('button', { type: 'button', class: 'token-button', tabindex: i === 0 ? 0 : -1, title: label }, token.text);
}

function mark(button: HTMLElement | undefined, on: boolean): void {
  if (!button) return;
  setAttribute(button, 'aria-pressed', on ? 'true' : undefined);
  button.tabIndex = on ? 0 : -1;
}

function reveal(button: HTMLElement, strip: HTMLElement): void {
  const [inner, outer] = [button.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (inner.left < outer.left) strip.scrollLeft -= outer.left - inner.left + 8;
  else if (inner.right > outer.right) strip.scrollLeft += inner.right - outer.right + 8;
}
