import * as vscode from 'vscode';
import {
  fileRoleOf,
  fitOf,
  formatShape,
  leadMeaning,
  memoryLimit,
  numberLimit,
  roleSymbols,
  tensorExtensions,
  type FileRole,
  type Result,
  type RowRange,
  type TensorFit,
} from '../../engine/index';
import { shapeOfChosen, type Choice, type ChosenTensor, type OfferedTensor } from './choice';

const title = 'Explain Attention';

/** Asks for files to open. Undefined if the dialog was cancelled. */
export const askForFiles = (): Thenable<vscode.Uri[] | undefined> =>
  vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Tensor File'),
    canSelectMany: true,
    filters: { [vscode.l10n.t('Tensors')]: [...tensorExtensions], [vscode.l10n.t('All files')]: ['*'] },
  });

/** Asks for tensors, their roles, indexes and rows, as far as these are not clear. Undefined if the reader cancelled one of the questions. */
export async function choose(
  offered: readonly OfferedTensor[],
): Promise<Result<{ chosen: OfferedTensor[]; choice: Choice }> | undefined> {
  const chosen = await chooseTensors(offered);
  if (!chosen || chosen.length === 0) return undefined;
  const broken = chosen.flatMap(({ entry }) => (entry.problem ? [entry.problem] : []));
  if (broken.length > 0) return { ok: false, problems: broken };
  const roles = await chooseRoles(chosen);
  const indexes = roles && (await chooseIndexes(chosen, roles));
  if (!indexes) return undefined;
  const tensors = chosen.map(({ opened, entry }, i): ChosenTensor => {
    const role = roles[i] ?? 'x';
    return { uri: opened.uri.toString(), name: entry.name, role, index: indexes[i] ?? [] };
  });
  const fit = fitOf(chosen.map((one, i) => shapeOfChosen(one, tensors[i] as ChosenTensor)));
  if (!fit.ok) return fit;
  if (fit.value.fits) return { ok: true, value: { chosen, choice: { tensors } } };
  const rows = await chooseRows(fit.value);
  return rows && { ok: true, value: { chosen, choice: { tensors, rows } } };
}

interface TensorItem extends vscode.QuickPickItem {
  readonly offered: OfferedTensor;
}

