import { t } from '../../engine/index';
import { paces } from '../reading/index';
import { button, h, icon, setText } from '../ui';

export interface PlayModel {
  readonly step: string;
  /** The step after; undefined at the end. */
  readonly next: string | undefined;
  readonly first: string | undefined;
  /** Seconds for a step. */
  readonly pace: number;
  /** What is asked for is still being computed: the step is not on the screen yet. */
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

/** Walks the steps, each for some seconds, and stops at the last. Whoever goes to a step themselves has taken over. */
export function createPlay(actions: PlayActions): Play {
  let model: PlayModel | undefined;
  let timer: number | undefined;
  /** The step that is played; undefined while paused. */
  let playing: string | undefined;
  const start = button({
    label: t('Play'),
    icon: 'play',
    iconOnly: true,
    title: t('Play (Space)'),
    onClick: () => toggle(),
  });
  const speed = button({ label: t('Speed'), onClick: () => actions.onPace(after(model?.pace)) });
  speed.setAttribute('appearance', 'icon');
  // The toolkit gives such a button an English name of its own.
  speed.ariaLabel = t('Speed');
  const element = h('span', { class: 'play' }, start, speed);
  const draw = (): void => {
    const label = playing === undefined ? t('Play') : t('Pause');
    start.ariaLabel = label;
    start.title = playing === undefined ? t('Play (Space)') : t('Pause (Space)');
    start.replaceChildren(icon(playing === undefined ? 'play' : 'pause'));
    element.toggleAttribute('data-playing', playing !== undefined);
  };
  const pause = (): void => {
    clearTimeout(timer);
    playing = undefined;
    draw();
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
    draw();
    if (model.next !== undefined) wait();
    else if (model.first !== undefined) goTo(model.first);
  };
  return {
    element,
    toggle,
    update(next) {
      const other = model?.pace !== next.pace;
      model = next;
      setText(speed, speedOf(next.pace));
      speed.ariaLabel = t('Speed {0}', speedOf(next.pace));
      speed.title = t('{0} seconds a step', next.pace);
      if (playing === undefined) return;
      if (playing !== next.step || next.next === undefined) pause();
      else if (other) wait();
    },
  };
}

const after = (pace: number | undefined): number => paces[(paces.findIndex((p) => p === pace) + 1) % paces.length] ?? 4;

/** `2×`: against the pace of the beginning. */
const speedOf = (pace: number): string => ({ 8: '½×', 4: '1×', 2: '2×' })[pace] ?? `${4 / pace}×`;

/** Where Space has a meaning of its own. */
const ownsSpace =
  'button, a, input, textarea, summary, select, [role=button], [role=radio], [role=grid], [role=toolbar], [role=combobox], vscode-button, vscode-dropdown, vscode-text-field';

/** Space plays and pauses, where nothing under the keyboard takes it. */
export function addPlayKey(play: Play, isOn: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.key !== ' ' || modified || event.defaultPrevented || !isOn()) return;
    if (event.target instanceof Element && event.target.closest(ownsSpace)) return;
    event.preventDefault();
    play.toggle();
  });
}
