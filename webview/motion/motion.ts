import { say, t, type Plan, type Slice, type Step } from '../../engine/index';
import {
  button,
  dropdown,
  h,
  icon,
  setAttribute,
  setChildren,
  setDisabled,
  setText,
  typeset,
  watchedSize,
  type Child,
  type Size,
} from '../draw';
import { shownNames, shownText, stepOf, type Cell, type TraceHandle } from '../trace';
import { createClock, type Clock } from './clock';
import type { Frame, MotionNumber, Said, Story } from './frame';
import { readMaterial, scopesOf, type Material, type Scope } from './material';
import { widestStage } from './layout';
import { createMotionStage } from './stage';
import { storyOf } from './story';

export interface MotionModel {
  readonly trace: TraceHandle;
  readonly step: Step;
  readonly cell: Cell;
  readonly slice: Slice;
  readonly digits: number;
  /** Nothing is offered: the step's numbers are hidden, or its picture is one of differences. */
  readonly away: boolean;
}

export interface MotionActions {
  /** Called with the cell of a number that was clicked, or whose arithmetic it is part of. */
  readonly onCell: (step: string, index: readonly number[]) => void;
  /** Called when the player has opened, in place of the step's picture, or closed. */
  readonly onOpen: (open: boolean) => void;
  /** Called when the arithmetic of a number is asked for, and when the player goes on. */
  readonly onAsk: (asked: boolean) => void;
}

export interface Motion {
  readonly element: HTMLElement;
  /** Closes the player; `byReader`: the button that opens it gets the focus. False if it is not open, or not offered. */
  close(byReader?: boolean): boolean;
  update(model: MotionModel): void;
}

/** A button that opens the player, and the player: frames of the selected cell or its row, as they are computed. */
export function createMotion(actions: MotionActions): Motion {
  let model: MotionModel | undefined;
  let open = false;
  let scope: Scope = 'cell';
  let material: Material | undefined;
  let story: Story | undefined;
  let latest = 0;
  let asked = false;
  const ask = (next: boolean): void => {
    if (asked !== next) actions.onAsk(next);
    asked = next;
  };
  const openNumber = ({ step, index }: MotionNumber): void => {
    clock.pause();
    ask(true);
    actions.onCell(step, index);
  };
  const stage = createMotionStage((number) => nameOf(model, number), openNumber);
  const words = createWords(openNumber);
  const clock = createClock((time) => {
    stage.draw(time);
    if (story) words.say(story.frames[Math.round(time)]?.said, () => nameOf(model, undefined));
    controls.show(clock, story?.frames.length ?? 0, story?.frames[Math.round(time)]);
  });
  const controls = createControls(clock, (next) => {
    scope = next;
    void read(true);
  });
  const opener = button({ label: t('Watch it computed'), icon: 'play', onClick: () => setOpen(true) });
  const closer = button({ label: t('Close'), icon: 'close', iconOnly: true, title: t('Back to the matrices (Escape)'), onClick: () => setOpen(false) }); // prettier-ignore
  const box = h('div', { class: 'motion-box' }, stage.element);
  const player = h('div', { class: 'motion-player', role: 'group', 'aria-label': t('The computation as motion') }, h('div', { class: 'motion-top' }, words.element, closer), box, controls.element); // prettier-ignore
  const element = h('div', { class: 'motion', hidden: true }, opener, player);
  player.hidden = true;
  const sizeOf = watchedSize(box, () => tell(false));

  const tell = (again: boolean): void => {
    const room = sizeOf();
    if (!open || !material || room.width === 0) return;
    story = fitted(material, room, stage.scale);
    stage.tell(story);
    words.reserve(story.frames);
    clock.tell(story.frames.length, again);
    if (again && !asked) clock.play();
  };
  const read = async (again: boolean): Promise<void> => {
    const request = ++latest;
    if (!open || !model) return;
    const scopes = scopesOf(model.step);
    const own = scopes.includes(scope) ? scope : (scopes[0] ?? 'cell');
    controls.offer(model.trace.plan, scopes, own);
    const { trace } = model;
    const found = await readMaterial(trace, { ...model, scope: own });
    if (request !== latest) return;
    material = found;
    tell(again);
  };
  const setOpen = (next: boolean, byReader = true): void => {
    open = next;
    player.hidden = !next;
    opener.hidden = next;
    clock.pause();
    ask(false);
    actions.onOpen(next && !element.hidden);
    if (next) void read(true).then(() => controls.focus());
    else if (byReader) opener.focus();
  };
  player.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !handleKey(event, clock, stage.walk, () => setOpen(false))) return;
    event.preventDefault();
    event.stopPropagation();
    if (!walks.has(event.key)) ask(false);
  }); // prettier-ignore
  for (const kind of ['click', 'input']) controls.element.addEventListener(kind, () => ask(false));
  return {
    element,
    close(byReader = false) {
      const closes = open && (!byReader || !element.hidden);
      if (closes) setOpen(false, byReader);
      return closes;
    },
    update(next) {
      const before = model;
      model = next;
      const scopes = scopesOf(next.step);
      const offered = scopes.length > 0 && !next.away && next.trace.preview !== true;
      if (element.hidden === offered) actions.onOpen(open && offered);
      element.hidden = !offered;
      if (!offered) return clock.pause();
      const moved = !before || before.trace !== next.trace || before.step !== next.step || before.digits !== next.digits || String(before.cell) !== String(next.cell) || before.slice !== next.slice; // prettier-ignore
      if (!moved && material) return;
      void read(before?.step !== next.step);
    },
  };
}

