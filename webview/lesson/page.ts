import { inStretches, readingLesson, type Lesson, type LessonBlock, type ReadLesson } from '../../engine/index';
import type { View } from '../protocol';
import { h } from '../draw';
import { attemptsAt, withheldSteps } from './withheld-steps';
import { createClock, type Clock } from './clock';
import { createFrame, type Frame } from './frame';
import { itemsOf, type DrawnItems } from './items';
import { createModelFiles, type ModelFiles } from './models';
import { handInNotice, isExam, problemsNotice, undoNotice } from './notices';
import { pagesOf, slidesOf, type LessonPage } from './pages';
import {
  askedHash,
  begunAgain,
  parseLessonHostMessage,
  takenBack,
  type Attempt,
  type LessonHostMessage,
  type LessonMessage,
  type LessonPageMessage,
  type LessonState,
  type Progress,
} from '../lesson-protocol';
import { themeNow } from './theme';
import { words } from './words';

/** What the page needs of its host, VS Code or a saved page. */
export interface LessonHost {
  post(message: LessonPageMessage): void;
  getState(): unknown;
  setState(state: LessonState): void;
}

/** The state of the page. It is the only mutable object here. */
interface Player {
  readonly host: LessonHost;
  readonly frame: Frame;
  readonly clock: Clock;
  /** The models that the lesson names. */
  readonly models: ModelFiles;
  given: LessonMessage | undefined;
  read: ReadLesson | undefined;
  pages: readonly LessonPage[];
  attempts: Map<string, Attempt>;
  /** Attempts and drafts before the last reset, for its undo. */
  beforeReset: Pick<Player, 'attempts' | 'drafts'> | undefined;
  drafts: Record<string, unknown>;
  page: number;
  presenting: boolean;
  slide: number;
  notes: boolean;
  handing: boolean;
  drawn: DrawnItems | undefined;
  /** Id of the block last sent to the explainer, and the steps that the explainer hides of it. */
  shown: string | undefined;
  withheld: readonly string[];
}

export interface LessonPlayer {
  receive(data: unknown): void;
  /** To be called after a change of theme. */
  redraw(): void;
}

/** Plays a lesson in `root`. `offline`: the page was saved as a file and has no VS Code beside it. */
export function createPlayer(root: HTMLElement, host: LessonHost, offline: boolean): LessonPlayer {
  const frame = createFrame(
    {
      turnPage: (by) => turnPage(player, by),
      goTo: (page) => goTo(player, page),
      present: () => present(player, !player.presenting),
      notes: () => toggle(player, 'notes'),
      save: () => (offline ? window.print() : host.post({ type: 'export', theme: themeNow() })),
      reset: () => reset(player),
      handIn: () => (offline ? toggle(player, 'handing') : host.post({ type: 'handIn' })),
    },
    offline ? { label: words.print, short: words.print } : { label: words.save, short: words.saveShort },
  );
  const state = host.getState() as Partial<LessonState> | undefined;
  const player: Player = {
    host, frame, models: createModelFiles((file) => host.post({ type: 'modelFile', file })), clock: createClock(), given: undefined, read: undefined, pages: [], attempts: new Map(), beforeReset: undefined,
    drafts: { ...state?.drafts }, page: 0, presenting: state?.presenting ?? false, slide: state?.slide ?? 0,
    notes: false, handing: false, drawn: undefined, shown: undefined, withheld: [],
  }; // prettier-ignore
  root.append(frame.root);
  frame.main.append(h('p', { class: 'loading' }, words.loading));
  listen(player);
  return { receive: (data) => receive(player, data), redraw: () => player.drawn?.redraw() };
}

function listen(player: Player): void {
  document.addEventListener('keydown', (event) => key(player, event));
  player.frame.main.addEventListener('focusin', ({ target }) => updateClock(player, target));
  window.addEventListener('beforeprint', () => drawAll(player));
  window.addEventListener('afterprint', () => draw(player));
}

