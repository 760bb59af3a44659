import { counted, t, type Capture, type CapturedAttention } from '../../engine/index';
import { h, setText } from '../draw';
import { createPictureKey, moveFocus, weightsThumb } from '../model';
import { headButton } from '../opening';
import type { CapturedPicture, CaptureHostMessage, CapturePageMessage } from '../protocol';

/** The page of a recorded model, without VS Code's side. */
export interface CapturePage {
  readonly element: HTMLElement;
  receive(message: CaptureHostMessage): void;
  redraw(): void;
}

/** An attention's place on the page. */
interface Shown {
  readonly heads: HTMLElement;
  readonly found: HTMLElement;
}

export function createCapturePage(post: (message: CapturePageMessage) => void): CapturePage {
  const title = h('h1', {}, t('Recorded model'));
  const summary = h('p', { class: 'model-summary' });
  const status = h('p', { class: 'model-status', role: 'status' });
  const trouble = h('div', { class: 'model-trouble', role: 'alert', hidden: true });
  const list = h('div', { class: 'model-groups' });
  const key = createPictureKey();
  key.element.hidden = true;
  const element = h('main', { class: 'model' }, title, summary, status, trouble, key.element, list);
  let shown: Shown[] = [];
  let capture: Capture | undefined;
  let pictures: ReturnType<typeof weightsThumb>[] = [];
  let [come, whole, apart] = [0, 0, 0];
  list.addEventListener('keydown', (event) => moveFocus(event, [...list.querySelectorAll<HTMLElement>('.opening-head')]));

  const start = (name: string, given: Capture): void => {
    capture = given;
    [come, apart, pictures] = [0, 0, []];
    whole = given.attentions.reduce((sum, one) => sum + one.batch.length * one.heads.length, 0);
    setText(title, name);
    setText(summary, summaryOf(given));
    trouble.hidden = true;
    key.element.hidden = whole === 0;
    key.update(Math.max(0, ...given.attentions.flatMap(({ shape: [, , queries, keys] }) => [queries, keys])));
    shown = given.attentions.map((one, i) => group(one, () => post({ type: 'line', attention: i })));
    list.replaceChildren(...shown.map(({ heads }) => heads.parentElement as HTMLElement), ...unseenOf(given));
    say();
  };
  const say = (): void => {
    const done = come < whole ? t('{0} of {1} heads compared with the exact result.', come, whole) : t('{0} compared with the exact result of their own Q, K and V.', counted(whole, 'head')); // prettier-ignore
    setText(status, apart === 0 ? done : `${done} ${t('Differing by more than rounding: {0}.', apart)}`);
  };
  const add = (head: CapturedPicture): void => {
    const about = capture?.attentions[head.at.attention];
    const place = shown[head.at.attention];
    if (!about || !place) return;
    come++;
    if (head.is === 'differs') apart++;
    const button = buttonOf(head, about, pictures);
    button.addEventListener('click', () => post({ type: 'open', at: head.at }));
    if (list.querySelector('.opening-head')) button.tabIndex = -1;
    place.heads.append(button);
    // The first that differs speaks for its attention; else its first head.
    const differs = head.is === 'differs';
    if (!place.found.textContent || (differs && !place.found.classList.contains('capture-differs'))) {
      setText(place.found, differs ? `${placeOf(head, about)}: ${head.says}` : head.says);
      place.found.classList.toggle('capture-differs', differs);
    }
  };
  return {
    element,
    receive(message) {
      if (message.type === 'capture') return start(message.name, message.capture);
      if (message.type === 'problems') {
        trouble.hidden = message.messages.length === 0;
        return trouble.replaceChildren(...message.messages.map((text) => h('p', {}, text)));
      }
      message.heads.forEach(add);
      say();
    },
    redraw() {
      key.redraw();
      pictures.forEach((picture) => picture.redraw());
    },
  };
} // prettier-ignore

function group(one: CapturedAttention, onLine: () => void): Shown {
  const [file, line] = one.where;
  const name = one.module || t('(no module)');
  const link = h('button', { type: 'button', class: 'text-link' }, `${file.split(/[\\/]/).at(-1) ?? file}:${line}`);
  link.addEventListener('click', onLine);
  const found = h('p', { class: 'capture-found' });
  const heads = h('div', { class: 'opening-layer-heads' });
  const [, , queries, keys] = one.shape;
  const words = [one.class, kindWords(one.kind), `${queries} × ${keys}`, one.dtype, ...(one.call > 0 ? [t('call {0}', one.call + 1)] : []), partWords(one)].filter(Boolean).join(' · '); // prettier-ignore
  h('div', { class: 'model-group', role: 'group', 'aria-label': name }, h('h3', {}, name), h('div', { class: 'model-row' }, h('span', {}, words), line > 0 ? link : ''), heads, found); // prettier-ignore
  return { heads, found };
}

function buttonOf(head: CapturedPicture, about: CapturedAttention, pictures: ReturnType<typeof weightsThumb>[]): HTMLButtonElement {
  const picture = weightsThumb(head.picture);
  pictures.push(picture);
  const kind = { agrees: t('exact'), differs: t('differs'), dropped: t('not compared') }[head.is];
  const says = `${placeOf(head, about)} · ${head.says}`;
  const button = headButton({ picture, name: `H${about.heads[head.at.head] ?? ''}${about.batch.length > 1 ? ` · ${t('input {0}', about.batch[head.at.input] ?? '')}` : ''}`, kind, attributes: { title: says, 'aria-label': says, 'data-captured': `${head.at.attention}/${head.at.input}/${head.at.head}` } });
  if (head.is === 'differs') button.classList.add('capture-differs');
  return button;
} // prettier-ignore

const placeOf = ({ at }: CapturedPicture, { heads, batch, shape }: CapturedAttention): string =>
  shape[0] > 1 ? t('head {0}, input {1}', heads[at.head] ?? '', batch[at.input] ?? '') : t('head {0}', heads[at.head] ?? ''); // prettier-ignore

/** What of an attention is in the file, where that is not all. */
function partWords({ shape: [inputs, heads, queries], batch, heads: own, rows }: CapturedAttention): string {
  const parts = [
    ...(own.length < heads ? [t('{0} of {1} heads', own.length, heads)] : []),
    ...(batch.length < inputs ? [t('{0} of {1} inputs', batch.length, inputs)] : []),
    ...(rows[1] - rows[0] < queries ? [t('queries {0} to {1}', rows[0], rows[1] - 1)] : []),
  ];
  return parts.join(', ');
}

const kindWords = (kind: string): string => (kind === 'softmax' ? t('softmax by hand') : kind);

const summaryOf = ({ attentions, library, rank, world }: Capture): string =>
  [counted(attentions.length, 'attention'), library, ...(world > 1 ? [t('process {0} of {1}', rank, world)] : [])].filter(Boolean).join(' · '); // prettier-ignore

function unseenOf({ unseen, notes }: Capture): HTMLElement[] {
  const listed = (title: string, texts: readonly string[]): HTMLElement[] =>
    texts.length === 0 ? [] : [h('section', { 'aria-label': title }, h('h2', {}, title), h('ul', {}, ...texts.map((text) => h('li', {}, text))))]; // prettier-ignore
  return [...listed(t('Ran and was not recorded'), unseen), ...listed(t('While it was recorded'), notes)];
}
