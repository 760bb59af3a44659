import { parse } from 'py-ast';
import { t, type Paced, type TextRange } from '../../text';
import { chunksOf, logicalLines, type Chunk } from './chunks';
import { sourceOf, type Source } from './source';
import type { Module, Place, Statement } from './tree';

/** A top-level statement (or a few on one line) with the text that it is places in. */
export interface Unit {
  readonly source: Source;
  readonly body: readonly Statement[];
  /** No line of it was skipped. */
  readonly whole: boolean;
}

/** Lines that are not Python, or not yet. */
export interface Skipped {
  readonly text: string;
  readonly range: TextRange;
}

export interface Program {
  readonly units: readonly Unit[];
  readonly skipped: readonly Skipped[];
}

/** Lines that are blanked in one statement before it is given up. */
const attempts = 8;

/**
 * Statements with their places. A statement that does not parse loses the lines that are in the way, each of which is named; what a
 * notebook says to its shell is named as well. Linear in the text, and stops after each statement.
 */
export function* readProgram(text: string, own = true, before: readonly Unit[] = []): Paced<Program> {
  const units: Unit[] = [];
  const skipped: Skipped[] = [];
  const parsed = bodiesByText(before);
  for (const chunk of chunksOf(text)) {
    const known = parsed.get(chunk.text)?.pop();
    if (!known) yield;
    const lost = skipped.length;
    const body = known ?? bodyOf(chunk, skipped);
    units.push({ source: sourceOf(chunk.text, chunk.start, own), body, whole: skipped.length === lost });
  }
  return { units, skipped };
}

/**
 * Statements of an earlier reading by their text: they are parsed once. Each tree is given out once, since places are known by
 * their trees; what lost lines is parsed again, so that these are named again.
 */
function bodiesByText(before: readonly Unit[]): Map<string, (readonly Statement[])[]> {
  const found = new Map<string, (readonly Statement[])[]>();
  for (const { source, body, whole } of before) {
    if (!whole) continue;
    const same = found.get(source.text) ?? [];
    found.set(source.text, same);
    same.push(body);
  }
  return found;
}

interface Failure {
  readonly line: number;
}

function bodyOf(chunk: Chunk, skipped: Skipped[]): readonly Statement[] {
  let text = chunk.text;
  for (let i = 0; i <= attempts; i++) {
    const read = tryParse(text);
    if (!('line' in read)) return read.body;
    const next = i === 0 ? withoutShell(chunk, skipped) : undefined;
    text = next && next !== text ? next : withoutLine(text, read, chunk, skipped);
    if (text.trim() === '') return [];
  }
  skipped.push({ text: t('this statement is not Python'), range: trimmed(chunk.text, chunk.start) });
  return [];
}

/** Expressions within expressions: whoever walks a tree calls itself as often. */
const deepest = 400;
/** A shorter statement cannot be as deep. */
const shortText = 2 * deepest;

/** The place of the first node that is nested too deeply, found without recursion. */
function tooDeep(tree: Module): Place | undefined {
  const open: { readonly node: object; readonly depth: number }[] = [{ node: tree, depth: 0 }];
  for (let one = open.pop(); one; one = open.pop()) {
    const { node, depth } = one;
    if (depth > deepest && 'lineno' in node) return node as Place;
    for (const part of Object.values(node) as unknown[])
      if (typeof part === 'object' && part !== null) open.push({ node: part, depth: Array.isArray(part) ? depth : depth + 1 });
  } // prettier-ignore
  return undefined;
}

function tryParse(text: string): Module | Failure {
  try {
    const tree = parse(text) as Module;
    const deep = text.length > shortText ? tooDeep(tree) : undefined;
    return deep ? { line: deep.lineno } : tree;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = (error as { lineno?: unknown }).lineno ?? Number(/at line (\d+)/.exec(message)?.[1] ?? 1);
    return { line: Number(line) };
  }
}

const shell = /^(?:[%!?].*|[\w., ]+=\s*[%!].*|[\w.]+\?{1,2})[ \t]*$/;

/** `%magic`, `!shell`, `x = !shell` and `name?` become `0`, which is a statement of the same place. */
function withoutShell(chunk: Chunk, skipped: Skipped[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start } of logicalLines(chunk.text)) {
    const end = lineEnd(chunk.text, start);
    const line = chunk.text.slice(start, end);
    if (start < from || !shell.test(line)) continue;
    // `%%bash` makes another language of all that follows in its cell.
    const until = line.startsWith('%%') && !/^%%(?:time|timeit|capture)\b/.test(line) ? chunk.text.length : end;
    skipped.push({ text: t('{0} is not followed: nothing is run', line.trim()), range: at(chunk, start, end) });
    parts.push(chunk.text.slice(from, start), blanked(chunk.text.slice(start, until)));
    from = until;
  }
  return parts.join('') + chunk.text.slice(from);
}

const isOpen = (text: string): boolean => text.replace(/[^([{]/g, '').length > text.replace(/[^)\]}]/g, '').length;

const blanked = (text: string): string => '0' + text.slice(1).replace(/[^\r\n]/g, ' ');

/** The line that a parser stumbles over, with what is nested in it, as `0`. */
function withoutLine(text: string, { line }: Failure, chunk: Chunk, skipped: Skipped[]): string {
  const lines = [...logicalLines(text)];
  const starts = sourceOf(text).lineStarts;
  const failed = starts[line - 1] ?? text.length;
  let i = lines.findLastIndex(({ start }) => start <= lineEnd(text, failed));
  // What was blanked before stumbles again where the block above it has no other line.
  while (i > 0 && /^0\s*$/.test(text.slice(lines[i]?.start, lineEnd(text, lines[i]?.start ?? 0)))) i--;
  const broken = lines[i];
  if (!broken) return '';
  let next = i + 1;
  while (next < lines.length && (lines[next]?.indent ?? 0) > broken.indent) next++;
  const whole = lines[next]?.start ?? text.length;
  // What stands below a bracket that was never closed may be statements of their own.
  const end = isOpen(text.slice(broken.start, whole)) ? lineEnd(text, broken.start) : whole;
  const lost = text.slice(broken.start, end);
  skipped.push({
    text: t('this line is not Python'),
    range: trimmed(chunk.text.slice(broken.start, end), chunk.start + broken.start),
  });
  return text.slice(0, broken.start) + blanked(lost) + text.slice(end);
}

const at = ({ start }: Chunk, from: number, to: number): TextRange => ({ start: start + from, end: start + to });

const trimmed = (text: string, start: number): TextRange => ({ start, end: start + text.trimEnd().length });

function lineEnd(text: string, from: number): number {
  const next = /[\r\n]/g;
  next.lastIndex = from;
  return next.exec(text)?.index ?? text.length;
}
