import * as vscode from 'vscode';
import { readStudents, textOfBytes, type StudentList } from '../../engine/index';

type Source = 'clipboard' | 'file' | 'none';

interface SourceItem extends vscode.QuickPickItem {
  readonly source: Source;
}

const sources = (): SourceItem[] => [
  {
    label: `$(clippy) ${vscode.l10n.t('Names or ids from the clipboard')}`,
    detail: vscode.l10n.t('A line each, or a column copied from a spreadsheet. Copy the list first.'),
    source: 'clipboard',
  },
  { label: `$(file) ${vscode.l10n.t('Names or ids from a file (.txt, .csv, .tsv)')}`, source: 'file' },
  {
    label: `$(organization) ${vscode.l10n.t('No list: one folder for all')}`,
    detail: vscode.l10n.t('Everybody has the same numbers.'),
    source: 'none',
  },
];

/** Asks for the students of a class; none means one folder for all. Undefined if the reader cancelled. */
export async function askForStudents(): Promise<StudentList | undefined> {
  for (;;) {
    const picked = await vscode.window.showQuickPick(sources(), {
      title: vscode.l10n.t('Set Up a Class: Students'),
      placeHolder: vscode.l10n.t('With a list, each student gets other numbers of the same difficulty'),
    });
    if (!picked) return undefined;
    if (picked.source === 'none') return { students: [], identities: new Map(), notes: [], problems: [] };
    const list = await (picked.source === 'clipboard' ? fromClipboard() : fromFile());
    if (list?.problems.length) {
      const detail = list.problems.slice(0, 8).map(({ message }) => `• ${message}`).join('\n'); // prettier-ignore
      await vscode.window.showWarningMessage(vscode.l10n.t('The list has to be mended first.'), {
        modal: true,
        detail,
      });
      continue;
    }
    if (list?.students.length) return list;
    if (list) await vscode.window.showWarningMessage(vscode.l10n.t('There is no name in it.'), { modal: true });
  }
}

const fromClipboard = async (): Promise<StudentList> => readStudents(await vscode.env.clipboard.readText());

async function fromFile(): Promise<StudentList | undefined> {
  const filters = { [vscode.l10n.t('Lists')]: ['txt', 'csv', 'tsv'], [vscode.l10n.t('All files')]: ['*'] };
  const [uri] = (await vscode.window.showOpenDialog({ filters })) ?? [];
  if (!uri) return undefined;
  const text = textOfBytes(await vscode.workspace.fs.readFile(uri));
  return readStudents(text, /\.[ct]sv$/i.test(uri.path) || undefined);
}

const largestSeed = 4294967295;

/** Asks for the seed of a class, and suggests a random one. Undefined if the reader cancelled. */
export async function askForSeed(): Promise<number | undefined> {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set Up a Class: Seed'),
    prompt: vscode.l10n.t('The same seed and the same names give the same numbers again.'),
    value: String(new DataView(bytes.buffer).getUint32(0)),
    ignoreFocusOut: true,
    validateInput: (value) =>
      isSeed(value) ? undefined : vscode.l10n.t('Expected a whole number from 0 to {0}', largestSeed),
  });
  return text === undefined ? undefined : Number(text);
}

const isSeed = (text: string): boolean => /^\d{1,10}$/.test(text.trim()) && Number(text) <= largestSeed;
