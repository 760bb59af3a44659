import { t } from '../../text/l10n';
import type { Problem, TextRange } from '../../text/problems';
import type { ParsedMatrix } from '../matrix';
import type { Stream } from './draws';
import type { Entry, Work } from './evaluate';
import { usualAliases } from './modules';

/** What a name stands for at one place of a program. */
export interface Binding {
  readonly entry: number;
  /** Where the name stands that was assigned. */
  readonly range: TextRange;
  /** The generator that it holds. */
  readonly stream?: StreamState;
  /** A function of the program: the first thing in its body that may draw, and whether it may change an argument. */
  readonly body?: Body;
  /** Memory that it may share with other names. */
  readonly roots: readonly number[];
  /** What may have changed it since: `plot(…), line 7`. */
  readonly caution?: string;
}

export interface Body {
  readonly risk?: string;
  readonly changes: boolean;
}

export interface StreamState {
  readonly of: Stream['of'];
  /** The entry of the last draw or seed. */
  last: number;
}

/** A program as far as it was read: every value in the order in which it comes about, and what each name stands for now. */
export interface Program {
  readonly text: string;
  readonly entries: Entry[];
  readonly names: Map<string, Binding>;
  readonly aliases: Map<string, string>;
  /** The global streams, once they were seeded. */
  readonly streams: { numpy?: StreamState; torch?: StreamState };
  /** Generators that names hold and whose draws are known so far. */
  readonly live: Set<StreamState>;
  /** Names by the memory that they may share. */
  readonly sharers: Map<number, Set<string>>;
  /** Line of the whole text, from 1. */
  readonly lineOf: (offset: number) => number;
  readonly places: Places;
  /** Where long literals end, by their bracket (numbers-only.ts). */
  readonly literals: Map<number, number>;
  /** Nodes and characters that were looked at. */
  steps: number;
}

/** Where the lines of a program's text stand for a reader. */
export interface Places {
  /** Line of the document in which the text begins; 0 and less where it begins in earlier cells of a notebook. */
  readonly line: number;
  /** Those cells, in order: their first offset in the text, and what number they have. */
  readonly cells?: readonly CellAbove[];
  /** Where the text is several selections of one document: where each begins in the text, in order, and in which line of the document. */
  readonly parts?: readonly SelectedPart[];
}

export interface CellAbove {
  readonly start: number;
  readonly number: number;
}

export interface SelectedPart {
  readonly start: number;
  readonly line: number;
}

/** Line of the document, or of the cell that is selected in, from 1; 0 and less in an earlier cell. */
export function documentLine({ lineOf, places: { line, parts } }: Program, offset: number): number {
  const part = parts?.findLast(({ start }) => start <= offset);
  return part ? lineOf(offset) - lineOf(part.start) + part.line : lineOf(offset) + line - 1;
}

/** `line 3`, counted in the document or the cell that is selected in; `line 2 of cell 4` in an earlier one. */
export function placeOf(program: Program, offset: number): string {
  const { cells = [] } = program.places;
  const own = documentLine(program, offset);
  if (own >= 1) return t('line {0}', own);
  const cell = cells.findLast(({ start }) => start <= offset);
  return cell
    ? t('line {0} of cell {1}', program.lineOf(offset) - program.lineOf(cell.start) + 1, cell.number)
    : t('an earlier cell');
}

export const programOf = (text: string, lineOf: (offset: number) => number, places: Places): Program => ({
  text,
  entries: [],
  names: new Map(),
  aliases: usualAliases(),
  streams: {},
  live: new Set(),
  sharers: new Map(),
  lineOf,
  places,
  literals: new Map(),
  steps: 0,
});

export interface AddedEntry {
  readonly work: Work;
  readonly needs?: readonly number[];
  readonly statement: TextRange;
  readonly nameRange?: TextRange;
}

export function addEntry(program: Program, { work, needs = [], statement, nameRange }: AddedEntry): number {
  return program.entries.push({ work, needs, statement, ...(nameRange ? { nameRange } : {}) }) - 1;
}

/** More names than this in one value are not told apart: it may share memory with anything. */
export const mostRoots = 16;
export const anything = [-1];

export function bindName(program: Program, name: string, binding: Binding): void {
  forget(program, name);
  const roots = binding.roots.length > mostRoots ? anything : binding.roots;
  program.names.set(name, { ...binding, roots });
  for (const root of roots) {
    const sharers = program.sharers.get(root);
    if (sharers) sharers.add(name);
    else program.sharers.set(root, new Set([name]));
  }
}

function forget(program: Program, name: string): void {
  for (const root of program.names.get(name)?.roots ?? []) program.sharers.get(root)?.delete(name);
  program.names.delete(name);
}

/** From here on nobody knows what the name stands for. */
export function loseName(program: Program, name: string, at: TextRange, message: string, hint?: string): void {
  const problem: Problem = {
    code: 'expression',
    message,
    range: { start: at.start, end: at.end },
    ...(hint ? { hint } : {}),
  };
  const entry = addEntry(program, { work: { kind: 'lost', problem }, statement: at });
  bindName(program, name, { entry, range: at, roots: [] });
}

/** The memory of a name is written to: other names for it stand for something else now, nobody follows what. */
export function changeInPlace(program: Program, name: string, at: TextRange): void {
  const binding = program.names.get(name);
  if (!binding) return;
  const shared = new Set([...binding.roots, -1].flatMap((root) => [...(program.sharers.get(root) ?? [])]));
  const place = placeOf(program, at.start);
  for (const other of shared)
    if (other !== name)
      loseName(program, other, at, t('{0} shares its memory with {1}, which {2} changes', other, name, place));
}

export function addMatrix(program: Program, matrix: ParsedMatrix, name: string, work: Work): void {
  const range = matrix.nameRange ?? matrix.range;
  const entry = addEntry(program, { work, statement: { start: range.start, end: matrix.range.end }, nameRange: range });
  bindName(program, name, { entry, range, roots: [entry] });
}
