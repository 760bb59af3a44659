import * as vscode from 'vscode';
import {
  notations,
  sizeOf,
  titleOfNotation,
  type ParsedMatrix,
  type Problem,
  type TextRange,
  type ValueAt,
} from '../../engine/index';
import { copyCommand } from './copy';
import type { HoverTheme } from './colours';
import { inputNames } from './collected';
import { inputCommands, type Inputs } from './inputs';
import { commandUri, escapeMarkdown } from './markdown';
import { matricesNear, matrixAt } from './matrix';
import type { MatrixInDocument } from '../documents';
import { notesFromNear, nearestByRole, type NearMatrix } from './near';
import { hoverSettings, type HoverSettings } from '../hover-settings';
import { hoverMarkdown, type HoverOptions, type Link } from './text';
import { isSame, valueLine, valueMarkdown, type ValueOptions } from './value';
import { panelSettings } from '../host';

/** Asks for the value that a Python program computes at an offset of its document. Undefined if there is none, or the document is no program. */
export type ProgramValues = (
  document: vscode.TextDocument,
  offset: number,
  token: vscode.CancellationToken,
) => Promise<ValueInDocument | undefined>;

/** The hover of a formula at an offset. Undefined outside formulas of attention. */
export type FormulaHovers = (
  document: vscode.TextDocument,
  offset: number,
  token: vscode.CancellationToken,
) => Promise<vscode.Hover | undefined>;

/** What a place of the document's attention says, as Markdown with a link. Undefined where there is none. */
export type PlaceParagraphs = (
  document: vscode.TextDocument,
  offset: number,
  token: vscode.CancellationToken,
) => Promise<string | undefined>;

export interface ValueInDocument {
  readonly value: ValueAt;
  readonly range: TextRange;
  /** The offset for which it was asked. */
  readonly offset: number;
  /** The document's line of an offset in the program, from 1. Undefined if that line is in another document, such as another notebook cell. */
  readonly line: (offset: number) => number | undefined;
}

/** The hover for any document, also unsaved ones and notebook cells. Shows the matrix at the pointer, or the value that a program computes there. */
export const hoverProvider = (
  explain: string,
  inputs: Inputs,
  values?: ProgramValues,
  formulas?: FormulaHovers,
  check?: string,
  places?: PlaceParagraphs,
): vscode.HoverProvider => ({
  async provideHover(document, position, token) {
    const settings = hoverSettings(document);
    if (token.isCancellationRequested || !settings.enabled) return undefined;
    const offset = document.offsetAt(position);
    const found = await matrixAt(document, offset, () => token.isCancellationRequested);
    if (token.isCancellationRequested) return undefined;
    const isLiteral = found?.ok && !found.value.isNamed;
    const computed = isLiteral ? undefined : await values?.(document, offset, token);
    if (token.isCancellationRequested) return undefined;
    if (computed && !(found?.ok && isSame(computed.value, found.value.matrix)))
      return computedHover(document, computed, explain, settings);
    const formula = found?.ok ? undefined : await formulas?.(document, offset, token);
    if (token.isCancellationRequested) return undefined;
    if (formula || !found) return formula;
    if (!found.ok) return settings.problems ? problemHover(found.problems) : undefined;
    if (sizeOf(found.value.matrix.shape) > settings.mostNumbers) return undefined;
    const near = await matricesNear(document, found.value.named, token);
    if (token.isCancellationRequested) return undefined;
    const programLine = computed && valueLine(computed.value, valueOptions(document, computed, explain, settings));
    const place = isLiteral ? await places?.(document, offset, token) : undefined;
    if (token.isCancellationRequested) return undefined;
    return hoverOf(document, found.value, { explain, check, inputs, settings, near, programLine, place });
  },
});

function computedHover(
  document: vscode.TextDocument,
  computed: ValueInDocument,
  explain: string,
  settings: HoverSettings,
): vscode.Hover {
  const { start, end } = computed.range;
  const markdown = new vscode.MarkdownString(
    valueMarkdown(computed.value, valueOptions(document, computed, explain, settings)),
  );
  markdown.supportHtml = true;
  markdown.isTrusted = { enabledCommands: [explain] };
  return new vscode.Hover(markdown, new vscode.Range(document.positionAt(start), document.positionAt(end)));
}

