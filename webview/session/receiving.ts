import { applyControls, remaining, controlValuesOf, without, type ControlValues, type Reading } from '../choices';
import { writtenSpec } from './write-back';
import { parseHostMessage, type Explanation, type HostMessage, type View } from '../protocol';
import { withExplanation, withControls, type AppState, type Asked } from './app-state';
import { t, unpack, type Problem } from '../../engine/index';
import { goTo } from './actions';
import { ask } from './asking';
import { fail, update, type Session } from './model';

/** Shows the saved state, if any, and tells the host that the page can receive messages. */
export function begin(session: Session): void {
  const { asked } = session.state;
  if (asked) ask(session, session.state);
  else session.changed();
  session.host.post(
    asked ? { type: 'ready', restored: true, source: asked.explanation.source } : { type: 'ready', restored: false },
  );
}

/** The state with what the host says about the source. A source that matches what is shown again clears its problems. */
function withSource(before: AppState, source: AppState['source'], movedTo: string | undefined): AppState {
  const { movedTo: _, ...unmoved } = before;
  const state = { ...unmoved, ...(movedTo !== undefined && { movedTo }) };
  const { trouble, ...rest } = state;
  return source === 'fresh' || !trouble ? { ...rest, source } : { ...state, source };
}

/** Handles anything that arrived from the host. An invalid message is logged and shown, and changes nothing. */
export function receive(session: Session, data: unknown): void {
  const message = parseHostMessage(data);
  if (message.ok) return handle(session, message.value);
  const text = message.problems.map((p) => p.message).join('; ');
  session.host.post({ type: 'log', level: 'error', message: `a message of the host was refused: ${text}` });
  if ((data as { type?: unknown } | null)?.type === 'explain') fail(session, t('this input'), message.problems);
}

function handle(session: Session, message: HostMessage): void {
  switch (message.type) {
    case 'explain':
      return explain(session, message);
    case 'asked':
      if (session.state.asked?.explanation.source.label !== message.label) return;
      return update(session, withAsked(session.state, message.steps));
    case 'numbers':
      return addPart(session, message);
    case 'packed':
      return receive(session, assembled(session, message));
    case 'problems':
      session.recomputing = false;
      return fail(session, message.label, message.problems);
    case 'source':
      return update(session, withSource(session.state, message.state, message.label));
    case 'settings':
      return applySettings(session, message.settings);
    case 'vocabulary':
      return void session.tokenizers.arrived(message.encoding, message.bytes);
    case 'modelFile':
      return void session.tokenizers.arrived(message.file, message.bytes);
    case 'tokenizerFile':
      return useFile(session, message.name, message.text);
    case 'noTokenizer':
      return noTokenizer(session, message.name, message.problems);
    case 'goTo':
      return goTo(session, message.step);
    case 'along':
      session.along = message.place;
      return session.changed();
    case 'act':
      return session.act(message.action);
  }
}

type Part<T extends HostMessage['type']> = Extract<HostMessage, { type: T }>;

/** Adds the next part of a large explanation. The first part of another one discards the parts so far. */
function addPart(session: Session, { of, index, values }: Part<'numbers'>): void {
  const before = session.incomingParts?.of === of && index > 0 ? session.incomingParts.parts : [];
  session.incomingParts = index === before.length ? { of, parts: [...before, values] } : undefined;
}

/** The explanation assembled from its parts; an invalid message if parts are missing. */
function assembled(session: Session, { of, parts, message }: Part<'packed'>): unknown {
  const { incomingParts } = session;
  session.incomingParts = undefined;
  const isWhole = incomingParts?.of === of && incomingParts.parts.length === parts;
  return (isWhole ? unpack({ value: message, parts: incomingParts.parts }) : undefined) ?? { type: 'explain' };
}

type Explain = Extract<HostMessage, { type: 'explain' }>;

