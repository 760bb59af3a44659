import { t } from '../../engine/index';
import { paces } from '../choices';
import { button, h, icon, setText } from '../draw';

export interface PlayModel {
  readonly step: string;
  /** The id of the next step; undefined at the end. */
  readonly next: string | undefined;
  readonly first: string | undefined;
  /** Seconds for each step. */
  readonly pace: number;
  /** Whether the step is still being computed and not shown yet. */
  readonly waiting: boolean;
}

export interface PlayActions {
  readonly onStep: (id: string) => void;
  readonly onPace: (pace: number) => void;
}

export interface Play {
  readonly element: HTMLElement;
  update(model: PlayModel): void;
  toggle(): void;
}

/** Plays the steps, each for some seconds, up to the last. It pauses when the reader goes to another step. */
export function createPlay(actions: PlayActions): Play {
  let model: PlayModel | undefined;
  let timer: number | undefined;
  /** The step that is played; undefined while paused. */
  let playing: string | undefined;
  const buttons = createButtons(
    () => toggle(),
    () => actions.onPace(after(model?.pace)),
  );
  const pause = (): void => {
    clearTimeout(timer);
    playing = undefined;
    buttons.showPlaying(false);
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(advance, (model?.pace ?? 0) * 1000);
  };
  const goTo = (id: string): void => {
    playing = id;
    actions.onStep(id);
    wait();
  };
  const advance = (): void => {
    if (model?.waiting) return wait();
    if (model?.next === undefined) return pause();
    goTo(model.next);
  };
  const toggle = (): void => {
    if (playing !== undefined) return pause();
    if (!model) return;
    playing = model.step;
    buttons.showPlaying(true);
    if (model.next !== undefined) wait();
    else if (model.first !== undefined) goTo(model.first);
  };
  const update = (next: PlayModel): void => {
    const other = model?.pace !== next.pace;
    model = next;
    buttons.showPace(next.pace);
    if (playing === undefined) return;
    if (playing !== next.step || next.next === undefined) pause();
    else if (other) wait();
  };
  return { element: buttons.element, toggle, update };
}

interface Buttons {
  readonly element: HTMLElement;
  showPlaying(on: boolean): void;
  showPace(pace: number): void;
}

function createButtons(onToggle: () => void, onSpeed: () => void): Buttons {
  const start = button({ label: t('Play'), icon: 'play', iconOnly: true, title: t('Play (Space)'), onClick: onToggle });
  const speed = button({ label: t('Speed'), onClick: onSpeed });
  speed.setAttribute('appearance', 'icon');
  // Toolkit: it gives such a button an English name.
  speed.ariaLabel = t('Speed');
  const element = h('span', { class: 'play' }, start, speed);
  return {
    element,
    showPlaying(on) {
      start.ariaLabel = on ? t('Pause') : t('Play');
      start.title = on ? t('Pause (Space)') : t('Play (Space)');
      start.replaceChildren(icon(on ? 'pause' : 'play'));
      element.toggleAttribute('data-playing', on);
    },
    showPace(pace) {
      setText(speed, speedOf(pace));
      speed.ariaLabel = t('Speed {0}', speedOf(pace));
      speed.title = t('{0} seconds a step', pace);
    },
  };
}

const after = (pace: number | undefined): number => paces[(paces.findIndex((p) => p === pace) + 1) % paces.length] ?? 4;

/** `2×`: relative to the initial pace. */
const speedOf = (pace: number): string => ({ 8: '½×', 4: '1×', 2: '2×' })[pace] ?? `${4 / pace}×`;

/** Elements that handle Space themselves. */
const ownsSpace =
  'button, a, input, textarea, summary, select, [role=button], [role=radio], [role=grid], [role=toolbar], [role=combobox], vscode-button, vscode-dropdown, vscode-text-field';

/** Space plays and pauses unless the focused element handles it. */
export function addPlayKey(play: Play, isOn: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.key !== ' ' || modified || event.defaultPrevented || !isOn()) return;
    if (event.target instanceof Element && event.target.closest(ownsSpace)) return;
    event.preventDefault();
    play.toggle();
  });
}
