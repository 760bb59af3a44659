import { planOf, validateSpec, type AttentionSpec, type Problem, type Slice } from '../../engine/index';
import {
  applyControls,
  initialReading,
  isEdit,
  readingFrom,
  sameControls,
  sizeOfEdits,
  controlValuesOf,
  textOf,
  withTokenized,
  withEdits,
  type TokenizedText,
  type Edited,
  type Reading,
  type ControlValues,
} from '../choices';
import {
  checkExplanation,
  checkSettings,
  checkSourceState,
  type Explanation,
  type LocatedProblem,
  type PageState,
  type PanelSettings,
  type SourceState,
} from '../protocol';
import { firstSlice, type Cell } from '../trace';

/** What is explained: the input as the host sent it, with the values of the reader's controls. */
export interface Asked {
  readonly explanation: Explanation;
  readonly switches: ControlValues;
  /** The text as the tokenizers used so far have split it. */
  readonly cuts: readonly TokenizedText[];
}

/** The scroll position at which the selected cell is in view. */
export const atCell = 'cell';

/** Control values that do not fit together, and why. The explanation before them stays. */
export interface Refused {
  readonly switches: ControlValues;
  readonly problems: readonly Problem[];
}

export interface AppState {
  readonly settings: PanelSettings;
  readonly asked?: Asked;
  readonly refused?: Refused;
  /** Control values for undo and redo, nearest last. */
  readonly past: readonly ControlValues[];
  readonly future: readonly ControlValues[];
  readonly step?: string;
  readonly cell?: Cell;
  /** The selected head and input of a batch. */
  readonly slice: Slice;
  /** The pinned explanation. With `differences`, the differences from it are shown instead of values. */
  readonly pinned?: Asked;
  readonly differences: boolean;
  readonly source: SourceState;
  /** Where the source stands now, if it has moved since it was explained. */
  readonly movedTo?: string;
  /** What could not be read or done. */
  readonly trouble?: ExplanationFailure;
  readonly scroll: number | typeof atCell;
  readonly controlsOpen: boolean;
  readonly notesHidden: boolean;
  readonly reading: Reading;
}

/** `label` names what could not be explained; `tokenizer`, the tokenizer that could not be used. */
export interface ExplanationFailure {
  readonly label: string;
  readonly problems: readonly LocatedProblem[];
  readonly tokenizer?: true;
  /** Whether it is copying or saving that failed. */
  readonly shared?: true;
}

export const initialState: AppState = {
  settings: { backend: 'auto', digits: 2 },
  past: [],
  future: [],
  slice: firstSlice,
  differences: true,
  source: 'fresh',
  scroll: 0,
  controlsOpen: false,
  notesHidden: false,
  reading: initialReading,
};

/** How many changes can be undone. */
const historyLimit = 100;

/** The spec that is asked for. */
export const specOf = (asked: Asked): AttentionSpec => editedOf(asked).spec;

const unedited = new WeakMap<Asked, AttentionSpec>();

/** The spec that is asked for, without what was written into its sources. */
export function uneditedOf(asked: Asked): AttentionSpec {
  const { explanation, switches, cuts } = asked;
  const known = unedited.get(asked) ?? applyControls(explanation.spec, switches, cuts);
  unedited.set(asked, known);
  return known;
}

/** Keeps what is asked for, to be compared with. */
export const withPin = (state: AppState, pinned: Asked | undefined): AppState => {
  const { pinned: _, ...rest } = state;
  return pinned ? { ...rest, pinned, differences: true } : rest;
};

const edited = new WeakMap<Asked, Edited>();

/** The spec that is asked for, what its edits changed, and which of them have no place in it. */
export function editedOf(asked: Asked): Edited {
  const known = edited.get(asked) ?? withEdits(uneditedOf(asked), asked.switches.edits);
  edited.set(asked, known);
  return known;
}

/** The control values that the input came with. Reset restores them. */
export const defaultsOf = (state: AppState): ControlValues | undefined =>
  state.asked && controlValuesOf(state.asked.explanation.spec, state.settings.digits);

