import * as vscode from 'vscode';
import type { Problem, ReadAs } from '../../engine/index';
import { readText } from './reading';

/** Typed input is taken as text, even if it looks like code, unless it contains a matrix. */
export const typedInputReadAs: ReadAs = { codeAsText: true };

export const typedInputLabel = (): string => vscode.l10n.t('typed input');

const typedInputKey = 'explainAttention.typed';
const exampleText = 'The cat sat on the mat';

/** Asks for a text or a matrix. Undefined if the reader cancelled. The input box starts with what was typed last. */
export async function askForText(memento: vscode.Memento, reason = ''): Promise<string | undefined> {
  let typed = memento.get<string>(typedInputKey) ?? '';
  const accepted = await vscode.window.showInputBox({
    title: 'Explain Attention',
    prompt: `${reason} ${promptText()}`.trim(),
    placeHolder: exampleText,
    value: typed,
    ignoreFocusOut: true,
    validateInput: (value) => {
      typed = value;
      return value === '' ? undefined : validationMessage(value);
    },
  });
  await memento.update(typedInputKey, typed);
  return accepted === '' ? exampleText : accepted;
}

const promptText = (): string =>
  vscode.l10n.t('Type a text, or a matrix such as [[1, 0], [0, 1]]. Enter alone takes the example.');

/** The problem with a typed input, shown while typing. */
async function validationMessage(text: string): Promise<string | undefined> {
  const read = await readText(text, typedInputReadAs);
  const [first]: readonly Problem[] = read.ok ? [] : read.problems;
  if (!first) return undefined;
  const where = first.range ? `${vscode.l10n.t('column {0}', first.range.start + 1)}: ` : '';
  return `${where}${first.message}${first.hint ? `. ${first.hint}` : ''}`;
}
