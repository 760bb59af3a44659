import * as vscode from 'vscode';
import { formatShape, printMatrix, type ParsedMatrix, type Problem } from '../../engine/index';
import {
  inputNames,
  isComplete,
  addInput,
  missingOf,
  type CollectedInput,
  type InputName,
  type AddedInput,
} from './collected';
import { command, type Report } from '../host';
import { findDocument, labelOf, nameOf } from '../documents';
import { matrixAt } from './matrix';
import { createVirtualDocuments } from './virtual-documents';
import { savedKeys } from '../activation';
import { readLongText } from '../explain';

export const inputCommands = {
  use: 'explainAttention.useAs',
  explain: 'explainAttention.explainInputs',
  matrix: '_explainAttention.explainMatrix',
  show: 'explainAttention.showInputs',
  reset: 'explainAttention.resetInputs',
  manage: '_explainAttention.manageInputs',
} as const;

/** The document and offset at which a hover's link found its matrix. The matrix is read again when the link is followed. */
export interface MatrixPlace {
  readonly uri: string;
  readonly at: number;
}

/**
 * Matrices that the reader collected from hovers in several places, to be explained together. They are written into one read-only virtual document,
 * which is explained like any other. They are saved for a reload of the window.
 */
export interface Inputs extends vscode.Disposable {
  /** Summary of what is collected: `Q 4×8, K 4×8`. Undefined if nothing is. */
  summary(): string | undefined;
}

/** Names of the virtual documents: for the collected inputs, and for a single matrix that is computed rather than written as a literal. */
const virtualNames = { inputs: 'inputs.py', matrix: 'matrix.py' } as const;
const savedKey = savedKeys.inputs;

type Guarded = (doing: string, act: (argument: unknown) => unknown) => (argument: unknown) => Promise<void>;

export function registerInputs(memento: vscode.Memento, report: Report, guarded: Guarded, explain: string): Inputs {
  let collected: readonly CollectedInput[] = memento.get<readonly CollectedInput[]>(savedKey) ?? [];
  const sheets = createVirtualDocuments(memento);
  const status = vscode.window.createStatusBarItem('explainAttention.inputs', vscode.StatusBarAlignment.Right, 100);
  status.name = vscode.l10n.t('Explain Attention: Inputs');
  status.command = inputCommands.manage;

  const refresh = (): void => {
    status.text = `$(symbol-array) ${summaryOf(collected) ?? ''}${missingOf(collected)}`;
    status.tooltip = vscode.l10n.t('Inputs collected for Explain Attention. Click to explain, show or reset them.');
    if (collected.length) status.show();
    else status.hide();
  };
  const setCollected = async (next: readonly CollectedInput[]): Promise<void> => {
    collected = next;
    refresh();
    await Promise.all([sheets.write(virtualNames.inputs, textOfInputs(next)), memento.update(savedKey, next)]);
  };
  const explainSheet = async (name: string): Promise<void> => {
    const document = await sheets.open(name);
    const end = document.getText().length;
    await vscode.commands.executeCommand(explain, { uri: document.uri.toString(), start: 0, end });
  };
  /** Adds an input to what is collected. Starts over if something else was collected in the meantime. */
  const joined = async (
    input: CollectedInput,
  ): Promise<AddedInput & { readonly before: readonly CollectedInput[] }> => {
    const before = collected;
    const found = await addInput(before, input, canBeExplained);
    return before === collected ? { ...found, before } : joined(input);
  };
  const keepAndExplain = async (next: readonly CollectedInput[]): Promise<void> => {
    await setCollected(next);
    if (isComplete(next)) await explainSheet(virtualNames.inputs);
  };
  const find = async (argument: unknown): Promise<Found | undefined> => {
    const place = placeOf(argument) ?? placeOfCursor();
    const found = place && (await readMatrix(place));
    if (!found) return void report.problems({ name: 'Explain Attention' }, [nothing]);
    if ('problems' in found) return void report.problems({ name: nameOf(found.document) }, found.problems);
    return found;
  };
  const use = async (argument: unknown): Promise<void> => {
    const found = await find(argument);
    const name = found && (nameOfArgument(argument) ?? (await pickName()));
    if (!found || !name) return;
    const input = collect(name, found);
    const { before, inputs, dropped } = await joined(input);
    await keepAndExplain(inputs);
    if (dropped.length) void offerUndo(input, dropped, () => keepAndExplain(before));
  };
  const explainMatrix = async (argument: unknown): Promise<void> => {
    const found = await find(argument);
    if (!found) return;
    const { code, from } = collect('X', found);
    await sheets.write(
      virtualNames.matrix,
      `# ${[found.matrix.name, found.matrix.derivation, from].filter(Boolean).join(', ')}\n${code}\n`,
    );
    await explainSheet(virtualNames.matrix);
  };
  const show = async (): Promise<void> => {
    if (!collected.length) await setCollected([]);
    await vscode.window.showTextDocument(await sheets.open(virtualNames.inputs), { viewColumn: vscode.ViewColumn.One });
  };
  const manage = async (): Promise<void> => {
    const choice = await pickAction(collected);
    await choice?.run({ explainAll: () => explainSheet(virtualNames.inputs), show, keep: setCollected, collected });
  };

  refresh();
  const { registerCommand } = vscode.commands;
  const parts = vscode.Disposable.from(
    status,
    sheets,
    command(inputCommands.use, guarded(vscode.l10n.t('Use Matrix As'), use)),
    registerCommand(inputCommands.matrix, guarded(vscode.l10n.t('Explain Matrix'), explainMatrix)),
    command(
      inputCommands.explain,
      guarded(vscode.l10n.t('Explain Collected Inputs'), () => explainSheet(virtualNames.inputs)),
    ),
    command(inputCommands.show, guarded(vscode.l10n.t('Show Collected Inputs'), show)),
    command(
      inputCommands.reset,
      guarded(vscode.l10n.t('Reset Collected Inputs'), () => setCollected([])),
    ),
    registerCommand(inputCommands.manage, guarded(vscode.l10n.t('Collected Inputs'), manage)),
  );
  return { summary: () => summaryOf(collected), dispose: () => void parts.dispose() };
}