/** Handles a message from the host. An invalid message is logged and otherwise ignored. */
function receive(player: Player, data: unknown): void {
  const message = parseLessonHostMessage(data);
  if (message.ok) return take(player, message.value);
  const text = message.problems.map((p) => p.message).join('; ');
  player.host.post({ type: 'log', level: 'error', message: `a message of the host was refused: ${text}` });
}

function take(player: Player, message: LessonHostMessage): void {
  if (message.type === 'lesson') void loadLesson(player, message);
  else player.models.arrived(message);
}

/** Shows a new lesson, or an edited version of the current one. In the latter case page, answers and drafts are kept. */
async function loadLesson(player: Player, given: LessonMessage): Promise<void> {
  const isNew = player.given?.uri !== given.uri || player.given === undefined;
  player.given = given;
  for (const { message } of await player.models.readNamed(given.source))
    player.host.post({ type: 'log', level: 'error', message });
  if (player.given !== given) return;
  const read = await inStretches(readingLesson(given.source, given.computed), () => player.given !== given);
  if (!read || player.given !== given) return;
  player.read = read;
  player.pages = pagesOf(read.lesson);
  const progress = isNew ? given.progress : progressOf(player);
  player.attempts = attemptsAt(read.lesson, progress, isExam(given, read.lesson));
  player.page = Math.min(progress.page, Math.max(0, player.pages.length - 1));
  player.slide = Math.min(player.slide, Math.max(0, slidesOf(player.pages).length - 1));
  if (isNew) player.shown = undefined;
  draw(player);
  updateWithheld(player);
}

const progressOf = ({ page, attempts }: Player): Progress => ({
  version: 1,
  page,
  answers: Object.fromEntries(attempts),
});

const inExam = ({ given, read }: Player): boolean =>
  given !== undefined && read !== undefined && isExam(given, read.lesson);

/** Whether the explainer is not there: in a saved page, which has no host, and in an exam, where it would show what is asked for. */
const staysClosed = (player: Player): boolean => player.given?.uri === null || inExam(player);

const currentPage = (player: Player): LessonPage | undefined => player.pages[player.page];

// --- drawing ------------------------------------------------------------------------

function draw(player: Player): void {
  const { frame, read } = player;
  if (!read) return;
  const slide = slidesOf(player.pages)[player.slide];
  if (player.presenting && slide) player.page = slide.page;
  document.body.classList.toggle('presenting', player.presenting);
  const page = currentPage(player);
  const items = page?.items ?? [];
  const shown = player.presenting && slide ? items.slice(slide.item, slide.item + 1) : items;
  player.drawn = itemsOf(shown, read.lesson, drawing(player, read.lesson));
  frame.main.replaceChildren(...(items.length ? player.drawn.nodes : [h('p', {}, words.empty)]));
  drawNotices(player, read);
  drawFrame(player);
  updateClock(player, undefined);
  save(player);
  if (page?.opens) show(player, page.opens, false);
  document.body.dataset['ready'] = 'true';
  document.body.dataset['page'] = String(player.page);
}

/** For printing: draws all pages, one below the other. */
function drawAll(player: Player): void {
  const { frame, read, pages } = player;
  if (!read) return;
  const all = pages.map(({ items }) => itemsOf(items, read.lesson, drawing(player, read.lesson)));
  frame.main.replaceChildren(...all.map(({ nodes }) => h('section', { class: 'sheet' }, ...nodes)));
}

const drawing = (player: Player, lesson: Lesson) => ({
  attempts: player.attempts,
  drafts: player.drafts,
  exam: inExam(player),
  notes: player.notes && !player.presenting,
  onLink: (href: string) =>
    player.given?.uri === null
      ? void window.open(href, '_blank', 'noopener,noreferrer')
      : player.host.post({ type: 'link', href }),
  onDraft: (id: string, response: unknown) => {
    player.drafts[id] = response;
    save(player);
  },
  onAttempt: (id: string, change: Partial<Attempt>) => attempt(player, lesson, id, change),
  ...(staysClosed(player) ? {} : { onShow: (block: LessonBlock) => show(player, block, true) }),
});

