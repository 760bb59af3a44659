import * as vscode from 'vscode';
import { formatShape } from '../../engine/index';
import { boundBy, scopeAt } from './scopes';
import { debugTypes } from '../activation';
import type { LiveInfo, LiveScalar } from './live-value';
import { describePaths } from './read';
import { processOf, type Stops } from './stopped';

/** A name behind the statement that bound it last. Lines are from 0. */
interface Bound {
  readonly name: string;
  readonly line: number;
}

/**
 * The names that statements above a line bind, in its function alone: another function's have other values. Of a name that is bound several times
 * the last place, since only that has the value that is there now.
 */
export function boundAbove(text: string, stop: number, first = 0): readonly Bound[] {
  const last = new Map<string, number>();
  for (const { line, last: end, text: own } of scopeAt(text, stop + 1).statements)
    if (end - 1 < stop) for (const name of boundBy(own)) last.set(name, line - 1);
  return [...last].flatMap(([name, line]) => (line >= first ? [{ name, line }] : []));
}

/** `2×4×128×64 float32`, a number or a short text; nothing for other things. */
export function inWords(info: LiveInfo | undefined): string | undefined {
  if (info?.kind === 'value') return written(info.value);
  if (info?.kind !== 'tensor' || !info.shape) return undefined;
  const { shape, dtype = '', device = 'cpu', library } = info;
  const type = library === 'list' ? 'list' : dtype;
  return `${shape.length > 0 ? formatShape(shape) : vscode.l10n.t('a number')} ${type}${device === 'cpu' ? '' : ` ${device}`}`;
}

function written(value: LiveScalar): string | undefined {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : value.length <= 40 ? `'${value}'` : undefined;
}

const enabled = (document: vscode.TextDocument): boolean =>
  vscode.workspace.getConfiguration('explainAttention', document).get<boolean>('inlineValues') ?? true;

/** The lines, from 0, behind which values of the stopped process stand: what the code says of their shapes would say it twice. */
export interface LiveLines {
  of(document: vscode.TextDocument): ReadonlySet<number>;
  readonly changed: vscode.Event<void>;
  set(document: vscode.TextDocument, lines: readonly number[]): void;
  dispose(): void;
}

const none: ReadonlySet<number> = new Set();

export function createLiveLines(): LiveLines {
  const changed = new vscode.EventEmitter<void>();
  let [uri, lines]: [string, ReadonlySet<number>] = ['', none];
  const set = (of: string, now: ReadonlySet<number>): void => {
    if (of === uri && [...now].join() === [...lines].join()) return;
    [uri, lines] = [of, now];
    changed.fire();
  };
  // VS Code takes the values away when the process goes on, and asks for them anew when it stops.
  const going = vscode.debug.onDidChangeActiveStackItem((item) => item && 'frameId' in item ? undefined : set('', none)); // prettier-ignore
  return {
    of: (document) => (document.uri.toString() === uri ? lines : none),
    changed: changed.event,
    set: (document, now) => set(document.uri.toString(), new Set(now)),
    dispose: () => vscode.Disposable.from(changed, going).dispose(),
  };
}

/** Most names that are asked for at one stop. */
const mostNames = 200;

/** Shapes and number types behind assignments above the stop: one evaluation for all names that are in view, kept until the process goes on. */
export function registerInlineValues(stops: Stops, live: LiveLines): vscode.Disposable {
  let [key, kept]: [string, ReturnType<typeof describePaths> | undefined] = ['', undefined];
  return vscode.languages.registerInlineValuesProvider('python', {
    async provideInlineValues(document, viewport, { frameId, stoppedLocation }, token) {
      const session = vscode.debug.activeDebugSession;
      if (!session || !debugTypes.includes(session.type) || !enabled(document)) return [];
      const bound = boundAbove(document.getText(), stoppedLocation.start.line, viewport.start.line)
        .filter(({ line }) => line <= viewport.end.line).slice(-mostNames); // prettier-ignore
      const names = [...new Set(bound.map(({ name }) => name))];
      if (names.length === 0) return [];
      const stop = stops.now();
      const now = JSON.stringify([session.id, frameId, stop, document.version, names]);
      if (now !== key || stop === undefined) [key, kept] = [now, describePaths(processOf(session, frameId), names)];
      const found = await kept;
      if (!found?.ok || token.isCancellationRequested) return [];
      const values = bound.flatMap(({ name, line }) => {
        const words = inWords(found.value.get(name));
        return words === undefined
          ? []
          : [new vscode.InlineValueText(document.lineAt(line).range, `${name}: ${words}`)];
      });
      live.set(document, values.map(({ range }) => range.start.line)); // prettier-ignore
      return values;
    },
  });
}
