import * as vscode from 'vscode';
import type { LocatedProblem, Source, SourceState } from '../../webview/protocol';
import { fileName, watchFile } from '../documents';
import type { OpenCapture } from '../captures';
import type { Panel } from '../panel';
import { panelSettings, type Report } from '../host';
import type { Problem } from '../../engine/index';
import { openFiles, withProgress, type OpenedFile } from './bytes';
import {
  findChosen,
  isCancelled,
  labelOfChoice,
  offeredBy,
  parseChoice,
  readChoice,
  type Choice,
  type OfferedTensor,
} from './choice';
import { askForFiles, choose } from './pick';

export const openTensorFileCommand = 'explainAttention.openTensorFile';

export interface Parts {
  readonly panel: Panel;
  readonly report: Report;
  /** Saves the choice for a reload of the window. */
  readonly memento: vscode.Memento;
  /** Called when the panel's explanation was replaced, so that its former source is no longer tracked. */
  readonly began: () => void;
  /** Opens a file in which a model was recorded, and says whether it was one. */
  readonly openCapture: OpenCapture;
}

/** Explains tensors from files, and watches the files for changes. */
export interface TensorFiles extends vscode.Disposable {
  /** Opens the files that the Explorer passes to the command (the one under the pointer, and all that are selected), else asks for files. */
  open(uri: unknown, selected: unknown): Promise<void>;
  /** Whether the panel's explanation came from files. */
  following(): boolean;
  /** Watches the files of an explanation that a page restored. Undefined if it did not come from files. */
  resume(source: Source): Promise<void> | undefined;
  /** Reads the same tensors again and explains them. */
  recompute(): Promise<void>;
  stop(): void;
  /** The same panel for other senders: the files are no longer watched once they send an explanation. */
  besides(panel: Panel): Panel;
}

interface WatchedChoice {
  readonly choice: Choice;
  readonly hash: string;
}

const savedKey = 'explainAttention.tensorFile';

export function createTensorFiles({ panel, report, memento, began, openCapture }: Parts): TensorFiles {
  let followed: WatchedChoice | undefined;
  let watcher: vscode.Disposable | undefined;

  const reportProblems = (name: string, problems: readonly Problem[]): void => {
    if (isCancelled(problems)) return;
    const located = problems as readonly LocatedProblem[];
    report.problems({ name }, located);
    panel.send({ type: 'problems', label: name, problems: located });
  };
  const stop = (): void => {
    watcher?.dispose();
    watcher = followed = undefined;
    void memento.update(savedKey, undefined);
  };
  const follow = (now: WatchedChoice): void => {
    watcher?.dispose();
    followed = now;
    watcher = watchAll(urisOf(now.choice), () => void check(now));
    void memento.update(savedKey, now);
  };
  /** Tells the page whether the files still contain what was explained. */
  const check = async (expected: WatchedChoice): Promise<void> => {
    const state = await stateOf(expected);
    if (state && followed === expected) panel.send({ type: 'source', state });
  };

  const explain = async (chosen: readonly OfferedTensor[], choice: Choice): Promise<void> => {
    const label = labelOfChoice(chosen);
    const read = await withProgress(vscode.l10n.t('Reading {0}', label), (token, progress) =>
      readChoice(chosen, choice, { progress, cancelled: () => token.isCancellationRequested }),
    );
    if (!read.ok) return reportProblems(label, read.problems);
    const { spec, notes, hash } = read.value;
    panel.open();
    panel.send({
      type: 'explain',
      explanation: { spec, notes, source: { label, textHash: hash } },
      settings: panelSettings(),
    });
    report.log.info(`explained ${label}`);
    began();
    follow({ choice, hash });
  };

  const openAll = async (uris: readonly vscode.Uri[]): Promise<readonly OpenedFile[] | undefined> => {
    const names = uris.map(fileName).join(', ');
    const { files, problems } = await withProgress(vscode.l10n.t('Opening {0}', names), (token) =>
      openFiles(uris, token),
    );
    for (const one of problems) reportProblems(one.name, one.problems);
    return problems.length > 0 ? undefined : files;
  };

  return {
    async open(uri, selected) {
      const uris = urisFrom(uri, selected) ?? (await askForFiles());
      if (!uris || uris.length === 0) return;
      const files = await openAll(uris);
      if (!files) return;
      const [only, second] = files;
      if (only && !second && openCapture(only.file, only.name, only.uri)) return;
      const offered = offeredBy(files);
      const name = files.map((file) => file.name).join(', ');
      if (offered.length === 0)
        return reportProblems(name, [{ code: 'empty', message: vscode.l10n.t('there is no tensor in the file') }]);
      const made = await choose(offered);
      if (!made) return;
      if (!made.ok) return reportProblems(name, made.problems);
      await explain(made.value.chosen, made.value.choice);
    },
    following: () => followed !== undefined,
    resume(source) {
      const saved = savedFrom(memento.get<unknown>(savedKey));
      if (!saved || saved.hash !== source.textHash || source.uri !== undefined) return undefined;
      follow(saved);
      return check(saved);
    },
    async recompute() {
      if (!followed) return;
      const { choice } = followed;
      const files = await openAll(urisOf(choice));
      const found = files && findChosen(files, choice);
      if (!found) return;
      if (found.ok) await explain(found.value, choice);
      else reportProblems(files.map(({ name }) => name).join(', '), found.problems);
    },
    stop,
    besides: ({ send, ...others }) => ({
      ...others,
      send(message) {
        if (message.type === 'explain') stop();
        send(message);
      },
    }),
    dispose: () => watcher?.dispose(),
  };
}

/** The files that the Explorer passes to a command: the one under the pointer, and all that are selected. */
function urisFrom(uri: unknown, selected: unknown): vscode.Uri[] | undefined {
  if (!(uri instanceof vscode.Uri)) return undefined;
  const others = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  return others.length > 0 ? others : [uri];
}

const urisOf = ({ tensors }: Choice): vscode.Uri[] =>
  [...new Set(tensors.map(({ uri }) => uri))].map((uri) => vscode.Uri.parse(uri, true));

function savedFrom(value: unknown): WatchedChoice | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { choice, hash } = value as { readonly [name: string]: unknown };
  const parsed = parseChoice(choice);
  return parsed && typeof hash === 'string' ? { choice: parsed, hash } : undefined;
}

/** Debounce of file changes, in milliseconds: a program may write a file in parts. */
const debounceMs = 250;

function watchAll(uris: readonly vscode.Uri[], changed: () => void): vscode.Disposable {
  let last = 0;
  const schedule = (): void => {
    const request = ++last;
    setTimeout(() => {
      if (request === last) changed();
    }, debounceMs);
  };
  const watchers = uris.map((uri) => watchFile(uri, schedule)).filter((one) => one !== undefined);
  return { dispose: () => void (++last, watchers.forEach((one) => one.dispose())) };
}

/** Reads the files again and compares. Reports no problems. */
async function stateOf({ choice, hash }: WatchedChoice): Promise<SourceState | undefined> {
  const cancel = new vscode.CancellationTokenSource();
  const { files, problems } = await openFiles(urisOf(choice), cancel.token);
  cancel.dispose();
  if (problems.some((one) => one.problems[0]?.code === 'unreadable')) return 'gone';
  const found = problems.length > 0 ? undefined : findChosen(files, choice);
  const read = found?.ok ? await readChoice(found.value, choice, {}) : undefined;
  return read?.ok && read.value.hash === hash ? 'fresh' : 'stale';
}
