import * as vscode from 'vscode';
import type { Guard, Report } from '../host';
import type { PanelControllers } from './controllers';
import { readLink } from '../panel';
import { hashText } from '../documents';

/** `vscode://explain-attention.explain-attention/explain?…`: opens in a new panel, so that nothing is replaced. */
export const linkHandler = (
  controllers: PanelControllers,
  report: Report,
  guarded: Guard,
): ((uri: vscode.Uri) => Promise<void>) =>
  guarded(vscode.l10n.t('Opening a link'), (uri: vscode.Uri) => {
    const read = readLink(uri);
    const label = vscode.l10n.t('link');
    if (!read.ok) return report.problems({ name: label }, read.problems);
    return controllers.fresh().explainer.showSpec(read.value, label, hashText(read.value.packed));
  });
