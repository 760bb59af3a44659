import { notations, titleOfNotation, t, type Problem, type Result } from '../../engine/index';
import { theme } from '../heatmap';
import { button, h, isStandalone, setAttribute } from '../draw';
import {
  explanationAs,
  formulaAs,
  linkAs,
  matrixAs,
  notebookAs,
  pageAs,
  pictureAs,
  programAs,
  specAs,
  type Subject,
  type TakeAlongMessage,
} from './exports';

export interface ShareActions {
  readonly onTake: (taken: TakeAlongMessage) => void;
  readonly onProblems: (problems: readonly Problem[]) => void;
}

export interface Share {
  /** A button and the menu that it opens. */
  readonly element: HTMLElement;
  update(subject: Subject): void;
}

interface Item {
  readonly text: string;
  /** Whether it reveals values of the step. */
  readonly numbers?: true;
  /** Whether it needs VS Code, i.e. is missing in a saved page. */
  readonly host?: true;
  readonly take: (subject: Subject) => TakeAlongMessage | Result<TakeAlongMessage> | Promise<Result<TakeAlongMessage>>;
}

interface Group {
  /** Whether all its items reveal values of the step. */
  readonly numbers?: true;
  readonly title: (subject: Subject) => string;
  readonly items: readonly Item[];
}

const groups: readonly Group[] = [
  {
    numbers: true,
    title: ({ step }) => t('Copy {0} as', step.symbol),
    items: notations.map((notation) => ({ text: titleOfNotation(notation), take: (s) => matrixAs(s, notation) })),
  },
  {
    title: ({ step }) => step.words.name,
    items: [
      { text: t('Copy the formula as LaTeX'), take: formulaAs },
      { text: t('Save picture as PNG…'), numbers: true, take: (s) => pictureAs(s, theme(), 'png') },
      { text: t('Save picture as SVG…'), numbers: true, take: (s) => pictureAs(s, theme(), 'svg') },
    ],
  },
  {
    title: () => t('The whole computation'),
    items: [
      { text: t('Copy link'), host: true, take: linkAs },
      { text: t('Save as a file that opens here…'), take: explanationAs },
      { text: t('Open as a NumPy program'), take: (s) => programAs(s, 'numpy') },
      { text: t('Open as a PyTorch program'), take: (s) => programAs(s, 'torch') },
      { text: t('Save as a Jupyter notebook…'), take: (s) => notebookAs(s, 'numpy') },
      { text: t('Save as a web page…'), host: true, take: pageAs },
      { text: t('Open its spec as JSON'), take: specAs },
    ],
  },
];

/** The items that are available now: none that reveals hidden values, and in a saved page none that needs VS Code. */
function offered({ hidden }: Subject): readonly Group[] {
  const allowed = (item: Item): boolean => !(hidden && item.numbers) && !(isStandalone() && item.host);
  const shown = groups.filter((group) => !(hidden && group.numbers));
  return shown.map((group) => ({ ...group, items: group.items.filter(allowed) }));
}

/** The Share button and its menu. Escape, a click outside and loss of the window's focus close it; arrow keys move. */
export function createShare(actions: ShareActions): Share {
  let subject: Subject | undefined;
  const menu = h('div', { class: 'share-menu', role: 'menu', 'aria-label': t('Share'), hidden: true });
  const toggle = button({
    label: t('Share'),
    title: t('Copy, save or open as code'),
    onClick: () => (menu.hidden ? open() : close(true)),
  });
  const element = h('div', { class: 'share' }, toggle, menu);
  setAttribute(toggle, 'aria-haspopup', 'menu');
  const close = (refocus: boolean): void => {
    menu.hidden = true;
    setAttribute(toggle, 'aria-expanded', 'false');
    if (refocus) toggle.focus();
  };
  const open = (): void => {
    if (!subject) return;
    menu.replaceChildren(...offered(subject).map((group) => section(group, subject as Subject, choose)));
    menu.hidden = false;
    setAttribute(toggle, 'aria-expanded', 'true');
    itemsOf(menu)[0]?.focus();
  };
  const choose = (item: Item): void => {
    close(true);
    if (subject) void deliver(item, subject, actions);
  };
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close(true);
    else if (event.key === 'Tab') close(false);
    else if (!moveMenuFocus(event, itemsOf(menu))) return;
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!menu.hidden && target instanceof Node && !element.contains(target)) close(false);
  });
  window.addEventListener('blur', () => {
    if (!menu.hidden) close(false);
  });
  return { element, update: (next) => (subject = next) };
}

async function deliver({ take }: Item, subject: Subject, { onTake, onProblems }: ShareActions): Promise<void> {
  try {
    const taken = await take(subject);
    if ('type' in taken) onTake(taken);
    else if (taken.ok) onTake(taken.value);
    else onProblems(taken.problems);
  } catch (error) {
    onProblems([{ code: 'failed', message: error instanceof Error ? error.message : String(error) }]);
  }
}

function section(group: Group, subject: Subject, choose: (item: Item) => void): HTMLElement {
  const title = group.title(subject);
  const items = group.items.map((item) => {
    const node = h('button', { type: 'button', role: 'menuitem', tabindex: -1, class: 'share-item' }, item.text);
    node.addEventListener('click', () => choose(item));
    return node;
  });
  return h(
    'div',
    { class: 'share-group', role: 'group', 'aria-label': title },
    h('div', { class: 'share-title', 'aria-hidden': 'true' }, title),
    h('div', { class: 'share-items' }, ...items),
  );
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];

function moveMenuFocus(event: KeyboardEvent, items: readonly HTMLElement[]): boolean {
  const at = items.findIndex((item) => item === document.activeElement);
  const to = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (to === undefined) return false;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
  return true;
}