/** The values that the controls show, including refused ones until they are corrected or undone. */
export const visibleControls = (state: AppState): ControlValues | undefined =>
  state.refused?.switches ?? state.asked?.switches;

/** The state with a new input and its own control values, or with `keep`. */
export function withExplanation(state: AppState, explanation: Explanation, keep?: ControlValues): AppState {
  const { refused: _, trouble: __, movedTo: ___, ...rest } = state;
  const switches = keep ?? controlValuesOf(explanation.spec, state.settings.digits);
  const history = keep ? { past: state.past, future: state.future } : { past: [], future: [] };
  const cuts = tokenizedTextsFor(state.asked, explanation);
  return { ...rest, asked: { explanation, switches, cuts }, ...history, source: 'fresh', notesHidden: false };
}

/** Tokenized texts are kept while the text is the same. */
function tokenizedTextsFor(before: Asked | undefined, { spec }: Explanation): readonly TokenizedText[] {
  return before && textOf(before.explanation.spec) === textOf(spec) ? before.cuts : [];
}

/** The state with the text tokenized by one more tokenizer. */
export function withTokenizedText(state: AppState, cut: TokenizedText): AppState {
  const { asked } = state;
  return asked ? { ...state, asked: { ...asked, cuts: withTokenized(asked.cuts, cut) } } : state;
}

/** The same input split into words, which need no vocabulary. */
export const splitIntoWords = (asked: Asked): Asked => ({
  ...asked,
  switches: { ...asked.switches, tokenizer: 'words' },
});

/** The state with other control values on the same input. The present ones go to the undo history. */
export function withControls(state: AppState, switches: ControlValues): AppState {
  if (!state.asked) return state;
  const { refused: _, trouble, ...untroubled } = state;
  // Another choice clears the message about a tokenizer that could not be used.
  const rest = trouble && !trouble.tokenizer ? { ...untroubled, trouble } : untroubled;
  if (sameControls(switches, state.asked.switches)) return rest;
  const past = [...state.past, state.asked.switches].slice(-historyLimit);
  return { ...rest, asked: { ...state.asked, switches }, past, future: [] };
}

/** The state after undo or redo. Undo drops refused values first. */
export function stepInHistory(state: AppState, direction: 'undo' | 'redo'): AppState {
  const { refused, ...rest } = state;
  if (direction === 'undo' && refused) return rest;
  const [from, to] = direction === 'undo' ? (['past', 'future'] as const) : (['future', 'past'] as const);
  const switches = state[from].at(-1);
  if (!state.asked || !switches) return state;
  return {
    ...rest,
    asked: { ...state.asked, switches },
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], state.asked.switches],
  };
}

export const canUndo = (state: AppState): boolean => state.refused !== undefined || state.past.length > 0;
export const canRedo = (state: AppState): boolean => state.refused === undefined && state.future.length > 0;

/** The state as it is saved; undefined while nothing is explained. */
export function toPageState(state: AppState): PageState | undefined {
  const { asked, settings, past, future, step, cell, slice, source, scroll, controlsOpen, notesHidden } = state;
  const { pinned, differences } = state;
  if (!asked) return undefined;
  return {
    version: 1,
    explanation: asked.explanation,
    switches: asked.switches,
    ...(asked.cuts.length ? { cuts: asked.cuts } : {}),
    settings,
    past: affordable(past),
    future: affordable(future),
    ...(step === undefined ? {} : { step }),
    ...(cell === undefined ? {} : { cell }),
    slice,
    ...(pinned ? { pinned } : {}),
    differences,
    source,
    scroll: scroll === atCell ? 0 : scroll,
    controlsOpen,
    notesHidden,
    reading: state.reading,
  };
}

/** Most cells of edits that are saved with the history. */
const savedCells = 200_000;

/** The nearest entries of a history, up to a limit of edited cells: each entry holds its own pasted matrices. */
function affordable(history: readonly ControlValues[]): readonly ControlValues[] {
  let cells = 0;
  const first = history.findLastIndex(({ edits }) => (cells += sizeOfEdits(edits)) > savedCells);
  return history.slice(first + 1);
}

