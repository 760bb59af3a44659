import * as vscode from 'vscode';
import { counted, headKinds, kindTitle, type ModelRun, type PlacedHead, type ScoredKind } from '../../engine/index';

/** A head in a list. */
export interface HeadItem extends vscode.QuickPickItem {
  readonly one: PlacedHead;
  /** `layer 1, head 1` */
  readonly where: string;
}

/** Heads under the kind that was measured on the text, the largest score first; those without a kind at the end, in their order. */
export function headItems(run: ModelRun): readonly (HeadItem | vscode.QuickPickItem)[] {
  const { heads } = run;
  const named = headKinds.flatMap((kind) => {
    const own = heads.filter(({ scored }) => scored?.kind === kind).sort((a, b) => scoreOf(b, kind) - scoreOf(a, kind));
    return own.length === 0 ? [] : [separator(kindTitle(kind)), ...own.map((head) => itemOf(run, head, kind))];
  });
  const rest = heads.filter(({ scored, hasNaN }) => !hasNaN && (!scored || scored.kind === 'none'));
  const spoilt = heads.filter(({ hasNaN }) => hasNaN);
  const under = (title: string, own: readonly PlacedHead[]) =>
    own.length === 0 ? [] : [separator(title), ...own.map((head) => itemOf(run, head))];
  return [
    ...named,
    ...under(vscode.l10n.t('none of these here'), rest),
    ...under(vscode.l10n.t('weights that are NaN'), spoilt),
  ];
}

const separator = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
const scoreOf = ({ scored }: PlacedHead, kind: ScoredKind): number => scored?.scores[kind] ?? NaN;

function itemOf(run: ModelRun, one: PlacedHead, kind?: ScoredKind): HeadItem {
  const { scored, stack, layer, head, crosses } = one;
  const where = [
    ...(stack === 'layers' ? [] : [stack]),
    vscode.l10n.t('layer {0}, head {1}', layer, head),
    ...(crosses ? [vscode.l10n.t('at the encoder')] : []),
  ].join(', ');
  const isOfRepeats = kind === 'induction' || kind === 'duplicate';
  const rows = isOfRepeats && scored ? [vscode.l10n.t('mean of {0}', counted(scored.repeats, 'row'))] : [];
  const label = kind ? scoreOf(one, kind).toFixed(2) : '–';
  return { one, where, label, description: [where, ...rows, lookOf(run, one)].join(' · ') };
}

/** Where the last token looks most: `“t” → “o” 0.87`. */
function lookOf({ first, second }: ModelRun, { stack, crosses, last: { key, weight } }: PlacedHead): string {
  const own = stack === 'decoder' && second ? second : first;
  return `“${own.tokens.at(-1) ?? ''}” → “${(crosses ? first : own).tokens[key] ?? ''}” ${weight.toFixed(2)}`;
}
