import * as vscode from 'vscode';
import {
  fail,
  memoryLimit,
  ok,
  planOf,
  specFromText,
  tokenizerOf,
  type Above,
  type AttentionSpec,
  type Problem,
  type Result,
  type TextRange,
} from '../engine/index';
import type { Explanation, LocatedProblem, Source } from '../webview/protocol';
import { findDocument } from './documents';
import type { Panel } from './panel';
import { hashText, rangeToDocument } from './parts';
import { fileName, labelOf, locate, locateInDocument, locateInText, nameOf, showRange } from './places';
import type { Place, Report } from './report';
import { aboveOf, inputOf, readInput, type Input } from './selection';
import { panelSettings, tokenizerSetting, type TokenizerSetting } from './settings';
import type { SourceTracker } from './source';

export const explainCommand = 'explainAttention.explain';

export interface Parts {
  readonly panel: Panel;
  readonly tracker: SourceTracker;
  readonly report: Report;
  /** Keeps what was typed last. */
  readonly memento: vscode.Memento;
}

/** Everything that leads to an explanation. */
export interface Explainer {
  /** Explains `{ uri, start, end }` (a hover's link), else what the active editor offers, else asks for a text or a matrix. */
  explain(argument: unknown): Promise<void>;
  /** Reads the source of the shown explanation again; what was typed is asked for again. */
  recompute(): Promise<void>;
  /** Selects a range of the explained text in its document. */
  reveal(range: TextRange): Promise<void>;
  ask(reason?: string): Promise<void>;
}

export function createExplainer({ panel, tracker, report, memento }: Parts): Explainer {
  const complain = (place: Place, label: string, problems: readonly LocatedProblem[]): void => {
    report.problems(place, problems);
    panel.send({ type: 'problems', label, problems: problems.map(withoutRange) });
  };

  const show = (explanation: Explanation): void => {
    panel.open();
    panel.send({ type: 'explain', explanation, settings: panelSettings() });
    report.log.info(`explained ${explanation.source.label}`);
  };

  const complainIn = (document: vscode.TextDocument, problems: readonly LocatedProblem[]): void => {
    const place = { name: nameOf(document), show: (range: TextRange) => showRange(document, range) };
    complain(place, labelOf(document, problems[0]?.range?.start ?? 0), problems);
  };

  const explainInput = (input: Input): void => {
    const { document, parts } = input;
    const text = readInput(input);
    if (!text.ok) return complainIn(document, locate(document, parts, text.problems));
    const read = readText(text.value, aboveOf(input));
    if (!read.ok) return complainIn(document, locate(document, parts, read.problems));
    show({ ...read.value, source: sourceOf(input, text.value) });
    tracker.follow(document, parts);
  };

  const gone = (name: string): void =>
    complain({ name }, name, [{ code: 'gone', message: 'the document cannot be opened' }]);

  const ask = async (reason?: string): Promise<void> => {
    const typed = await askForText(memento, reason);
    if (typed === undefined) return;
    const read = readText(typed);
    if (!read.ok) return complain({ name: typedName }, typedName, locateInText(typed, read.problems));
    show({ ...read.value, source: { label: typedName, textHash: hashText(typed) } });
    tracker.stop();
  };

  return {
    ask,
    async explain(argument) {
      const target = targetOf(argument);
      if (target) {
        const input = await openTarget(target);
        return input ? explainInput(input) : gone(fileName(vscode.Uri.parse(target.uri)));
      }
      const editor = vscode.window.activeTextEditor;
      if (!editor) return ask();
      const input = inputOf(editor);
      if (!input) return ask(nothingAt(editor));
      if (!input.ok) return complainIn(editor.document, locateInDocument(editor.document, input.problems));
      return explainInput(input.value);
    },
    async recompute() {
      const uri = tracker.following();
      if (!uri) return ask();
      const located = await tracker.locate();
      return located ? explainInput(located) : gone(fileName(uri));
    },
    async reveal(range) {
      const located = await tracker.locate();
      if (located) await showRange(located.document, rangeToDocument(located.parts, range));
    },
  };
}

const typedName = 'typed input';