/** `2.12, S row cat, column sat` */
function nameOf(model: MotionModel | undefined, number: MotionNumber | undefined): string {
  const step = number && model && stepOf(model.trace.plan, number.step);
  if (!step || !number) return '';
  const [row, column] = shownNames(model.trace.plan, step, [number.index.at(-2) ?? 0, number.index.at(-1) ?? 0]);
  return `${number.text}, ${step.symbol} ${t('row {0}, column {1}', row, column)}`;
}

/** Keys that go from number to number. */
const walks: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Tab', 'Shift']);

/** Smaller, numbers could not be read; larger, they would be apart from each other. */
const [leastScale, mostScale] = [0.72, 1.3];

/** The frames as large as they fit into the room; where they do not fit, the room scrolls. */
function fitted(material: Material, { width, height }: Size, scaleTo: (scale: number) => void): Story {
  const usual = storyOf(material, width);
  const most = Math.max(1, Math.min(mostScale, width / widestStage));
  const scale = Math.max(leastScale, Math.min(most, height / usual.height));
  scaleTo(scale);
  return scale === 1 ? usual : storyOf(material, width / scale);
}

/** Space plays and pauses, arrows go from frame to frame and from number to number, Home and End to the ends, Escape closes. */
function handleKey(event: KeyboardEvent, clock: Clock, walk: (by: -1 | 1) => void, close: () => void): boolean {
  const { key, target } = event;
  const choice = target instanceof Element ? target.closest('vscode-dropdown') : null;
  const inChoice = choice !== null && (key !== 'Escape' || choice.hasAttribute('open'));
  const onButton = target instanceof Element && target.closest('button, vscode-button') !== null;
  if (inChoice || (onButton && (key === ' ' || key === 'Enter'))) return false;
  const acts: Readonly<Record<string, () => void>> = {
    ' ': () => clock.toggle(),
    ArrowRight: () => clock.step(1),
    ArrowLeft: () => clock.step(-1),
    ArrowUp: () => walk(-1),
    ArrowDown: () => walk(1),
    Home: () => clock.go(0),
    End: () => clock.go(Infinity),
    Escape: close,
  };
  const act = acts[key];
  act?.();
  return act !== undefined;
}

/** The sentence of the frame; its numbers open their arithmetic. */
function createWords(onNumber: (number: MotionNumber) => void): {
  readonly element: HTMLElement;
  /** Keeps room for the longest of all sentences, so that a longer one moves nothing. */
  reserve(frames: readonly Frame[]): void;
  say(said: Said | undefined, name: (number: MotionNumber) => string): void;
} {
  const words = h('p', { class: 'motion-said', 'aria-live': 'polite' });
  const room = h('div', { class: 'motion-room', 'aria-hidden': 'true' });
  let told: Said | undefined;
  return {
    element: h('div', { class: 'motion-words' }, words, room),
    reserve(frames) {
      const longest = [...new Set(frames.map(({ said }) => said.text))].sort((a, b) => b.length - a.length).slice(0, 3);
      room.replaceChildren(...longest.map((text) => h('p', {}, text)));
    },
    say(said) {
      if (!said || said === told) return;
      told = said;
      setChildren(words, ...nodesOf(said, onNumber));
    },
  };
}

/** A stop or comma stays beside its number, where a line would otherwise break. */
const stops = /^[.,;:]/;