/** Takes a single tensor as it is, and asks which of several. */
async function chooseTensors(offered: readonly OfferedTensor[]): Promise<OfferedTensor[] | undefined> {
  const [only, second] = offered;
  if (only && !second) return [only];
  const usual = initialSelection(offered);
  const items = offered.map((one): TensorItem => ({
    offered: one,
    label: one.name,
    description: describe(one),
    picked: usual.has(one),
    ...(one.entry.problem ? { detail: `$(warning) ${one.entry.problem.message}` } : {}),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    canPickMany: true,
    matchOnDescription: true,
    placeHolder: vscode.l10n.t('Tensors to explain: one as X, or several such as Q, K and V'),
  });
  return picked?.map((item) => item.offered);
}

/** Shape, dtype, role, and the file's name if the tensor has another: `3×4 float32 · Q`. */
function describe({ entry, name, opened }: OfferedTensor): string {
  const role = fileRoleOf(name);
  const parts = [`${entry.shape.length ? formatShape(entry.shape) : ''} ${entry.dtype}`.trim()];
  if (role) parts.push(roleSymbols[role]);
  if (entry.name !== '') parts.push(opened.name);
  return parts.join(' · ');
}

/**
 * The tensors that are selected initially: all with a role if no two have the same role. A model's file has one set for each layer, of which the
 * reader chooses.
 */
function initialSelection(offered: readonly OfferedTensor[]): ReadonlySet<OfferedTensor> {
  const sound = offered.filter(({ entry, name }) => !entry.problem && fileRoleOf(name) !== undefined);
  const roles = sound.map(({ name }) => fileRoleOf(name));
  return new Set(new Set(roles).size === roles.length ? sound : []);
}

/** The role of each tensor, by its name if no other name has that role, else by asking. A single tensor is X, or scores by its name. */
async function chooseRoles(chosen: readonly OfferedTensor[]): Promise<FileRole[] | undefined> {
  const named = chosen.map(({ name }) => fileRoleOf(name));
  if (chosen.length === 1) return [named[0] === 'scores' ? 'scores' : 'x'];
  const taken = new Set<FileRole>();
  const roles: FileRole[] = [];
  for (const [i, one] of chosen.entries()) {
    const role = named[i];
    const isClear = role !== undefined && named.filter((other) => other === role).length === 1;
    const found = isClear ? role : await askForRole(one, taken, named);
    if (!found) return undefined;
    taken.add(found);
    roles.push(found);
  }
  return roles;
}

async function askForRole(
  { name, entry }: OfferedTensor,
  taken: ReadonlySet<FileRole>,
  named: readonly (FileRole | undefined)[],
): Promise<FileRole | undefined> {
  const own = fileRoleOf(name);
  const free = (Object.keys(roleSymbols) as FileRole[]).filter(
    (role) => !taken.has(role) && (role === own || !named.includes(role)),
  );
  const items = free.map((role) => ({ label: roleSymbols[role], role }));
  const placeHolder = vscode.l10n.t('What is {0} ({1})?', name, formatShape(entry.shape));
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.role;
}

/** Most indexes that are offered as a list. With more the reader types the index. */
const mostListed = 1000;

type Index = number | null;

/** For each tensor the index of each leading axis, or `null` for all. An answer is used again for axes of the same size in the same position. */
async function chooseIndexes(
  chosen: readonly OfferedTensor[],
  roles: readonly FileRole[],
): Promise<Index[][] | undefined> {
  const answers = new Map<string, Index>();
  const indexes: Index[][] = [];
  for (const [i, { entry, name }] of chosen.entries()) {
    const index: Index[] = [];
    const lead = entry.shape.slice(0, -2);
    for (const [axis, size] of lead.entries()) {
      const fromEnd = lead.length - axis;
      const whole = fromEnd === 1 ? leadMeaning(roles[i] ?? 'x', roles) : undefined;
      const key = `${fromEnd}:${size}:${whole}`;
      const answer = size === 1 ? 0 : (answers.get(key) ?? (whole && answers.get(whole)));
      const found = answer === undefined ? await askForIndex(name, entry.shape, axis, whole) : answer;
      if (found === undefined) return undefined;
      if (size > 1) answers.set(key, found);
      if (found === null && whole) answers.set(whole, null);
      index.push(found);
    }
    indexes.push(index);
  }
  return indexes;
}

const wholeWords = {
  heads: (size: number): string => vscode.l10n.t('All {0} as heads', size),
  batch: (size: number): string => vscode.l10n.t('All {0} as inputs of a batch', size),
};

async function askForIndex(
  name: string,
  shape: readonly number[],
  axis: number,
  whole: 'heads' | 'batch' | undefined,
): Promise<Index | undefined> {
  const size = shape[axis] ?? 0;
  const placeHolder = vscode.l10n.t('{0} is {1}: which index of axis {2}?', name, formatShape(shape), axis);
  if (size > mostListed) return typeIndex(placeHolder, size);
  const all = whole ? [{ label: wholeWords[whole](size), index: null }] : [];
  const items = [...all, ...Array.from({ length: size }, (_, index) => ({ label: String(index), index }))];
  return (await vscode.window.showQuickPick<{ label: string; index: Index }>(items, { title, placeHolder }))?.index;
}

async function typeIndex(prompt: string, size: number): Promise<number | undefined> {
  const isIndex = (text: string): boolean => /^\s*\d{1,15}\s*$/.test(text) && Number(text) < size;
  const validateInput = (text: string): string | undefined =>
    isIndex(text) ? undefined : vscode.l10n.t('expected a whole number from 0 to {0}', size - 1);
  const typed = await vscode.window.showInputBox({ title, prompt, value: '0', validateInput });
  return typed === undefined ? undefined : Number(typed);
}

/** Asks which rows are explained if there are too many. */
async function chooseRows(fit: TensorFit): Promise<RowRange | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt: estimate(fit),
    value: `0:${fit.mostRows}`,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const rows = parseRows(text, fit);
      return typeof rows === 'string' ? rows : undefined;
    },
  });
  const rows = typed === undefined ? undefined : parseRows(typed, fit);
  return typeof rows === 'object' ? rows : undefined;
}

function estimate({ numbers, bytes, rows, mostRows }: TensorFit): string {
  const megabytes = (n: number): string => `${Math.ceil(n / 1e6)} MB`;
  const needed = bytes === Infinity ? `> ${megabytes(memoryLimit)}` : megabytes(bytes);
  return vscode.l10n.t(
    '{0} rows have {1} numbers and need {2} for the steps; the limits are {3} numbers and {4}. Which rows (start:end), {5} at most?',
    rows,
    numbers,
    needed,
    numberLimit,
    megabytes(memoryLimit),
    mostRows,
  );
}

/** Parses rows such as `0:512`, as a Python slice. Returns a message if they are not valid. */
function parseRows(text: string, { rows, mostRows }: Pick<TensorFit, 'rows' | 'mostRows'>): RowRange | string {
  const match = /^\s*(\d{0,15})\s*:\s*(\d{0,15})\s*$/.exec(text);
  if (!match) return vscode.l10n.t('expected start:end, such as 0:{0}', mostRows);
  const start = Number(match[1] ?? 0);
  const end = match[2] ? Number(match[2]) : rows;
  if (start >= end || end > rows) return vscode.l10n.t('expected 0 ≤ start < end ≤ {0}', rows);
  return end - start > mostRows ? vscode.l10n.t('{0} rows, {1} at most', end - start, mostRows) : { start, end };
}