function explain(session: Session, { explanation, settings, view, asked = [] }: Explain): void {
  const { state } = session;
  const old = state.asked;
  const kept = session.recomputing || (old && isWritten(old, explanation));
  const keep = kept && old && sameSource(old.explanation, explanation) ? old.switches : undefined;
  session.recomputing = false;
  const next = withExplanation({ ...state, settings }, explanation, keep && fitting(keep, explanation));
  const read = withAsked(next, asked);
  const same = old !== undefined && sameSource(old.explanation, explanation);
  // Another place of the document is something new.
  const stays = same && isFirstView(view) && old.explanation.source.label === explanation.source.label;
  const placed = same ? read : atItsStart(read);
  ask(session, view && !keep && !stays ? withView(placed, view) : placed);
}

/** Whether a view says no more than that an input opens on its question: whoever looks at a step of it already stays there. */
const isFirstView = (view: View | undefined): boolean => view?.opening === true && view.step === undefined;

/** The state with the view that a file or a link names. What the plan does not have becomes the nearest that it has (`placed`, `leadingIndex`). */
function withView(state: AppState, view: View): AppState {
  const { step, cell, slice, digits, columns = false, opening = false, cursor } = view;
  const [row, column] = cell ?? [];
  const { asked } = state;
  return {
    ...state,
    ...(step === undefined ? {} : { step }),
    ...(row === undefined || column === undefined ? {} : { cell: [row, column] as const }),
    ...(slice ? { slice } : {}),
    reading: { ...withoutCursor(state.reading), columns, opening, opened: opening, ...(cursor !== undefined && { cursor }) }, // prettier-ignore
    ...(asked && digits !== undefined ? { asked: { ...asked, switches: { ...asked.switches, digits } } } : {}),
  };
}

/** Adds what a lesson asks for; an input from elsewhere asks for nothing. */
const withAsked = (state: AppState, asked: readonly string[]): AppState => ({
  ...state,
  reading: { ...state.reading, asked },
});

const sameSource = (a: Explanation, b: Explanation): boolean =>
  a.source.uri === b.source.uri &&
  a.source.label.split(':')[0] === b.source.label.split(':')[0] &&
  a.spec.start.from === b.spec.start.from;

/** Whether an input is the previous one after an edit was written back. */
const isWritten = (old: Asked, { spec }: Explanation): boolean =>
  old.switches.edits.length > 0 && JSON.stringify(spec) === JSON.stringify(writtenSpec(old));

/** Keeps control values, unless the new input cannot have them (given matrices are gone, for example). */
function fitting(switches: ControlValues, { spec }: Explanation): ControlValues {
  const own = controlValuesOf(spec, switches.digits);
  const noWeights = switches.projections === 'given' && own.projections !== 'given';
  const fit = noWeights ? { ...switches, projections: own.projections } : switches;
  return { ...fit, edits: remaining(fit.edits, applyControls(spec, fit)) };
}

/** Starts a new input at its first step. */
function atItsStart(state: AppState): AppState {
  const { step: _, cell: __, ...rest } = state;
  return { ...rest, scroll: 0, reading: { ...withoutCursor(rest.reading), opening: false, opened: false } };
}

const withoutCursor = ({ cursor: _, ...rest }: Reading): Reading => rest;

function applySettings(session: Session, settings: AppState['settings']): void {
  session.heard = true;
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

/** Tokenizes the text, or the one that waits for a tokenizer file, with the file that the reader chose. */
function useFile(session: Session, name: string, text: string): void {
  const state = session.retryWithTokenizer ?? session.state;
  const { asked } = state;
  if (asked?.explanation.spec.start.from !== 'text') {
    const problem = {
      code: 'no-text',
      message: t('what is shown does not start from a text'),
      hint: t('Explain a text first.'),
    };
    return noTokenizer(session, name, [problem]);
  }
  const file = session.tokenizers.keep(name, text);
  const switches = { ...asked.switches, tokenizer: { file } };
  const uncut = { ...asked, cuts: without(asked.cuts, { file }) };
  ask(session, withControls({ ...state, asked: uncut }, switches));
}

/** Shows why no tokenizer file could be read, at the text that waits for one. */
function noTokenizer(session: Session, name: string, problems: readonly Problem[]): void {
  if (session.tokenizers.arrived(name, problems)) return;
  update(session, { ...session.state, trouble: { label: name, problems, tokenizer: true } });
}
