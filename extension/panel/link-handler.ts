import * as vscode from 'vscode';
import type { Guard } from './desk';
import type { Desks } from './desks';
import { readLink } from './links';
import { hashText } from '../explain/parts';
import type { Report } from '../host/report';

/** `vscode://explain-attention.explain-attention/explain?…`: shown in a panel of its own, so that it takes nothing away. */
export const linkHandler = (desks: Desks, report: Report, guarded: Guard): ((uri: vscode.Uri) => Promise<void>) =>
  guarded(vscode.l10n.t('Opening a link'), (uri: vscode.Uri) => {
    const read = readLink(uri);
    const label = vscode.l10n.t('link');
    if (!read.ok) return report.problems({ name: label }, read.problems);
    return desks.fresh().explainer.showSpec(read.value, label, hashText(read.value.packed));
  });