function nodesOf(said: Said, onNumber: (number: MotionNumber) => void): Node[] {
  const parts = partsOf(said);
  return parts.flatMap((part, i): Node[] => {
    const [before, next] = [parts[i - 1], parts[i + 1]];
    if (typeof part === 'string') return typeset(typeof before === 'object' ? part.replace(stops, '') : part);
    const stop = typeof next === 'string' ? (stops.exec(next)?.[0] ?? '') : '';
    return [h('span', { class: 'motion-number' }, numberLink(part, onNumber), stop)];
  });
}

function numberLink(number: MotionNumber, onNumber: (number: MotionNumber) => void): HTMLElement {
  const link = h('button', { type: 'button', class: 'text-link' }, number.text);
  link.addEventListener('click', () => onNumber(number));
  return link;
}

/** A sentence cut at its numbers, which stand in it in their order. */
export function partsOf({ text, numbers }: Said): (string | MotionNumber)[] {
  const parts: (string | MotionNumber)[] = [];
  let rest = text;
  for (const number of [...numbers].reverse()) {
    const at = rest.lastIndexOf(number.text);
    if (at < 0) continue;
    parts.unshift(number, rest.slice(at + number.text.length));
    rest = rest.slice(0, at);
  }
  return [rest, ...parts].filter((part) => part !== '');
}

interface Controls {
  readonly element: HTMLElement;
  show(clock: Clock, frames: number, frame: Frame | undefined): void;
  offer(plan: Plan, scopes: readonly Scope[], scope: Scope): void;
  focus(): void;
}

const scopeNames = (plan: Plan): Readonly<Record<Scope, string>> => ({
  cell: t('One cell'),
  row: shownText(plan, say('The whole [row|column]')),
});

/** Play, one frame back and forth, the place in time, the speed, and how much is played. */
function createControls(clock: Clock, onScope: (scope: Scope) => void): Controls {
  const tool = (label: string, name: 'left' | 'right' | 'play', key: string, onClick: () => void): HTMLElement =>
    button({ label, icon: name, iconOnly: true, title: `${label} (${key})`, onClick });
  const back = tool(t('Previous frame'), 'left', t('Left'), () => clock.step(-1));
  const forth = tool(t('Next frame'), 'right', t('Right'), () => clock.step(1));
  const play = tool(t('Play'), 'play', t('Space'), () => clock.toggle());
  const speed = button({ label: t('Speed'), onClick: () => clock.faster() });
  speed.setAttribute('appearance', 'icon');
  // Toolkit: it gives such a button an English name.
  speed.ariaLabel = t('Speed');
  const slider = h('input', { type: 'range', min: 0, step: 'any', class: 'motion-slider', 'aria-label': t('Frame') });
  slider.addEventListener('input', () => clock.scrub(Number(slider.value)));
  slider.addEventListener('change', () => clock.pause());
  const place = h('span', { class: 'place', 'aria-hidden': 'true' });
  const scope = h('span', { class: 'motion-scope' });
  let offered = '';
  const children: Child[] = [back, play, forth, slider, place, speed, scope];
  return {
    element: h('div', { class: 'motion-controls' }, ...children),
    focus: () => slider.focus({ preventScroll: true }),
    show({ time, playing, still, pace }, frames, frame) {
      const at = Math.round(time());
      slider.max = String(Math.max(0, frames - 1));
      slider.step = still() ? '1' : 'any';
      slider.value = String(time());
      setAttribute(slider, 'aria-valuetext', `${t('{0} of {1}', at + 1, frames)}. ${frame?.said.text ?? ''}`);
      setText(place, t('{0} of {1}', at + 1, frames));
      setDisabled(back, time() <= 0);
      setDisabled(forth, time() >= frames - 1);
      play.hidden = speed.hidden = still();
      const on = playing();
      if (play.hasAttribute('data-on') !== on) {
        setAttribute(play, 'data-on', on);
        play.ariaLabel = on ? t('Pause') : t('Play');
        play.title = on ? t('Pause (Space)') : t('Play (Space)');
        play.replaceChildren(icon(on ? 'pause' : 'play'));
      }
      setText(speed, pace());
      speed.ariaLabel = t('Speed {0}', pace());
    },
    offer(plan, scopes, chosen) {
      const names = scopeNames(plan);
      const key = [...scopes, chosen, names.row].join();
      if (key === offered) return;
      offered = key;
      if (scopes.length < 2) return scope.replaceChildren();
      const field = dropdown({ label: t('What is played'), options: scopes.map((value) => ({ value, text: names[value] })), onChange: (value) => onScope(value as Scope) }); // prettier-ignore
      scope.replaceChildren(field.element);
      field.set(chosen);
    },
  };
}
