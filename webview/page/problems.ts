import { t, type AttentionSpec, type Plan, type Problem, type Sentence, type TextRange } from '../../engine/index';
import type { LocatedProblem, SourceState } from '../protocol';
import { button, h, icon, isStandalone, prose, setAttribute, setText, typeset, type Child } from '../draw';
import type { ExplanationFailure } from '../session';
import { fileNeededCode } from '../tokenizers';

export interface Banners {
  readonly element: HTMLElement;
  update(model: BannersModel): void;
}

/** A note with a button that changes the spec. */
export interface Offer {
  readonly otherwise: string;
  /** What the button does; else it follows the code. */
  readonly action?: string;
  readonly change: Partial<AttentionSpec>;
}

export interface BannersModel {
  /** Why the host or the page could not read or compute something. */
  readonly trouble: ExplanationFailure | undefined;
  /** The label of the explanation that is still shown below a problem. */
  readonly shownLabel: string | undefined;
  readonly source: SourceState;
  readonly notes: readonly (string | Sentence)[];
  /** Fields that the source states otherwise, and corrections. */
  readonly offers: readonly Offer[];
  /** What the reader can turn to, and in what words. */
  readonly turn: Turn | undefined;
  /** Parts of the source that the explanation leaves out. */
  readonly unfollowed: readonly LocatedProblem[];
  /** Whether a position in the source can be shown in an editor. */
  readonly canShow: boolean;
  /** The plan whose symbols the notes use. */
  readonly plan: Plan | undefined;
  /** Problems in the values, such as NaN in the weights, with their steps. */
  readonly observations: readonly Problem[];
}

export interface Turn {
  readonly says: string;
  readonly action: string;
}

export interface BannerActions {
  readonly onRecompute: () => void;
  readonly onDismissTrouble: () => void;
  readonly onDismissNotes: () => void;
  readonly onStep: (id: string) => void;
  readonly onChooseTokenizer: () => void;
  readonly onFollow: (offer: Offer) => void;
  readonly onPlace: (place: TextRange) => void;
  readonly onAsText: () => void;
  readonly onTurn: () => void;
}

/** The banners between timeline and stage: problems, a changed source, notes. They are rebuilt only when they differ. */
export function createBanners(actions: BannerActions): Banners {
  const element = h('section', { class: 'banners', 'aria-label': t('Notices') });
  let told = '';
  return {
    element,
    update(model) {
      const { plan: _, ...rest } = model;
      const key = JSON.stringify(rest);
      if (key === told) return;
      told = key;
      const drawn = banners(model, actions);
      element.hidden = drawn.length === 0;
      element.replaceChildren(...drawn);
    },
  };
}

function banners(model: BannersModel, actions: BannerActions): HTMLElement[] {
  const { trouble, source, notes, offers, turn, unfollowed, observations, shownLabel, plan } = model;
  return [
    trouble && troubleBanner(trouble, shownLabel, actions),
    source !== 'fresh' && sourceBanner(source, actions.onRecompute),
    observations.length > 0 && observationBanner(observations, actions.onStep),
    unfollowed.length > 0 && unfollowedBanner(unfollowed, model.canShow, actions),
    (notes.length + offers.length > 0 || turn) && notesBanner(notes, offers, turn, plan, actions),
  ].filter((banner) => banner instanceof HTMLElement);
}

/** A text for the attempt that failed. */
const attempt = ({ label, tokenizer, shared }: ExplanationFailure): string =>
  shared
    ? t('Could not share {0}', label)
    : tokenizer
      ? t('Could not use {0}', label)
      : t('Could not explain {0}', label);

function troubleBanner(trouble: ExplanationFailure, shown: string | undefined, actions: BannerActions): HTMLElement {
  const { problems } = trouble;
  const needsFile = problems.some(({ code }) => code === fileNeededCode);
  const still = shown === undefined ? undefined : h('p', { class: 'still' }, t('Still showing {0}.', shown));
  return h(
    'div',
    { class: 'banner error', role: 'alert', 'data-problem': 'source' },
    icon('warning'),
    h('div', { class: 'banner-text' }, h('strong', {}, attempt(trouble)), problemList(problems), still),
    needsFile &&
      !isStandalone() &&
      button({ label: t('Choose file…'), primary: true, onClick: actions.onChooseTokenizer }),
    isCode(trouble) && button({ label: t('Explain it as text'), primary: true, onClick: actions.onAsText }),
    button({ label: t('Dismiss'), icon: 'close', iconOnly: true, onClick: actions.onDismissTrouble }),
  );
}

/** Whether the input was refused because it is code. */
const isCode = ({ problems }: ExplanationFailure): boolean =>
  !isStandalone() && problems.some(({ code }) => code === 'code');

/** A list of problems with line and column. */
function problemList(problems: readonly LocatedProblem[]): HTMLElement {
  return h(
    'ul',
    { class: 'problems' },
    ...problems.map(({ line, column, message, hint, code }) =>
      h(
        'li',
        { 'data-code': code },
        line !== undefined && h('span', { class: 'where' }, `${line}:${column ?? 1}`),
        h('span', { class: 'message' }, ...typeset(message)),
        hint !== undefined && h('span', { class: 'hint' }, ...typeset(hint)),
      ),
    ),
  );
}

