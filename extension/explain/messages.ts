import * as vscode from 'vscode';
import type { Problem } from '../../engine/index';
import { nameOf } from '../documents';

/* What the explainer tells the reader when it explains nothing. */

export const noSpecProblem = (): Problem => ({
  code: 'no-spec',
  message: vscode.l10n.t('no spec: an object with version, dtype and start is expected'),
  hint: vscode.l10n.t('Save one with Share in the panel.'),
});

export const noAttentionMessage = (): string => vscode.l10n.t('No attention is computed by code here.');

export const changedProblem = (): Problem => ({
  code: 'changed',
  message: vscode.l10n.t('the document changed while it was read'),
  hint: vscode.l10n.t('Run Explain Attention again.'),
});

export const nothingToCheckMessage = (): string =>
  vscode.l10n.t('Select a matrix, or put the cursor in one, to check its numbers.');

export const nothingSelectedMessage = ({ document, selection }: vscode.TextEditor): string =>
  vscode.l10n.t(
    'Nothing is selected, and no matrix stands at {0}, line {1}, column {2}.',
    nameOf(document),
    selection.active.line + 1,
    selection.active.character + 1,
  );
