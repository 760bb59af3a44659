import * as vscode from 'vscode';
import { examFileName, frontMatterOf, keyFileName } from '../../engine/index';
import { liesBeside } from './documents';

/** Whether a folder is marked as an exam, for every lesson in it. */
export const isInExamFolder = (uri: vscode.Uri): Thenable<boolean> => liesBeside(uri, examFileName);

/** Whether a lesson is an exam: by its text or by its folder. Beside the key, which is the teacher's folder, none is one. */
export async function isExam(uri: vscode.Uri, text: string): Promise<boolean> {
  if (!frontMatterOf(text).exam && !(await isInExamFolder(uri))) return false;
  return !(await liesBeside(uri, keyFileName));
}

/** The same of a document; only Markdown is a lesson. */
export const isExamDocument = (document: vscode.TextDocument): Promise<boolean> =>
  document.languageId === 'markdown' ? isExam(document.uri, document.getText()) : Promise.resolve(false);

/** Runs a command that explains what an editor shows, but says why it does not where that is an exam. */
export const unlessExam =
  <A extends readonly unknown[]>(act: (...args: A) => unknown) =>
  async (...args: A): Promise<unknown> => {
    const [first] = args;
    const named = first instanceof vscode.Uri ? first : undefined;
    const open = vscode.workspace.textDocuments;
    const document = open.find(({ uri }) => uri.toString() === named?.toString()) ?? vscode.window.activeTextEditor?.document;
    if (!document || !(await isExamDocument(document))) return act(...args);
    return void vscode.window.showInformationMessage(vscode.l10n.t('This lesson is an exam: nothing in it is explained or checked.'));
  }; // prettier-ignore
