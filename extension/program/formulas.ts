import * as vscode from 'vscode';
import type { AttentionFormula, DescribedFormula } from '../../engine/index';
import { formulaLanguages } from '../activation';
import { rangeIn } from '../documents';
import { attentionLensEnabled } from '../hover-settings';
import { commandUri, escapeMarkdown, type PlaceParagraphs } from '../hover';
import { formularyOf, inDocument, type Formulary } from '../program-client';
import type { Offer } from './offer';

/** Asks the process that reads formulas. Undefined if it was cancelled, or cannot be started. */
export interface FormulaReader {
  readonly attentions: (
    asked: Pick<Formulary, 'text' | 'languageId'>,
    document: vscode.Uri,
    token: vscode.CancellationToken,
  ) => Promise<readonly AttentionFormula[] | undefined>;
  readonly described: (
    asked: Pick<Formulary, 'text' | 'languageId'> & { readonly offset: number },
    document: vscode.Uri,
    token: vscode.CancellationToken,
  ) => Promise<DescribedFormula | undefined>;
}

/** Registers a code lens "Explain Attention" above each formula that computes attention. The setting for attentions in code turns it off. */
export function registerFormulas(read: FormulaReader, command: string, offer: Offer): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    offer.add((document) => attentionsIn(document, read)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('explainAttention.attentionLens')) changed.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      formulaLanguages.map((language) => ({ language })),
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: (document, token) =>
          attentionLensEnabled(document) && !token.isCancellationRequested
            ? formulaLenses(document, read, command, token)
            : [],
      },
    ),
  );
}

/** How many formulas of a document compute attention. */
async function attentionsIn(document: vscode.TextDocument, read: FormulaReader): Promise<number | undefined> {
  const isProse = formulaLanguages.some((language) => language === document.languageId);
  const formulary = isProse ? formularyOf(document) : undefined;
  if (!formulary) return 0;
  return (await read.attentions(asked(formulary), document.uri, new vscode.CancellationTokenSource().token))?.length;
}

async function formulaLenses(
  document: vscode.TextDocument,
  read: FormulaReader,
  command: string,
  token: vscode.CancellationToken,
): Promise<vscode.CodeLens[]> {
  const [{ version }, formulary] = [document, formularyOf(document)];
  const found = formulary && (await read.attentions(asked(formulary), document.uri, token));
  if (!found || document.version !== version) return [];
  return found.flatMap(({ range, title, shape }) => {
    const own = inDocument(formulary, range);
    if (!own) return [];
    const target = { uri: document.uri.toString(), ...own, code: true };
    const name = vscode.l10n.t('Explain Attention · {0}', [title, shape].filter(Boolean).join(' · '));
    return [new vscode.CodeLens(rangeIn(document, own), { title: name, command, arguments: [target] })];
  });
}

const asked = ({ text, languageId }: Formulary): Pick<Formulary, 'text' | 'languageId'> => ({ text, languageId });

/** The hover over a formula: what the part at the pointer says, its shape and why, and what does not fit. */
export const formulaHover =
  (read: FormulaReader, command: string, places?: PlaceParagraphs) =>
  async (
    document: vscode.TextDocument,
    offset: number,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> => {
    const [{ version }, formulary] = [document, formularyOf(document)];
    if (!formulary) return undefined;
    const found = await read.described({ ...asked(formulary), offset: formulary.start + offset }, document.uri, token);
    const [range, whole] = found ? [inDocument(formulary, found.range), inDocument(formulary, found.formula)] : [];
    if (!found || !range || !whole || document.version !== version) return undefined;
    const target = commandUri(command, { uri: document.uri.toString(), ...whole, code: true });
    const place = found.isAttention ? undefined : await places?.(document, offset, token);
    const markdown = new vscode.MarkdownString(
      [formulaMarkdown(found, target), ...(place ? [place] : [])].join('\n\n'),
    );
    markdown.isTrusted = { enabledCommands: [command] };
    return new vscode.Hover(markdown, rangeIn(document, range));
  };

/** Paragraphs of the hover. `target` is the link that explains the formula. */
export function formulaMarkdown(found: DescribedFormula, target: string): string {
  const { t } = vscode.l10n;
  const { written, shape, says, product, parts, problem, isAttention } = found;
  const head = `**${escapeMarkdown(written)}**${shape === undefined ? '' : ` ${escapeMarkdown(shape)}`}`;
  const wrong = problem && [
    t('Does not fit, or is not read: {0}.', problem.message),
    t('In line {0}: {1}', problem.line, problem.written),
    ...(problem.hint === undefined ? [] : [problem.hint]),
  ];
  const why = parts.map((part) => `- ${escapeMarkdown(`${part.written} ${part.shape}: ${part.why}`)}`).join('\n');
  return [
    head,
    ...(wrong ? [wrong.map(escapeMarkdown).join('  \n')] : says === undefined ? [] : [escapeMarkdown(says)]),
    ...(product === undefined ? [] : [escapeMarkdown(product)]),
    ...(why === '' ? [] : [why]),
    ...(isAttention ? [`[${t('Explain Attention')}](${target})`] : []),
  ].join('\n\n');
}