function drawFrame(player: Player): void {
  const { frame, pages, page, read, attempts } = player;
  if (!read) return;
  const { lesson } = read;
  frame.update({
    title: lesson.title || (player.given?.name ?? ''),
    pages: pages.map(({ title }) => title),
    page,
    right: lesson.questions.filter(({ id }) => attempts.get(id)?.right).length,
    questions: lesson.questions.length,
    notes: player.notes,
    ...(followingOf(player) === undefined ? {} : { following: followingOf(player) as string }),
    hasNotes: pages.some(({ items }) => items.some(({ kind }) => kind === 'note')),
    ...(inExam(player) ? { kept: [...attempts.values()].filter(({ response }) => response !== null).length } : {}),
    ...(player.presenting ? { slide: { at: player.slide, of: slidesOf(pages).length } } : {}),
  });
}

function drawNotices(player: Player, { lesson, problems }: ReadLesson): void {
  const { frame, given, host } = player;
  if (!given) return;
  const post = (message: LessonPageMessage): void => host.post(message);
  const notices = [
    problemsNotice(problems, given, post),
    player.beforeReset && undoNotice(() => undo(player)),
    player.handing ? handInNotice(given, lesson, () => progressOf(player), post) : undefined,
  ];
  frame.notices.replaceChildren(...notices.filter((notice) => notice !== undefined));
}

// --- actions of the reader ----------------------------------------------------------

function goTo(player: Player, page: number): void {
  player.page = Math.min(Math.max(0, page), Math.max(0, player.pages.length - 1));
  player.slide = Math.max(0, slidesOf(player.pages).findIndex((slide) => slide.page === player.page)); // prettier-ignore
  pageTurned(player);
}

function turnPage(player: Player, by: -1 | 1): void {
  const isLast = player.page >= player.pages.length - 1;
  if (!player.presenting && by === 1 && isLast && followingOf(player) !== undefined)
    return player.host.post({ type: 'nextLesson' });
  if (!player.presenting) return goTo(player, player.page + by);
  const last = slidesOf(player.pages).length - 1;
  player.slide = Math.min(Math.max(0, player.slide + by), Math.max(0, last));
  pageTurned(player);
}

/** The lesson after this one; a saved page has none. */
const followingOf = ({ given }: Player): string | undefined => (given?.uri === null ? undefined : given?.next);

function pageTurned(player: Player): void {
  draw(player);
  player.host.post({ type: 'progress', progress: progressOf(player) });
  player.frame.main.scrollTop = 0;
  player.frame.main.focus();
}

/** Starts presenting at the current page, or ends and stays at the page of the current slide. */
function present(player: Player, presenting: boolean): void {
  player.presenting = presenting;
  if (presenting) player.slide = Math.max(0, slidesOf(player.pages).findIndex((slide) => slide.page === player.page));
  pageTurned(player);
} // prettier-ignore

function toggle(player: Player, what: 'notes' | 'handing'): void {
  player[what] = !player[what];
  draw(player);
  if (what === 'handing') player.frame.notices.querySelector('input')?.focus();
}

function reset(player: Player): void {
  if (inExam(player)) return;
  const isBlank = [...player.attempts.values()].every(({ attempts, hints }) => attempts + hints === 0);
  if (isBlank && !Object.keys(player.drafts).length) return;
  player.beforeReset = { attempts: player.attempts, drafts: player.drafts };
  player.attempts = begunAgain(player.attempts);
  player.drafts = {};
  changed(player);
}

function undo(player: Player): void {
  // Attempts and drafts made since the reset are kept for questions that had none before it.
  const { attempts = new Map(), drafts = {} } = player.beforeReset ?? {};
  player.attempts = takenBack(attempts, player.attempts);
  player.drafts = { ...player.drafts, ...drafts };
  player.beforeReset = undefined;
  changed(player);
}

