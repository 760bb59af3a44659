import * as vscode from 'vscode';
import type { LiveAnswer, LiveInfo, Problem, Questions } from '../../engine/index';
import { foundAttention } from '../explain';
import { withProgress } from '../files';
import type { ProgramClient } from '../program-client';
import type { LiveParts, LivePlace } from './explain-live';
import type { Selection } from './expression';
import { describePaths, readNumbers, type LiveProcess } from './read';
import type { StoppedFrame } from './stopped';

/** What is asked of a program that is stopped. */
export interface AskedProgram {
  readonly frame: StoppedFrame;
  readonly document: vscode.TextDocument;
  readonly place: LivePlace;
  /** Offsets of the document by which one of several attentions is meant. */
  readonly at?: { readonly start: number; readonly end: number };
  /** Only an attention of which this name is a step is meant. */
  readonly name?: string;
  readonly again: () => Promise<void>;
}

type Stopped = Questions['live']['asked']['stopped'];
type Needs = Extract<LiveAnswer, { is: 'needs' }>;
type Found = Extract<LiveAnswer, { is: 'found' }>;
type Outcome = { readonly done: true } | { readonly done: false; readonly why?: string };

const notDone = (why?: string): Outcome => ({ done: false, ...(why !== undefined && { why }) });

/** Explains the attention of the code in which the process has stopped, with its values: reads what the attention is computed from, and no more. */
export async function explainProgram(parts: LiveParts, asked: AskedProgram): Promise<Outcome> {
  const { document, frame } = asked;
  if (document.isDirty) return notDone(vscode.l10n.t('{0} has edits that the stopped program does not have: its lines may be others.', asked.place.label)); // prettier-ignore
  const version = document.version;
  const found = await withProgress(vscode.l10n.t('Reading the stopped program'), (token, progress) =>
    read(parts.programs, asked, token, progress),
  );
  if (!found || document.version !== version) return { done: true };
  if (!('answer' in found)) return notDone(found.why);
  const { attention, compared } = found.answer;
  if (attention.is !== 'found' || attention.spec.start.from !== 'program') return notDone();
  const { steps } = attention.spec.start;
  const own = steps.find(({ name }) => name === asked.name);
  if (asked.name !== undefined && !own) return notDone();
  const code = { text: document.getText(), start: 0, end: document.getText().length };
  const place = { document, code, at: asked.at ?? { start: 0, end: 0 }, kind: 'attention' } as const;
  const shown = foundAttention(place, attention, []);
  if (shown.is !== 'found') return notDone();
  const view = own ? { step: own.id } : shown.read.view;
  const notes = [asked.place.sentence, ...found.notes, ...sentencesOf(found.answer, compared), ...shown.read.notes];
  const source = { label: asked.place.label, textHash: `${frame.session.id} ${frame.line}` };
  parts.explainer().showLive({ ...shown.read, notes, ...(view && { view }), attention: shown.attention }, source, asked.again); // prettier-ignore
  return { done: true };
}

interface ReadProgram {
  readonly answer: Found;
  readonly notes: readonly string[];
}