function sourceBanner(state: SourceState, onRecompute: () => void): HTMLElement {
  const gone = state === 'gone';
  const text = gone ? t('The source is gone; this is what it was.') : t('The source changed.');
  return h(
    'div',
    { class: 'banner info', role: 'status', 'data-source': state },
    icon('note'),
    h('div', { class: 'banner-text' }, text),
    !gone && button({ label: t('Recompute'), primary: true, onClick: onRecompute }),
  );
}

function observationBanner(problems: readonly Problem[], onStep: (id: string) => void): HTMLElement {
  const items = problems.map(({ message, hint, path }) => {
    const show = path !== undefined && h('button', { type: 'button', class: 'text-link' }, t('Show'));
    if (show && path !== undefined) show.addEventListener('click', () => onStep(path));
    return h(
      'li',
      {},
      h('span', { class: 'message' }, ...typeset(message)),
      ...(hint ? ['. ', h('span', { class: 'hint' }, ...typeset(hint))] : []),
      show,
    );
  });
  return h(
    'div',
    { class: 'banner warning', role: 'status', 'data-problem': 'values' },
    icon('warning'),
    h('div', { class: 'banner-text' }, h('ul', { class: 'problems' }, ...items)),
  );
}

/** A banner with everything that the explanation leaves out, each with its position. */
function unfollowedBanner(problems: readonly LocatedProblem[], canShow: boolean, actions: BannerActions): HTMLElement {
  const items = problems.map(({ line, column, message, range }) => {
    const place = line === undefined ? undefined : `${line}:${column ?? 1}`;
    const show = canShow && place !== undefined && range ? textLink(place, () => actions.onPlace(range)) : undefined;
    if (show) show.title = t('Show line {0} in the editor', line);
    return h('li', {}, show ?? (place !== undefined && h('span', { class: 'where' }, place)), ' ', h('span', { class: 'message' }, ...typeset(message))); // prettier-ignore
  });
  return h(
    'div',
    { class: 'banner unfollowed', role: 'note', 'aria-label': t('Lines of the code') },
    icon('note'),
    h('div', { class: 'banner-text' }, h('ul', { class: 'problems' }, ...items)),
    button({ label: t('Hide notes'), icon: 'close', iconOnly: true, onClick: actions.onDismissNotes }),
  );
}

function textLink(label: string, onClick: () => void): HTMLButtonElement {
  const link = h('button', { type: 'button', class: 'text-link' }, label);
  link.addEventListener('click', onClick);
  return link;
}

function notesBanner(
  notes: readonly (string | Sentence)[],
  offers: readonly Offer[],
  turn: Turn | undefined,
  plan: Plan | undefined,
  { onDismissNotes, onFollow, onTurn }: BannerActions,
): HTMLElement {
  const offered = offers.map((said) =>
    h(
      'li',
      {},
      ...typeset(said.otherwise),
      ' ',
      textLink(said.action ?? t('Follow the code'), () => onFollow(said)),
    ),
  );
  return h(
    'div',
    { class: 'banner note', role: 'note', 'aria-label': t('Notes') },
    icon('note'),
    h(
      'ul',
      { class: 'banner-text notes' },
      turn && h('li', {}, ...typeset(turn.says), ' ', textLink(turn.action, onTurn)),
      ...offered,
      ...notes.map((note) => h('li', {}, ...(typeof note === 'string' ? typeset(note) : prose(note, { plan })))),
    ),
    button({ label: t('Hide notes'), icon: 'close', iconOnly: true, onClick: onDismissNotes }),
  );
}

export interface Progress {
  readonly element: HTMLElement;
  /** `alone`: nothing else is on the page. */
  show(text: string, alone: boolean): void;
  hide(): void;
}

/** The page without an explanation: what happened, and one button to go on. */
export function emptyState(
  trouble: ExplanationFailure | undefined,
  onAsk: () => void,
  onAsText: () => void,
): HTMLElement {
  const text = trouble
    ? [h('h1', {}, attempt(trouble)), problemList(trouble.problems)]
    : isStandalone()
      ? [h('h1', {}, t('Cannot be read.')), h('p', {}, t('It may be of another version, or have been changed.'))]
      : [h('h1', {}, t('Attention, step by step, on your own input')), h('p', {}, ...invitation())];
  return h(
    'main',
    { class: 'empty', ...(trouble ? { role: 'main', 'data-problem': 'source' } : {}) },
    ...text,
    trouble && isCode(trouble) && button({ label: t('Explain it as text'), primary: true, onClick: onAsText }),
    !isStandalone() &&
      button({
        label: trouble ? t('Type another input…') : t('Type an input…'),
        primary: !trouble || !isCode(trouble),
        onClick: onAsk,
      }),
  );
}

/** Highlights the command's name wherever the translation places it in the sentence. */
function invitation(): readonly Child[] {
  const hole = '\u0000';
  const [before = '', after = ''] = t('Select a sentence or a matrix in the editor and run {0}.', hole).split(hole);
  return [before, h('strong', {}, t('Explain Attention')), after];
}

/** A notice with a progress ring, the name of the computation, and a button to cancel it. */
export function createProgress(ring: HTMLElement, onCancel: () => void): Progress {
  const text = h('span', { class: 'progress-text' });
  const element = h(
    'div',
    { class: 'progress', role: 'status', 'data-progress': true, hidden: true },
    ring,
    text,
    button({ label: t('Cancel'), onClick: onCancel }),
  );
  return {
    element,
    show(message, alone) {
      setText(text, message);
      setAttribute(element, 'data-alone', alone);
      element.hidden = false;
    },
    hide: () => void (element.hidden = true),
  };
}
