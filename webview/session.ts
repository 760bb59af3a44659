import { planOf, tokenizerName, type AttentionSpec, type Plan, type Problem, type Step } from '../engine/index';
import type { Compute } from './compute';
import { without } from './cuts';
import { remaining } from './edits';
import { writtenSpec } from './edits-write';
import {
  parseHostMessage,
  type Explanation,
  type HostMessage,
  type PageMessage,
  type PageState,
  type View,
} from './protocol';
import {
  fromPageState,
  initialState,
  inWords,
  specOf,
  toPageState,
  withCutText,
  withExplanation,
  withSwitches,
  type AppState,
  type Asked,
} from './state';
import { applySwitches, sameSwitches, switchesOf, type Switches } from './switches';
import type { ComputeReport, TraceHandle } from './trace-handle';
import { fileNeededCode, type Tokenizers } from './tokenizers';
import { carryCell, clampCell, roadOf, stepOf } from './walk';

/** What the page needs of VS Code. */
export interface Host {
  post(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
}

/** What is on the screen; while something else is computed, it stays. */
export interface Shown {
  readonly asked: Asked;
  readonly trace: TraceHandle;
  readonly report?: ComputeReport;
}

export type Progress =
  { readonly step: string; readonly done: number; readonly total: number } | { readonly doing: string };

/** The page's one changing thing: what is asked for, what is shown, what is under way. Views are drawn from it. */
export interface Session {
  state: AppState;
  shown: Shown | undefined;
  /** What a computation under way would replace: Cancel goes back to it. */
  before: AppState | undefined;
  progress: Progress | undefined;
  /** What waits for nobody, but would need a tokenizer file: it is taken up when the reader chooses one. */
  wanting: AppState | undefined;
  /** The reader asked for the source to be read again: their switches then stay. */
  recomputing: boolean;
  readonly host: Host;
  readonly compute: Compute;
  readonly tokenizers: Tokenizers;
  /** Called after every change. */
  readonly changed: () => void;
}

export type SessionParts = Pick<Session, 'host' | 'compute' | 'tokenizers' | 'changed'>;

export function createSession(parts: SessionParts): Session {
  const { host } = parts;
  const state = fromPageState(host.getState()) ?? initialState;
  return {
    state,
    shown: undefined,
    before: undefined,
    progress: undefined,
    wanting: undefined,
    recomputing: false,
    ...parts,
  };
}

/** Shows what was saved, if anything, and tells the host that messages can come. */
export function begin(session: Session): void {
  const { asked } = session.state;
  if (asked) ask(session, session.state);
  else session.changed();
  session.host.post(
    asked ? { type: 'ready', restored: true, explanation: asked.explanation } : { type: 'ready', restored: false },
  );
}

/** A source that is again what is shown has nothing wrong with it any more. */
function withSource(state: AppState, source: AppState['source']): AppState {
  const { trouble, ...rest } = state;
  return source === 'fresh' || !trouble ? { ...rest, source } : { ...state, source };
}

/** Anything that arrived from the host; what is no message is logged and shown, and changes nothing. */
export function receive(session: Session, data: unknown): void {
  const message = parseHostMessage(data);
  if (message.ok) return handle(session, message.value);
  const text = message.problems.map((p) => p.message).join('; ');
  session.host.post({ type: 'log', level: 'error', message: `a message of the host was refused: ${text}` });
  if ((data as { type?: unknown } | null)?.type === 'explain') fail(session, 'this input', message.problems);
}

function handle(session: Session, message: HostMessage): void {
  switch (message.type) {
    case 'explain':
      return explain(session, message);
    case 'problems':
      session.recomputing = false;
      return fail(session, message.label, message.problems);
    case 'source':
      return update(session, withSource(session.state, message.state));
    case 'settings':
      return applySettings(session, message.settings);
    case 'vocabulary':
      return void session.tokenizers.arrived(message.encoding, message.bytes);
    case 'tokenizerFile':
      return useFile(session, message.name, message.text);
    case 'noTokenizer':
      return noTokenizer(session, message.name, message.problems);
  }
}

type Explain = Extract<HostMessage, { type: 'explain' }>;

function explain(session: Session, { explanation, settings, view }: Explain): void {
  const { state } = session;
  const old = state.asked;
  const kept = session.recomputing || (old && isWritten(old, explanation));
  const keep = kept && old && sameSource(old.explanation, explanation) ? old.switches : undefined;
  session.recomputing = false;
  const next = withExplanation({ ...state, settings }, explanation, keep && fitting(keep, explanation));
  const placed = old && sameSource(old.explanation, explanation) ? next : atItsStart(next);
  ask(session, view && !keep ? lookingAt(placed, view) : placed);
}

/** As a file or a link says. What the plan does not have is brought to the nearest that it has (`placed`, `leadIn`). */
function lookingAt(state: AppState, { step, cell, slice, digits }: View): AppState {
  const [row, column] = cell ?? [];
  const { asked } = state;
  return {
    ...state,
    ...(step === undefined ? {} : { step }),
    ...(row === undefined || column === undefined ? {} : { cell: [row, column] as const }),
    ...(slice ? { slice } : {}),
    ...(asked && digits !== undefined ? { asked: { ...asked, switches: { ...asked.switches, digits } } } : {}),
  };
}

const sameSource = (a: Explanation, b: Explanation): boolean =>
  a.source.uri === b.source.uri &&
  a.source.label.split(':')[0] === b.source.label.split(':')[0] &&
  a.spec.start.from === b.spec.start.from;

/** Whether an input is the one before with what was written back into it. */
const isWritten = (old: Asked, { spec }: Explanation): boolean =>
  old.switches.edits.length > 0 && JSON.stringify(spec) === JSON.stringify(writtenSpec(old));

/** Kept switches, unless the new input cannot take them (given matrices are gone, say). */
function fitting(switches: Switches, { spec }: Explanation): Switches {
  const own = switchesOf(spec, switches.digits);
  const noWeights = switches.projections === 'given' && own.projections !== 'given';
  const fit = noWeights ? { ...switches, projections: own.projections } : switches;
  return { ...fit, edits: remaining(fit.edits, applySwitches(spec, fit)) };
}

/** A new input is read from its beginning. */
function atItsStart(state: AppState): AppState {
  const { step: _, cell: __, ...rest } = state;
  return { ...rest, scroll: 0 };
}

function applySettings(session: Session, settings: AppState['settings']): void {
  const { state } = session;
  const { asked } = state;
  const followed = asked && asked.switches.digits === state.settings.digits;
  const next = followed
    ? { ...state, asked: { ...asked, switches: { ...asked.switches, digits: settings.digits } } }
    : state;
  const backendChanged = settings.backend !== state.settings.backend;
  if (backendChanged && asked) ask(session, { ...next, settings });
  else update(session, { ...next, settings });
}

/** What cannot be explained is said; the explanation before stays. */
function fail(session: Session, label: string, problems: readonly Problem[]): void {
  update(session, { ...session.state, trouble: { label, problems } });
}

/** Takes a new state, saves it and draws. */
export function update(session: Session, state: AppState): void {
  session.state = state;
  const saved = toPageState(state);
  if (saved) session.host.setState(saved);
  session.changed();
}

// --- asking and computing ----------------------------------------------------------

/** Computes what `next` asks for. Until it is there, or if it cannot be, what is shown stays. */
export function ask(session: Session, next: AppState): void {
  const { asked } = next;
  session.tokenizers.cancel();
  session.wanting = undefined;
  if (!asked) return update(session, next);
  const spec = specOf(asked);
  const planned = planOf(spec);
  if (!planned.ok) {
    return needsTokens(planned.problems)
      ? cutFirst(session, next, asked, spec)
      : refuse(session, next, planned.problems);
  }
  // Digits are display only.
  if (session.shown && !session.before && sameNumbers(session, next)) {
    session.shown = { ...session.shown, asked };
    return update(session, placed(next, session.shown.trace.plan, session.shown));
  }
  session.before ??= session.state;
  session.state = next;
  session.progress = undefined;
  session.compute.start(spec, next.settings.backend, {
    onProgress: (step, done, total) => {
      session.progress = { step, done, total };
      session.changed();
    },
    onPreview: (trace) => show(session, asked, trace),
    onDone: (trace, report) => {
      session.before = undefined;
      session.progress = undefined;
      show(session, asked, trace, report);
    },
    onReport: (report) => {
      if (session.shown?.asked !== asked) return;
      session.shown = { ...session.shown, report };
      session.changed();
    },
    onProblems: (problems) => giveUp(session, next, problems),
  });
  if (session.before) update(session, session.state);
}

/** Whether what is shown has the numbers that are asked for. */
function sameNumbers({ shown, state }: Session, next: AppState): boolean {
  if (!shown || !next.asked || state.settings.backend !== next.settings.backend) return false;
  const numbers = ({ switches }: Asked): Switches => ({ ...switches, digits: 0 });
  const { explanation, cuts } = shown.asked;
  const same = explanation === next.asked.explanation && cuts === next.asked.cuts;
  return same && sameSwitches(numbers(shown.asked), numbers(next.asked));
}

function show(session: Session, asked: Asked, trace: TraceHandle, report?: ComputeReport): void {
  const before = session.shown;
  session.shown = { asked, trace, ...(report ? { report } : {}) };
  update(session, placed(session.state, trace.plan, before));
}

/** Step and cell as the new plan has them. */
function placed(state: AppState, plan: Plan, before: Shown | undefined): AppState {
  const step = currentStep(plan, state.step);
  const known = stepOf(plan, state.step) && state.cell;
  const cell = known
    ? clampCell(step, known)
    : carryCell(stepOf(before?.trace.plan ?? plan, state.step), step, state.cell);
  return { ...state, step: step.id, cell };
}

/** The step of that name; where the plan has none, the first of the walk (given Q and K: what is made of them). */
export function currentStep(plan: Plan, id: string | undefined): Step {
  const named = stepOf(plan, id);
  const first = roadOf(plan).find((step) => step.place === 'road');
  const step = named ?? (id === 'mask' ? stepOf(plan, 'masked') : undefined) ?? first ?? plan.steps[0];
  if (!step) throw new Error('a plan without steps');
  return step;
}

/** Switches that do not fit: said at the control. An input that does not fit as it came: said above what is shown. */
function refuse(session: Session, next: AppState, problems: readonly Problem[]): void {
  const { state } = session;
  const { asked } = next;
  if (!asked || asked.explanation !== state.asked?.explanation) {
    return fail(session, asked?.explanation.source.label ?? 'this input', problems);
  }
  update(session, { ...state, refused: { switches: asked.switches, problems } });
}

export const needsTokens = (problems: readonly Problem[]): boolean =>
  problems.every(({ code }) => code === 'vocabulary-needed');

/** Has the text cut, away from this thread, and then asks again. What is shown stays until then, and if it cannot be cut. */
function cutFirst(session: Session, next: AppState, asked: Asked, spec: AttentionSpec): void {
  session.compute.cancel();
  session.before ??= session.state;
  session.state = next;
  session.tokenizers.start(spec, {
    onProgress(doing) {
      session.progress = { doing };
      session.changed();
    },
    onCut(cut) {
      const now = session.state;
      goBack(session);
      ask(session, withCutText(now, cut));
    },
    onProblems: (problems) => notCut(session, next, asked, problems),
  });
  update(session, session.state);
}

/** Where nothing is shown yet, words are better than nothing. */
function notCut(session: Session, next: AppState, asked: Asked, problems: readonly Problem[]): void {
  goBack(session);
  if (!session.shown) ask(session, { ...next, asked: inWords(asked) });
  const label = tokenizerName(asked.switches.tokenizer);
  update(session, { ...session.state, trouble: { label, problems, tokenizer: true } });
  if (problems.some(({ code }) => code === fileNeededCode)) session.wanting = next;
}

/** To what was before the work under way. */
function goBack(session: Session): void {
  session.state = session.before ?? session.state;
  session.before = undefined;
  session.progress = undefined;
}

/** The computation itself gave up (too large, the worker failed). */
function giveUp(session: Session, next: AppState, problems: readonly Problem[]): void {
  goBack(session);
  const label = next.asked?.explanation.source.label ?? 'this input';
  fail(session, label, problems);
}

/** Ends the computation under way and goes back to what is shown. */
export function cancel(session: Session): void {
  session.compute.cancel();
  session.tokenizers.cancel();
  const { before } = session;
  session.before = undefined;
  session.progress = undefined;
  if (before) update(session, session.shown ? { ...before, asked: session.shown.asked } : before);
}

// --- tokenizer files ------------------------------------------------------------------

/** The text, or the one that wants a file, cut by a file that the reader chose. */
function useFile(session: Session, name: string, text: string): void {
  const state = session.wanting ?? session.state;
  const { asked } = state;
  if (asked?.explanation.spec.start.from !== 'text') {
    const problem = {
      code: 'no-text',
      message: 'what is shown does not start from a text',
      hint: 'Explain a text first.',
    };
    return noTokenizer(session, name, [problem]);
  }
  const file = session.tokenizers.keep(name, text);
  const switches = { ...asked.switches, tokenizer: { file } };
  const uncut = { ...asked, cuts: without(asked.cuts, { file }) };
  ask(session, withSwitches({ ...state, asked: uncut }, switches));
}

/** Told to the text that waits for it; a file that could not be read has none. */
function noTokenizer(session: Session, name: string, problems: readonly Problem[]): void {
  if (session.tokenizers.arrived(name, problems)) return;
  update(session, { ...session.state, trouble: { label: name, problems, tokenizer: true } });
}