async function read(
  programs: ProgramClient,
  { frame, document, at }: AskedProgram,
  token: vscode.CancellationToken,
  progress: (part: number) => void,
): Promise<ReadProgram | { readonly why?: string } | undefined> {
  const text = document.getText();
  const ask = async (stopped: Stopped): Promise<LiveAnswer | { readonly why: string } | undefined> => {
    const reply = await programs.ask('live', { text, stopped, ...(at && { at }) }, document.uri, token);
    return reply && ('failure' in reply ? { why: reply.failure } : reply.answer);
  };
  const scope = await programs.ask('liveNames', { text, line: frame.line }, document.uri, token);
  if (!scope) return undefined;
  if ('failure' in scope) return { why: scope.failure };
  const { name = '<module>', names } = scope.answer;
  if (frame.name.split('.').at(-1) !== name) return { why: vscode.l10n.t('The process is in {0}, and line {1} of the file is in {2}: the file is not what runs.', frame.name, frame.line, name) }; // prettier-ignore
  const described = await describePaths(frame, names, 'deep', token);
  if (!described.ok) return { why: described.problems[0]?.message ?? '' };
  const whole: Stopped = { text, line: frame.line, names: Object.fromEntries(described.value), numbers: {} };
  const first = await ask(whole);
  if (!first || 'why' in first) return first;
  if (first.is !== 'needs') return whyOf(first);
  const cut = await fitting(whole, first, ask);
  if (!cut || 'why' in cut) return cut;
  let values: Record<string, Float64Array> = {};
  let { needs } = cut;
  // Numbers may decide which way the code goes, and then others are needed.
  for (let round = 0; round < mostRounds; round++) {
    const numbers = await numbersOf(frame, { ...cut, needs }, values, token, progress);
    if ('why' in numbers) return token.isCancellationRequested ? undefined : numbers;
    values = numbers.values;
    const answer = await ask({ ...cut.stopped, numbers: values });
    if (!answer || 'why' in answer) return answer;
    if (answer.is === 'found') return { answer, notes: cut.notes };
    if (answer.is !== 'needs') return whyOf(answer);
    needs = answer;
  }
  return {};
}

/** Times that more is read because of what was read. */
const mostRounds = 4;

const whyOf = (answer: LiveAnswer): { readonly why?: string } =>
  answer.is === 'refused' ? { why: (answer.problems as readonly Problem[])[0]?.message ?? '' } : {};

/** A stopped program of which all that is needed can be held, and which part of the process's tensors it has. */
interface Cut {
  readonly stopped: Stopped;
  readonly needs: Needs;
  /** By name, for what is read in part. */
  readonly selections: ReadonlyMap<string, Selection>;
  readonly notes: readonly string[];
}

/** Numbers that an explanation of code holds, with room for its steps. */
const mostNumbers = 1 << 19;

const infoAt = (names: Stopped['names'], path: string): LiveInfo | undefined => {
  const [root = '', ...rest] = path.split('.');
  return rest.reduce<LiveInfo | undefined>((info, name) => (info?.kind === 'object' ? info.has[name] : undefined), names[root]); // prettier-ignore
};

const sizeOf = (names: Stopped['names'], paths: readonly string[]): number =>
  paths.reduce((sum, path) => {
    const info = infoAt(names, path);
    return sum + (info?.kind === 'tensor' ? (info.shape ?? []).reduce((a, b) => a * b, 1) : 0);
  }, 0);

/**
 * One input of the batch, then one head, where all would be too many numbers. A first axis is that only where the code then computes the same queries
 * by the same keys: else it is left whole.
 */
async function fitting(
  whole: Stopped,
  needs: Needs,
  ask: (stopped: Stopped) => Promise<LiveAnswer | { readonly why: string } | undefined>,
): Promise<Cut | { readonly why: string } | undefined> {
  let cut: Cut = { stopped: whole, needs, selections: new Map(), notes: [] };
  const isTooMuch = ({ stopped, needs: { leaves, weights } }: Cut): boolean =>
    sizeOf(stopped.names, leaves) + weights.reduce((a, b) => a * b, 1) > mostNumbers;
  for (const axis of [0, 1]) {
    const size = cut.needs.weights[axis] ?? 1;
    if (!isTooMuch(cut) || size < 2 || axis > cut.needs.weights.length - 3) continue;
    const at = await askForIndex(axis, size);
    if (at === undefined) return undefined;
    const names = Object.entries(cut.stopped.names).map(([name, info]) => [name, withOne(info, axis, size)] as const);
    const next = { ...cut.stopped, names: Object.fromEntries(names) };
    const answer = await ask(next);
    const isSame = answer && 'is' in answer && answer.is === 'needs' && answer.weights.slice(-2).join() === needs.weights.slice(-2).join(); // prettier-ignore
    if (!isSame) continue;
    const selections = new Map(cut.selections);
    for (const [name, info] of Object.entries(cut.stopped.names)) {
      if (info.kind !== 'tensor' || withOne(info, axis, size) === info) continue;
      const before = selections.get(name) ?? (axis === 1 ? [[0, info.shape?.[0] ?? 1] as const] : []);
      selections.set(name, [...before, [at, at + 1]]);
    }
    cut = { stopped: next, needs: answer, selections, notes: [...cut.notes, axis === 0 ? vscode.l10n.t('Input {0} of {1} of the batch.', at, size) : vscode.l10n.t('Head {0} of {1}.', at, size)] }; // prettier-ignore
  }
  if (isTooMuch(cut)) return { why: vscode.l10n.t('The attention at the stop has {0} weights of {1} numbers: too many to show with its code. Explain Q, K and V by their names: rows can be chosen there.', cut.needs.weights.join('×'), cut.needs.weights.reduce((a, b) => a * b, 1)) }; // prettier-ignore
  return cut;
}