function changed(player: Player): void {
  draw(player);
  updateWithheld(player);
  player.host.post({ type: 'progress', progress: progressOf(player) });
}

function attempt(player: Player, lesson: Lesson, id: string, change: Partial<Attempt>): void {
  const question = lesson.questions.find((q) => q.id === id);
  if (!question) return;
  const old = player.attempts.get(id) ?? { response: null, attempts: 0, minutes: 0, right: false, hints: 0, revealed: false };
  const minutes = old.minutes + player.clock.take(id);
  player.attempts.set(id, { ...old, ...change, minutes, asked: askedHash(question, lesson) });
  player.drawn?.redraw();
  drawFrame(player);
  updateWithheld(player);
  save(player);
  player.host.post({ type: 'progress', progress: progressOf(player) });
} // prettier-ignore

/** The clock runs for the question that has the focus, or else for the first open question on the page. */
function updateClock(player: Player, target: EventTarget | null | undefined): void {
  const at = target instanceof Element ? target.closest<HTMLElement>('[data-question]') : undefined;
  const ids = [...player.frame.main.querySelectorAll<HTMLElement>('[data-question]')].map((e) => e.dataset['question']);
  const open = ids.find((id) => id !== undefined && !isClosed(player.attempts.get(id)));
  player.clock.at(at?.dataset['question'] ?? open);
}

const isClosed = (found: Attempt | undefined): boolean => Boolean(found?.right || found?.revealed);

/** Sends a block to the explainer. If it was the last one sent, it is sent again only if `again` is set. */
function show(player: Player, block: LessonBlock, again: boolean): void {
  if (staysClosed(player) || (player.shown === block.id && !again)) return;
  const asked = player.read ? withheldSteps(player.read.lesson, player.attempts, block) : [];
  player.shown = block.id;
  player.withheld = asked;
  player.host.post({ type: 'show', block: block.id, spec: block.spec, view: viewOf(block), asked });
}

/** Tells the explainer which steps to hide of the block that it shows, if they have changed. */
function updateWithheld(player: Player): void {
  const block = player.read?.lesson.blocks.find(({ id }) => id === player.shown);
  if (!player.read || !block || staysClosed(player)) return;
  const asked = withheldSteps(player.read.lesson, player.attempts, block);
  if (asked.join() === player.withheld.join()) return;
  player.withheld = asked;
  player.host.post({ type: 'asked', block: block.id, asked });
}

function viewOf({ view: { step, cell } }: LessonBlock): View {
  const [head, [row, column]] = [cell?.at(-3) ?? 0, cell?.slice(-2) ?? []];
  return {
    ...(step === undefined ? {} : { step }),
    ...(row === undefined || column === undefined ? {} : { cell: [row, column] }),
    ...(cell && cell.length > 2 ? { slice: { batch: 0, head } } : {}),
  };
}

function save(player: Player): void {
  const { host, given, drafts, presenting, slide } = player;
  if (!given) return;
  // A saved page has no host that keeps the progress.
  const kept = given.uri === null ? { lesson: { ...given, progress: progressOf(player) } } : {};
  host.setState({ version: 1, uri: given.uri, ...kept, drafts, presenting, slide });
}

/** Presenter remotes send Page Up and Page Down. Arrow keys turn pages unless the focused element uses them. */
function key(player: Player, event: KeyboardEvent): void {
  if (!player.presenting || event.altKey || event.ctrlKey || event.metaKey) return;
  const by = { PageDown: 1, PageUp: -1 }[event.key] ?? (usesArrows(event.target) ? undefined : arrow(event.key));
  if (event.key === 'Escape') present(player, false);
  else if (by === 1 || by === -1) turnPage(player, by);
  else return;
  event.preventDefault();
}

const arrow = (name: string): number | undefined => ({ ArrowRight: 1, ArrowLeft: -1 })[name];

const usesArrows = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, .picking td, .matrix-scroll') !== null;
