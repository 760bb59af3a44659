import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { LocatedProblem } from '../../webview/protocol';
import { describe, messageOf } from './message';

/** The input that a problem was found in: its name for messages, and how to show a range of it (absent for typed input). */
export interface Place {
  /** For example `attention.py`. */
  readonly name: string;
  readonly show?: (range: TextRange) => PromiseLike<void>;
  /** Explains the input as text instead, for input that is code. */
  readonly asText?: () => PromiseLike<void>;
}

/** The only way by which errors reach the reader. Everything that is reported is also written to the log. */
export interface Report {
  readonly log: vscode.LogOutputChannel;
  /** Reports bad input by one notification, which names the first problem and where it is. Returns without waiting for an answer. */
  problems(place: Place, problems: readonly LocatedProblem[]): void;
  /** Reports an exception, which is our own bug. `doing` names the action that failed. */
  bug(doing: string, error: unknown): void;
}

export function createReport(log: vscode.LogOutputChannel, reportIssue: (details: string) => void): Report {
  return {
    log,
    problems(place, problems) {
      const [first] = problems;
      if (!first) return;
      for (const problem of problems) log.warn(`${problem.code}: ${describe(problem, place.name)}`);
      offerToShow(place, first, messageOf(problems, place.name, vscode.l10n.t), log).catch((error: unknown) => {
        // The document was closed or deleted while the notification was open.
        log.error(`${place.name} cannot be shown: ${String(error)}`);
        void vscode.window.showErrorMessage(vscode.l10n.t('{0} cannot be shown.', place.name));
      });
    },
    bug(doing, error) {
      const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error(`${doing}: ${details}`);
      void offerToReport(doing, error, () => reportIssue(`${doing}\n\n${details}`), log);
    },
  };
}

async function offerToShow(
  place: Place,
  { range }: LocatedProblem,
  message: string,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const show = vscode.l10n.t('Show');
  const showLog = vscode.l10n.t('Show Log');
  const asText = vscode.l10n.t('Explain It as Text');
  const actions = [...(place.asText ? [asText] : []), ...(range && place.show ? [show] : []), showLog];
  const chosen = await vscode.window.showErrorMessage(message, ...actions);
  if (chosen === show && range) await place.show?.(range);
  if (chosen === asText) await place.asText?.();
  if (chosen === showLog) log.show();
}

async function offerToReport(
  doing: string,
  error: unknown,
  reportIssue: () => void,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const reportIt = vscode.l10n.t('Report Issue');
  const cause = error instanceof Error ? error.message : String(error);
  const message = vscode.l10n.t('{0} failed: {1}. This is a fault of the extension.', doing, cause);
  const chosen = await vscode.window.showErrorMessage(message, showLog, reportIt);
  if (chosen === showLog) log.show();
  if (chosen === reportIt) reportIssue();
}