/** A tensor of the process with one index of an axis, where it has that axis: of batches those with three axes or more, of heads those with four. */
function withOne(info: LiveInfo, axis: number, size: number): LiveInfo {
  if (info.kind !== 'tensor' || !info.shape || info.shape.length < axis + 3 || info.shape[axis] !== size) return info;
  return { ...info, shape: info.shape.map((dim, i) => (i === axis ? 1 : dim)) };
}

async function askForIndex(axis: number, size: number): Promise<number | undefined> {
  const items = Array.from({ length: Math.min(size, 1000) }, (_, index) => ({ label: String(index), index }));
  const placeHolder = axis === 0 ? vscode.l10n.t('Too many numbers for all {0} inputs of the batch: which one?', size) : vscode.l10n.t('Too many numbers for all {0} heads: which one?', size); // prettier-ignore
  return (await vscode.window.showQuickPick(items, { title: 'Explain Attention', placeHolder }))?.index;
}

async function numbersOf(
  frame: LiveProcess,
  { needs, selections }: Cut,
  known: Readonly<Record<string, Float64Array>>,
  token: vscode.CancellationToken,
  progress: (part: number) => void,
): Promise<{ readonly values: Record<string, Float64Array> } | { readonly why: string }> {
  const values: Record<string, Float64Array> = { ...known };
  const paths = [...needs.leaves, ...needs.checks].filter((path) => !values[path]);
  for (const [i, path] of paths.entries()) {
    const selection = selections.get(path) ?? [];
    // The shape of the whole tensor, of which the selection takes a part.
    const info = await describePaths(frame, [path], 'describe', token);
    const own = info.ok ? info.value.get(path) : undefined;
    if (own?.kind !== 'tensor') return { why: info.ok ? vscode.l10n.t('{0} has no value at the stop', path) : (info.problems[0]?.message ?? '') }; // prettier-ignore
    const found = await readNumbers(frame, { path }, own, selection, { token, progress: (part) => progress((i + part) / paths.length) }); // prettier-ignore
    if (!found.ok) return { why: found.problems[0]?.message ?? '' };
    values[path] = found.value.values;
  }
  return { values };
}

/** Which values are the process's, and whether the process has others than the code computes. */
function sentencesOf({ taken, others }: Found, { same, first }: Found['compared']): readonly string[] {
  const { t } = vscode.l10n;
  return [
    ...(taken.length > 0 ? [t('Read from the process: {0}. The rest is computed here.', taken.join(', '))] : []),
    ...(first ? [t('The process has other numbers: first {0} (line {1}) at [{2}], {3} in the process and {4} computed here; they differ by up to {5}.', first.path, first.line, first.index.join(', '), first.there, first.here, first.most)] : []),
    ...(!first && same.length > 0 ? [t('The process has the same numbers, as far as sums in another order agree: {0}.', same.join(', '))] : []),
    ...others.map(({ path, line, here, there }) => t('{0} (line {1}) is {2} in the process and {3} by the code as it is read here: that of the process is taken.', path, line, there, here)),
  ]; // prettier-ignore
}
