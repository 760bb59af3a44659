import { t } from '../../engine/index';
import { h, plain, setAttribute, symbolNodes } from '../draw';
import type { MotionNumber, Piece, Story } from './frame';
import { momentOf, type Place } from './moment';

/** Draws a story: each piece is one element, which is moved and faded, and written only when its text changes. */
export interface MotionStage {
  readonly element: HTMLElement;
  tell(story: Story | undefined): void;
  /** Draws everything so many times as large. */
  scale(by: number): void;
  /** Draws a moment between two frames: 2.5 is halfway from the third to the fourth. */
  draw(time: number): void;
  /** Moves the focus among the numbers of the frame. */
  walk(by: -1 | 1): void;
}

/** What is drawn of a piece at a moment. */
interface Drawn {
  readonly node: HTMLElement;
  look: string;
  text: string;
  shown: boolean;
}

type Names = (number: MotionNumber) => string;

export function createMotionStage(nameOf: Names, onNumber: (number: MotionNumber) => void): MotionStage {
  const element = h('div', { class: 'motion-stage', role: 'group', 'aria-label': t('Frame') });
  const drawn = new Map<string, Drawn>();
  const numbers = new Map<HTMLElement, MotionNumber>();
  let story: Story | undefined;
  let scale = 1;
  /** The only tab stop among the numbers. */
  let stop: HTMLElement | undefined;
  const stopAt = (node: HTMLElement | undefined): void => {
    if (stop) stop.tabIndex = -1;
    stop = node;
    if (stop) stop.tabIndex = 0;
  };
  element.addEventListener('click', ({ target }) => {
    const node = target instanceof Element && target.closest<HTMLElement>('button');
    const number = node ? numbers.get(node) : undefined;
    if (number) onNumber(number);
  });
  const nodeOf = (piece: Piece): Drawn => {
    const known = drawn.get(piece.id);
    if (known) return known;
    const node = piece.number ? h('button', { type: 'button', tabindex: -1 }) : h('span', { 'aria-hidden': 'true' });
    const made: Drawn = { node, look: '', text: '', shown: false };
    drawn.set(piece.id, made);
    element.append(node);
    return made;
  };
  const drawPiece = (piece: Piece, place: Place): void => {
    const of = nodeOf(piece);
    dress(of, piece);
    write(of, piece, nameOf);
    if (piece.number) numbers.set(of.node, piece.number);
    put(of, place, piece.look);
  };
  /** A number that had the focus when everything was drawn anew, for another size. */
  let focused: string | undefined;
  const focusAgain = (id: string): void => {
    const node = drawn.get(id)?.node;
    if (!node || node.hidden || !numbers.has(node)) return;
    stopAt(node);
    node.focus({ preventScroll: true });
  };
  const walkable = (): HTMLElement[] => [...numbers.keys()].filter((node) => !node.hidden);
  return {
    element: h('div', { class: 'motion-fit' }, element),
    scale(by) {
      scale = by;
      element.style.transform = by === 1 ? '' : `scale(${by})`;
    },
    tell(next) {
      story = next;
      const own = [...drawn].find(([, { node }]) => node === document.activeElement)?.[0];
      // Told twice before it is drawn, nothing has the focus the second time.
      if (own !== undefined || document.activeElement !== document.body) focused = own;
      drawn.clear();
      numbers.clear();
      stop = undefined;
      element.replaceChildren();
      element.style.height = `${next?.height ?? 0}px`;
      element.style.width = `${next?.width ?? 0}px`;
      // What is scaled keeps its place in the layout: the room that it takes is that of its parent.
      const fit = element.parentElement as HTMLElement;
      fit.style.height = `${Math.floor((next?.height ?? 0) * scale)}px`;
    },
    draw(time) {
      if (!story) return;
      // A number that is hidden loses the focus at once.
      const active = document.activeElement;
      const seen = new Set<string>();
      for (const [piece, place] of momentOf(story, time).pieces) {
        seen.add(piece.id);
        drawPiece(piece, place);
      }
      for (const [id, of] of drawn) if (!seen.has(id)) hide(of);
      if (!stop || stop.hidden) {
        const had = stop !== undefined && stop === active;
        stopAt(walkable().at(-1));
        if (had) stop?.focus({ preventScroll: true });
      }
      if (focused !== undefined) focusAgain(focused);
      focused = undefined;
    },
    walk(by) {
      const all = walkable();
      const at = all.findIndex((node) => node === document.activeElement);
      const next = at < 0 ? (stop ?? all[0]) : all[(at + by + all.length) % all.length];
      stopAt(next);
      next?.focus({ preventScroll: true });
    },
  };
}

function dress(of: Drawn, { look, role, negative, lit }: Piece): void {
  const name = ['motion-piece', `motion-${look}`, role && `role-${role}`, negative && 'negative', lit && 'lit'].filter(Boolean).join(' '); // prettier-ignore
  if (of.look === name) return;
  of.look = name;
  of.node.className = name;
}

function write(of: Drawn, { number, text, below, pad = 0 }: Piece, nameOf: Names): void {
  const shown = number ? `${number.text}${'\u00a0'.repeat(pad)}` : (text ?? '');
  const key = `${shown}|${below ?? ''}|${number ? `${number.step}${number.index.join()}` : ''}`;
  if (of.text === key) return;
  of.text = key;
  if (below === undefined && !shown.includes('_')) of.node.textContent = shown;
  else of.node.replaceChildren(...symbolNodes(shown), ...(below === undefined ? [] : [h('sub', {}, below)]));
  if (number) setAttribute(of.node, 'aria-label', plain(nameOf(number)));
  else if (text && of.look.includes('motion-label')) of.node.title = text;
}

/** Looks without text: they are scaled, which costs no layout; what has text keeps its size. */
const scaled: ReadonlySet<Piece['look']> = new Set(['bar', 'axis', 'shutter', 'arrow']);

function put(of: Drawn, place: Place, look: Piece['look']): void {
  const { style } = of.node;
  const [width, height] = [`${place.width}px`, `${place.height}px`];
  const transform = transformOf(place, look);
  if (style.transform !== transform) style.transform = transform;
  if (!scaled.has(look) && style.width !== width) style.width = width;
  if (!scaled.has(look) && style.height !== height) style.height = height;
  const shade = place.opacity.toFixed(3);
  if (style.opacity !== shade) style.opacity = shade;
  show(of, place.opacity > 0);
}

function transformOf({ x, y, width, height, turn }: Place, look: Piece['look']): string {
  const moved = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
  if (!scaled.has(look)) return moved;
  const turned = turn === undefined ? '' : ` rotate(${turn.toFixed(2)}deg)`;
  return `${moved}${turned} scale(${width.toFixed(2)}, ${height.toFixed(2)})`;
}

function show(of: Drawn, shown: boolean): void {
  if (of.shown === shown && of.node.hidden !== shown) return;
  of.shown = shown;
  of.node.hidden = !shown;
}

const hide = (of: Drawn): void => show(of, false);
