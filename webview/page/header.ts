import { t, type AttentionSpec, type Plan } from '../../engine/index';
import { badgeBrief, badgeText, badgeTitle } from './badge';
import { createTokenStrip } from '../tokens';
import type { ComputeReport } from '../trace';
import { badge, button, h, setAttribute, setDisabled, setText } from '../draw';

export interface HeaderModel {
  readonly label: string;
  readonly canReveal: boolean;
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  /** The row of the selected token, if rows are tokens. */
  readonly token: number | undefined;
  readonly report: ComputeReport | undefined;
  readonly preview: boolean;
  readonly previewBy?: 'WebGPU' | 'WASM' | undefined;
  readonly changed: number;
  readonly controlsOpen: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Number of notes that are hidden and can be shown again. */
  readonly hiddenNotes: number;
  /** Whether there is a question that is not shown. */
  readonly hasQuestion: boolean;
}

export interface HeaderActions {
  readonly onReveal: () => void;
  readonly onToken: (token: number) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onControls: () => void;
  readonly onNotes: () => void;
  readonly onQuestion: () => void;
  /** Which tokens a token attends to, and which attend to it, in words. */
  readonly attention: (token: number) => Promise<readonly string[]>;
}

export interface Header {
  readonly element: HTMLElement;
  /** How the numbers were computed, in detail: it stands with the controls. */
  readonly computed: HTMLElement;
  update(model: HeaderModel): void;
  /** Shades the tokens by a row of weights; undefined removes the shading. */
  shade(weights: Float64Array | undefined): void;
  focusControls(): void;
}

/** The page's header: origin of the input, its tokens, how it was computed, and buttons. */
export function createHeader(actions: HeaderActions, share: HTMLElement): Header {
  const source = h('button', { type: 'button', class: 'source text-link', title: t('Show in the editor') });
  source.addEventListener('click', actions.onReveal);
  const tokens = createTokenStrip(actions.onToken, actions.attention);
  const report = h('span', { class: 'report' });
  const computed = h('p', { class: 'computed', 'data-badge': true });
  const { undo, redo, notes } = iconButtons(actions);
  const controls = button({ label: '', icon: 'controls', onClick: actions.onControls });
  controls.append(h('span', { class: 'controls-label' }, t('Controls')));
  const question = button({ label: '', icon: 'left', onClick: actions.onQuestion });
  question.append(h('span', { class: 'controls-label' }, t('The question')));
  question.ariaLabel = t('The question');
  const element = h(
    'header',
    { class: 'header' },
    h('div', { class: 'header-source' }, source),
    tokens.element,
    report,
    h('div', { class: 'header-actions' }, question, notes, undo, redo, share, controls),
  );
  return {
    element,
    computed,
    focusControls: () => controls.focus(),
    shade: (weights) => tokens.shade(weights),
    update(model) {
      setText(source, model.label);
      setAttribute(source, 'disabled', !model.canReveal);
      tokens.update(model);
      writeParts(report, badgeBrief(model));
      setAttribute(report, 'title', `${badgeText(model)}\n${badgeTitle(model)}`);
      setAttribute(report, 'data-ordinary', !model.preview);
      writeParts(computed, badgeText(model));
      setAttribute(computed, 'title', badgeTitle(model));
      setDisabled(undo, !model.canUndo);
      setDisabled(redo, !model.canRedo);
      notes.hidden = model.hiddenNotes === 0;
      question.hidden = !model.hasQuestion;
      controls.querySelector('.count')?.remove();
      if (model.changed) controls.append(badge(` ${model.changed}`));
      // The accessible name must begin with the visible text.
      controls.ariaLabel = model.changed ? t('Controls {0} changed', model.changed) : t('Controls');
      controls.ariaExpanded = String(model.controlsOpen);
    },
  };
}

const iconButtons = ({ onUndo, onRedo, onNotes }: HeaderActions): Record<'undo' | 'redo' | 'notes', HTMLElement> => ({
  undo: button({ label: t('Undo'), title: t('Undo (Ctrl+Z)'), icon: 'undo', iconOnly: true, onClick: onUndo }),
  redo: button({ label: t('Redo'), title: t('Redo (Ctrl+Shift+Z)'), icon: 'redo', iconOnly: true, onClick: onRedo }),
  notes: button({ label: t('Show notes'), icon: 'note', iconOnly: true, onClick: onNotes }),
});

/** Writes text that wraps only after a dot: `float64 ·` and `CPU` are never broken. */
function writeParts(report: HTMLElement, text: string): void {
  if (report.textContent === text) return;
  const parts = text.split(/(?<=·) /);
  report.replaceChildren(...parts.flatMap((part, i) => [i ? ' ' : '', h('span', { class: 'whole' }, part)]));
}
