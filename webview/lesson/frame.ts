import { t } from '../../engine/index';
import { h, plain, setAttribute, setText, setTypeset } from '../draw';
import { words } from './words';

export interface FrameActions {
  readonly turnPage: (by: -1 | 1) => void;
  readonly goTo: (page: number) => void;
  readonly present: () => void;
  readonly notes: () => void;
  readonly save: () => void;
  readonly reset: () => void;
  readonly handIn: () => void;
}

export interface FrameModel {
  readonly title: string;
  readonly pages: readonly string[];
  readonly page: number;
  /** Only while presenting: the index of the current slide, from 0, and the number of slides. */
  readonly slide?: { readonly at: number; readonly of: number };
  readonly right: number;
  readonly questions: number;
  readonly notes: boolean;
  readonly hasNotes: boolean;
  /** Title of the lesson that Next opens from the last page. */
  readonly following?: string;
  /** In an exam: how many questions have an answer. Then nothing is reset, and nothing says how many are right. */
  readonly kept?: number;
}

/** What surrounds a page of a lesson: title and actions above, navigation below. */
export interface Frame {
  readonly root: HTMLElement;
  readonly main: HTMLElement;
  /** Container of the lesson's problems, of the undo of a reset, and of the form for handing in. */
  readonly notices: HTMLElement;
  update(model: FrameModel): void;
}

const quietButton = (label: string, onClick: () => void, name: string): HTMLButtonElement => {
  const button = h('button', { type: 'button', class: `quiet ${name}` }, label);
  button.addEventListener('click', onClick);
  return button;
};

/** Labels of the button that saves the lesson: as a file in VS Code, by printing in a saved page. */
export interface SaveLabels {
  readonly label: string;
  /** The label on a narrow page. */
  readonly short: string;
}

function saveButton({ label, short }: SaveLabels, onClick: () => void): HTMLButtonElement {
  const button = quietButton('', onClick, 'save');
  button.append(h('span', { class: 'whole' }, label), h('span', { class: 'short' }, short));
  // The accessible name is the long label at every width.
  setAttribute(button, 'aria-label', label);
  return button;
}

export function createFrame(act: FrameActions, saves: SaveLabels): Frame {
  const title = h('h1', { class: 'lesson-title' });
  const right = h('span', { class: 'score', role: 'status' });
  const notes = quietButton(words.notes, act.notes, 'notes');
  const present = quietButton(words.present, act.present, 'present');
  const leave = quietButton(words.leave, act.present, 'leave');
  const reset = quietButton(words.reset, act.reset, 'reset');
  const actions = [quietButton(words.handIn, act.handIn, 'hand-in'), notes, present, saveButton(saves, act.save), reset]; // prettier-ignore
  const header = h('header', { class: 'lesson-header' }, title, right, h('div', { class: 'actions' }, ...actions));
  const notices = h('div', { class: 'notices', role: 'region', 'aria-label': t('Notices') });
  const main = h('main', { class: 'lesson-main', tabindex: -1 });
  const previous = quietButton(words.previous, () => act.turnPage(-1), 'previous');
  const next = h('button', { type: 'button', class: 'primary next' }, words.next);
  next.addEventListener('click', () => act.turnPage(1));
  const select = h('select', { 'aria-label': words.pages });
  select.addEventListener('change', () => act.goTo(Number(select.value)));
  const place = h('span', { class: 'place', role: 'status' });
  const footer = h('footer', { class: 'lesson-footer' }, previous, h('div', { class: 'where' }, select, place), next, leave); // prettier-ignore
  // Until the lesson is read there is nothing to turn, present or hand in.
  header.hidden = footer.hidden = true;
  return {
    root: h('div', { class: 'lesson' }, header, notices, main, footer),
    main,
    notices,
    update(model) {
      const { pages, page, slide } = model;
      header.hidden = footer.hidden = false;
      setTypeset(title, model.title);
      const { kept } = model;
      const score =
        kept === undefined ? words.answered(model.right, model.questions) : words.answeredOf(kept, model.questions);
      setText(right, model.questions ? score : '');
      right.title = kept === undefined ? '' : words.exam;
      reset.hidden = kept !== undefined;
      setText(place, slide ? words.slideOf(slide.at + 1, slide.of) : words.pageOf(page + 1, Math.max(1, pages.length)));
      drawOptions(select, pages.map(plain), page);
      const [at, last] = slide ? [slide.at, slide.of - 1] : [page, pages.length - 1];
      previous.disabled = at <= 0;
      const following = at >= last && !slide ? model.following : undefined;
      next.disabled = at >= last && following === undefined;
      setText(next, following === undefined ? words.next : words.nextLesson);
      next.title = following ?? '';
      notes.hidden = !model.hasNotes;
      setAttribute(notes, 'aria-pressed', model.notes ? 'true' : 'false');
      leave.hidden = !slide;
    },
  };
}

function drawOptions(select: HTMLSelectElement, pages: readonly string[], page: number): void {
  const same = select.options.length === pages.length && pages.every((name, i) => select.options[i]?.text === name);
  if (!same) select.replaceChildren(...pages.map((name, i) => h('option', { value: i }, name)));
  select.value = String(page);
}