const summaryOf = (collected: readonly CollectedInput[]): string | undefined =>
  collected.length ? collected.map(({ name, shape }) => `${name} ${formatShape(shape)}`).join(', ') : undefined;

const nothing: Problem = { code: 'nothing', message: vscode.l10n.t('no matrix stands there any more') };

/** Whether the inputs can be explained without a problem. */
async function canBeExplained(inputs: readonly CollectedInput[]): Promise<boolean> {
  return (await readLongText(textOfInputs(inputs), undefined, () => false))?.ok === true;
}

/** Notifies the reader which inputs were dropped, and offers to undo. */
async function offerUndo(
  input: CollectedInput,
  dropped: readonly CollectedInput[],
  restore: () => Promise<void>,
): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const [used, droppedWords] = [summaryOf([input]) ?? '', summaryOf(dropped) ?? ''];
  const message =
    dropped.length === 1
      ? vscode.l10n.t('{0} is used without {1}, which does not go with it.', used, droppedWords)
      : vscode.l10n.t('{0} is used without {1}, which do not go with it.', used, droppedWords);
  if ((await vscode.window.showInformationMessage(message, undo)) === undo) await restore();
}

function textOfInputs(collected: readonly CollectedInput[]): string {
  const head = collected.length
    ? `# ${vscode.l10n.t('Inputs that were collected for Explain Attention, to be explained together.')}`
    : `# ${vscode.l10n.t('No input is collected: choose “use as” in the hover of a matrix.')}`;
  return (
    [head, ...collected.map(({ shape, code, from }) => `# ${formatShape(shape)}, ${from}\n${code}`)].join('\n\n') + '\n'
  );
}

interface Found {
  readonly document: vscode.TextDocument;
  readonly matrix: ParsedMatrix;
}

function collect(name: InputName, { document, matrix }: Found): CollectedInput {
  const printed = printMatrix({ ...matrix, name }, 'numpy');
  if (!printed.ok) throw new Error(`NumPy has every shape: ${printed.problems[0]?.message}`);
  return { name, shape: matrix.shape, code: printed.value.text, from: labelOf(document, matrix.range.start) };
}

/** The matrix that a link names, as its document contains it now. */
export async function readMatrix({
  uri: of,
  at,
}: MatrixPlace): Promise<
  Found | { readonly document: vscode.TextDocument; readonly problems: readonly Problem[] } | undefined
> {
  const document = await findDocument(vscode.Uri.parse(of));
  const found = document && (await matrixAt(document, at));
  if (!document || !found) return undefined;
  if (!found.ok) return { document, problems: found.problems };
  const { matrix, range } = found.value;
  return { document, matrix: { ...matrix, range } };
}

/** The place that a link's argument names, if it is one. */
export function placeOf(argument: unknown): MatrixPlace | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri: of, at } = argument as { readonly [name: string]: unknown };
  return typeof of === 'string' && Number.isSafeInteger(at) ? { uri: of, at: at as number } : undefined;
}

/** The place of the cursor, for a command without a link. */
export function placeOfCursor(): MatrixPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  return { uri: document.uri.toString(), at: document.offsetAt(selection.active) };
}

function nameOfArgument(argument: unknown): InputName | undefined {
  const name = typeof argument === 'object' && argument !== null && 'name' in argument ? argument.name : undefined;
  return inputNames.find((known) => known === name);
}

async function pickName(): Promise<InputName | undefined> {
  const chosen = await vscode.window.showQuickPick([...inputNames], { title: vscode.l10n.t('Use the matrix as') });
  return inputNames.find((name) => name === chosen);
}

interface Actions {
  readonly explainAll: () => Promise<void>;
  readonly show: () => Promise<void>;
  readonly keep: (next: readonly CollectedInput[]) => Promise<void>;
  readonly collected: readonly CollectedInput[];
}

/** Lets the reader choose what to do with the collected inputs. Opened from the status bar. */
function pickAction(collected: readonly CollectedInput[]) {
  const { t } = vscode.l10n;
  const removals = collected.map(({ name, from }) => ({
    label: t('Remove {0}', name),
    description: from,
    run: (actions: Actions) => actions.keep(actions.collected.filter((input) => input.name !== name)),
  }));
  const all = [
    { label: t('Explain Attention'), run: (actions: Actions) => actions.explainAll() },
    { label: t('Show Inputs'), run: (actions: Actions) => actions.show() },
    ...removals,
    { label: t('Reset'), run: (actions: Actions) => actions.keep([]) },
  ];
  return vscode.window.showQuickPick(all, { title: t('Inputs of Explain Attention') });
}
