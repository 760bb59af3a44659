import type * as vscode from 'vscode';
import type { ValueAt } from '../../engine/index';
import type { ProgramValues } from '../hover';
import { codeOf, inDocument, isInCode } from '../program-client';

/** Asks the process that reads programs for the value at an offset. Undefined if there is none. */
export type ValueReader = (
  text: string,
  offset: number,
  document: vscode.Uri,
  token: vscode.CancellationToken,
) => Promise<ValueAt | undefined>;

/** The value that a program computes at an offset of its document, as the hover needs it. Undefined if the document was edited meanwhile. */
export const programValues =
  (read: ValueReader): ProgramValues =>
  async (document, offset, token) => {
    const { version } = document;
    const code = codeOf(document);
    if (!code || !isInCode(code, { start: offset, end: offset })) return undefined;
    const value = await read(code.text, code.start + offset, document.uri, token);
    const range = value && inDocument(code, value.range);
    if (!range || document.version !== version) return undefined;
    return {
      value,
      range,
      offset,
      line: (at) => (at >= code.start && at <= code.end ? document.positionAt(at - code.start).line + 1 : undefined),
    };
  };