const valueOptions = (
  document: vscode.TextDocument,
  { range: { start, end }, offset, line }: ValueInDocument,
  explain: string,
  { largestTable }: HoverSettings,
): ValueOptions => ({
  theme: currentTheme(),
  digits: panelSettings().digits,
  largestTable,
  line,
  explain: (title) => ({
    title: vscode.l10n.t('Explain this step of the attention {0}', title),
    target: commandUri(explain, { uri: document.uri.toString(), start, end, code: true, of: offset }),
  }),
});

interface Parts {
  readonly explain: string;
  /** The command that checks a matrix as somebody's result. */
  readonly check: string | undefined;
  readonly inputs: Inputs;
  readonly near: readonly NearMatrix[];
  readonly settings: HoverSettings;
  /** What the program says of the same matrix, as Markdown. */
  readonly programLine?: string | undefined;
  /** What it is in the attention of the document. */
  readonly place?: string | undefined;
}

function hoverOf(document: vscode.TextDocument, found: MatrixInDocument, parts: Parts): vscode.Hover {
  const { matrix, named } = found;
  const own = hoverMarkdown(matrix, optionsOf(document, found, parts));
  const markdown = new vscode.MarkdownString(
    [...(parts.place ? [parts.place] : []), own, ...(parts.programLine ? [parts.programLine] : [])].join('\n\n'),
  );
  markdown.supportHtml = true;
  markdown.isTrusted = { enabledCommands: [parts.explain, ...(parts.check ? [parts.check] : []), copyCommand, ...Object.values(inputCommands)] }; // prettier-ignore
  return new vscode.Hover(markdown, new vscode.Range(document.positionAt(named.start), document.positionAt(named.end)));
}

function optionsOf(
  document: vscode.TextDocument,
  { matrix, range: { start, end }, isNamed }: MatrixInDocument,
  { explain, check, inputs, near, settings }: Parts,
): HoverOptions {
  const uri = document.uri.toString();
  const place = { uri, at: start };
  const words = inputs.summary();
  const nearNotes = notesFromNear(matrix, nearestByRole(near));
  return {
    theme: currentTheme(),
    digits: panelSettings().digits,
    largestTable: settings.largestTable,
    explain: {
      title: 'Explain Attention',
      target: isNamed ? commandUri(inputCommands.matrix, place) : commandUri(explain, { uri, start, end }),
    },
    ...(check !== undefined && !isNamed && !matrix.expression
      ? { check: { title: vscode.l10n.t('check these numbers'), target: commandUri(check, { uri, start, end }) } }
      : {}),
    use: inputNames.map((name) => ({ title: name, target: commandUri(inputCommands.use, { ...place, name }) })),
    collected: words === undefined ? undefined : { words, links: inputLinks },
    copy: linkedNotations.map((notation) => ({
      title: titleOfNotation(notation),
      target: commandUri(copyCommand, { ...place, notation }),
    })),
    axes: nearNotes.axes,
    notes: [...ownNotes(matrix), ...nearNotes.notes],
  };
}

const ownNotes = ({ expression, derivation, notes = [] }: ParsedMatrix): string[] => [
  ...(derivation === undefined ? [] : [vscode.l10n.t('from {0}', derivation)]),
  ...(expression ? [vscode.l10n.t('the expression around it is not computed')] : []),
  ...notes,
];

/** Notations with a link in the hover. The command offers the others. */
const linkedNotations = notations.filter((notation) => !['javascript', 'markdown', 'matlab'].includes(notation));

const inputLinks: readonly Link[] = [
  { title: vscode.l10n.t('explain'), target: commandUri(inputCommands.explain, {}) },
  { title: vscode.l10n.t('show'), target: commandUri(inputCommands.show, {}) },
  { title: vscode.l10n.t('reset'), target: commandUri(inputCommands.reset, {}) },
];

/** The hover of a literal that cannot be read. Only with the setting `hover.problems`, because what looks like a matrix may be none. */
function problemHover([first]: readonly Problem[]): vscode.Hover | undefined {
  if (!first) return undefined;
  const hint = first.hint ? ` ${first.hint}` : '';
  return new vscode.Hover(new vscode.MarkdownString(escapeMarkdown(`Explain Attention: ${first.message}.${hint}`)));
}

function currentTheme(): HoverTheme {
  switch (vscode.window.activeColorTheme.kind) {
    case vscode.ColorThemeKind.Light:
      return 'light';
    case vscode.ColorThemeKind.HighContrast:
      return 'hc-dark';
    case vscode.ColorThemeKind.HighContrastLight:
      return 'hc-light';
    case vscode.ColorThemeKind.Dark:
      return 'dark';
  }
}
