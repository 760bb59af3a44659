import type * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import { literalInDocument } from '../documents';
import { isPlain } from './plain';
import { formularyOf, wholeOf } from '../program-client';
import { programPlace, type ProgramPlace } from './program-place';

/** What a range of a document may refer to, in the order in which it is tried: the whole document, its code, a formula. */
export async function placesAt(
  document: vscode.TextDocument,
  at: TextRange,
  isCode = false,
): Promise<readonly ProgramPlace[]> {
  const whole = isCode || !isWhole(document, at) ? undefined : wholePlace(document, at);
  const code = await programPlace(document, at, isCode);
  const formula = isCode || !(await isOnLiteral(document, at)) ? formulaPlace(document, at) : undefined;
  return [whole, code, formula].flatMap((place) => place ?? []);
}

/** The whole document, where it has formulas, or Python in its prose. */
export function wholePlace(document: vscode.TextDocument, at: TextRange): ProgramPlace | undefined {
  const code = document.languageId === 'python' ? undefined : wholeOf(document);
  return code && { document, code, at, kind: 'document' };
}

function formulaPlace(document: vscode.TextDocument, at: TextRange): ProgramPlace | undefined {
  const code = document.languageId === 'python' ? undefined : formularyOf(document);
  return code && { document, code, at, kind: 'formula' };
}

/** Whether nothing but blanks is left out. */
function isWhole(document: vscode.TextDocument, { start, end }: TextRange): boolean {
  if (end <= start) return false;
  const text = document.getText();
  return text.slice(0, start).trim() === '' && text.slice(end).trim() === '';
}

/** A matrix that is written out is explained by itself, also inside a formula. */
const isOnLiteral = async (document: vscode.TextDocument, at: TextRange): Promise<boolean> =>
  at.end > at.start ? isPlain({ document, parts: [at] }) : (await literalInDocument(document, at.start))?.ok === true;

/** The place in its document as it is now, with another range. Undefined if it is none any more. */
export async function placeAgain({ document, kind }: ProgramPlace, at: TextRange): Promise<ProgramPlace | undefined> {
  if (kind === 'attention') return programPlace(document, at);
  return kind === 'formula' ? formulaPlace(document, at) : wholePlace(document, at);
}