/** The state from what was saved; undefined if it is of another version or damaged. */
export function fromPageState(saved: unknown): AppState | undefined {
  const page = saved as Partial<PageState> | null | undefined;
  if (typeof page !== 'object' || page?.version !== 1) return undefined;
  const { explanation, settings, step, cell, slice, source } = page;
  if (!fits(checkExplanation, explanation) || !fits(checkSettings, settings) || !explanation || !settings)
    return undefined;
  const usable = (s: ControlValues): boolean => isUsable(explanation.spec, s);
  const completed = (saved: ControlValues): ControlValues => withAllFields(explanation.spec, saved);
  const switches = page.switches && completed(page.switches);
  return {
    settings,
    asked: {
      explanation,
      switches: switches && usable(switches) ? switches : controlValuesOf(explanation.spec, settings.digits),
      cuts: usableTokenizedTexts(explanation.spec, page.cuts),
    },
    past: page.past?.map(completed).filter(usable) ?? [],
    future: page.future?.map(completed).filter(usable) ?? [],
    ...(typeof step === 'string' ? { step } : {}),
    ...(isCell(cell) ? { cell } : {}),
    slice: isSlice(slice) ? slice : initialState.slice,
    ...pinnedFrom(page.pinned),
    differences: page.differences ?? true,
    source: fits(checkSourceState, source) && source ? source : 'fresh',
    scroll: page.scroll ?? 0,
    controlsOpen: page.controlsOpen ?? false,
    notesHidden: page.notesHidden ?? false,
    reading: readingFrom(page.reading),
  };
}

/** The saved pinned explanation, if it is still valid. */
function pinnedFrom(saved: PageState['pinned']): Pick<AppState, 'pinned'> {
  if (!saved || !fits(checkExplanation, saved.explanation)) return {};
  const { spec } = saved.explanation;
  const switches = withAllFields(spec, saved.switches);
  return isUsable(spec, switches)
    ? { pinned: { ...saved, switches, cuts: usableTokenizedTexts(spec, saved.cuts) } }
    : {};
}

type Check = typeof checkExplanation;

function fits(check: Check, value: unknown): boolean {
  const problems: Problem[] = [];
  check(value, '', problems);
  return problems.length === 0;
}

/** Saved control values of an earlier version, with the missing ones taken from the spec. */
const withAllFields = (spec: AttentionSpec, saved: ControlValues): ControlValues => ({
  ...controlValuesOf(spec, 0),
  ...saved,
});

/** Whether saved control values have exactly this version's fields and make a valid spec. */
function isUsable(spec: AttentionSpec, saved: ControlValues): boolean {
  const known = controlValuesOf(spec, 0);
  const fields = (switches: ControlValues): string => Object.keys(switches).sort().join();
  const edits = Array.isArray(saved.edits) && saved.edits.every(isEdit);
  return edits && fields(saved) === fields(known) && validateSpec(applyControls(spec, saved)).ok;
}

/** The saved tokenized texts that fit the text. Others are made again when they are needed. */
function usableTokenizedTexts(spec: AttentionSpec, saved: unknown): readonly TokenizedText[] {
  const fitting = (cut: Partial<TokenizedText> | null): boolean => {
    if (!cut?.tokenizer || !Array.isArray(cut.notes) || !cut.notes.every((note) => typeof note === 'string'))
      return false;
    const switches = { ...controlValuesOf(spec, 0), tokenizer: cut.tokenizer };
    const checked = validateSpec(applyControls(spec, switches, [cut as TokenizedText]));
    return spec.start.from === 'text' && checked.ok && planOf(checked.value).ok;
  };
  return Array.isArray(saved) ? saved.filter(fitting) : [];
}

const isCell = (cell: unknown): cell is Cell =>
  Array.isArray(cell) && cell.length === 2 && cell.every((i) => Number.isInteger(i) && i >= 0);

const isSlice = (slice: unknown): slice is Slice => {
  const { batch, head } = (slice ?? {}) as Partial<Slice>;
  return isCell([batch, head]);
};