/** Its range is in document offsets, which mean nothing to the page. */
function withoutRange(problem: LocatedProblem): LocatedProblem {
  const { range: _, ...rest } = problem;
  return rest;
}

function sourceOf({ document, parts }: Input, text: string): Source {
  const range = { start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0 };
  return { label: labelOf(document, range.start), uri: document.uri.toString(), range, textHash: hashText(text) };
}

/** A text as a spec that can be planned, or everything that is wrong with it. */
function readText(text: string, above?: Above): Result<{ spec: AttentionSpec; notes: readonly string[] }> {
  const read = specFromText(text, above);
  if (!read.ok) return read;
  const { notes } = read.value;
  const spec = withTokenizer(read.value.spec, tokenizerSetting());
  const planned = planOf(spec);
  // The page has the text cut by an encoding, in a worker.
  if (!planned.ok) return tokenizerOf(spec) ? ok({ spec, notes }) : planned;
  // The page would refuse it too, but only after it had given up what it showed.
  return planned.value.bytes > memoryLimit ? fail(tooMuch(planned.value.bytes)) : ok({ spec, notes });
}

/** A new text's tokens are those of the setting. */
function withTokenizer(spec: AttentionSpec, tokenizer: TokenizerSetting): AttentionSpec {
  const { start } = spec;
  return start.from === 'text' && start.tokenizer === 'words'
    ? { ...spec, start: { from: 'text', text: start.text, tokenizer } }
    : spec;
}

function tooMuch(bytes: number): Problem {
  const megabytes = (n: number): string => `${Math.ceil(n / 1e6)} MB`;
  const message = `the steps would need ${megabytes(bytes)}, the limit is ${megabytes(memoryLimit)}`;
  return { code: 'too-large', message, hint: 'Select fewer rows.' };
}

interface Target {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
}

/** The argument of a hover's link. Menus pass a Uri and the like, which have no offsets. */
function targetOf(argument: unknown): Target | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri, start, end } = argument as { readonly [name: string]: unknown };
  const isTarget = typeof uri === 'string' && isOffset(start) && isOffset(end) && start < end;
  return isTarget ? { uri, start, end } : undefined;
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

async function openTarget({ uri, start, end }: Target): Promise<Input | undefined> {
  const document = await findDocument(vscode.Uri.parse(uri));
  if (!document) return undefined;
  const within = (offset: number): number => document.offsetAt(document.positionAt(offset));
  return { document, parts: [{ start: within(start), end: within(end) }] };
}

const nothingAt = ({ document, selection }: vscode.TextEditor): string =>
  vscode.l10n.t(
    'Nothing is selected, and no matrix stands at {0}, line {1}, column {2}.',
    nameOf(document),
    selection.active.line + 1,
    selection.active.character + 1,
  );

const typedKey = 'explainAttention.typed';
const example = 'The cat sat on the mat';

/** A text or a matrix that can be explained; undefined when the box was left. What was typed is offered again, accepted or not. */
async function askForText(memento: vscode.Memento, reason = ''): Promise<string | undefined> {
  let typed = memento.get<string>(typedKey) ?? '';
  const accepted = await vscode.window.showInputBox({
    title: 'Explain Attention',
    prompt: `${reason} ${whatToType()}`.trim(),
    placeHolder: example,
    value: typed,
    ignoreFocusOut: true,
    validateInput: (value) => {
      typed = value;
      return value === '' ? undefined : objectionTo(value);
    },
  });
  await memento.update(typedKey, typed);
  return accepted === '' ? example : accepted;
}

const whatToType = (): string =>
  vscode.l10n.t('Type a text, or a matrix such as [[1, 0], [0, 1]]. Enter alone takes the example.');

/** What is wrong with a typed input, while it is typed. */
function objectionTo(text: string): string | undefined {
  const read = readText(text);
  const [first]: readonly Problem[] = read.ok ? [] : read.problems;
  if (!first) return undefined;
  const where = first.range ? `column ${first.range.start + 1}: ` : '';
  return `${where}${first.message}${first.hint ? `. ${first.hint}` : ''}`;
}
