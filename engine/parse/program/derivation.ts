import { t } from '../../l10n';
import type { TextRange } from '../../problems';
import type { Binding, Program } from './scope';
import { partsOf, type Node } from './tree';

/** Where a program stands that is asked. */
export interface Frame {
  /** Offset of the selection in the program's text. */
  readonly shift: number;
  readonly line: number;
  readonly operations: number;
}

/** `X @ W_q, lines 3 and 7`: the expression, and the lines of the names in it. Undefined for a plain literal. */
export function derivationOf(program: Program, frame: Frame, binding: Binding): string | undefined {
  const entry = program.entries[binding.entry];
  const { work } = entry ?? {};
  const caution = binding.caution === undefined ? undefined : t('unless {0} changes it', binding.caution);
  const node = work && 'node' in work ? work.node : undefined;
  if (!entry || !node) return caution;
  if (caution === undefined && work?.kind === 'value' && isLiteral(node)) return undefined;
  const range = work?.kind === 'value' ? node : entry.statement;
  return [derived(program, frame, node, range), ...(caution === undefined ? [] : [caution])].join('; ');
}

/** A list of numbers, or one in a call. */
function isLiteral(node: Node): boolean {
  if (node.kind === 'literal' || node.kind === 'number') return true;
  return node.kind === 'call' && node.args.length > 0 && node.args[0]?.value.kind === 'literal';
}

/** Longest piece of the program that is quoted. */
const longestQuote = 80;

/** The expression in `range`, and the lines of the names in it. */
export function derived(program: Program, { line }: Frame, node: Node, range: TextRange): string {
  const text = program.text
    .slice(range.start, Math.min(range.end, range.start + longestQuote))
    .replace(/\s+/g, ' ')
    .trim();
  const quoted = range.end - range.start > longestQuote ? `${text}…` : text;
  const lines = new Set<number>();
  collectLines(program, node, lines, { nodes: 200 });
  const all = [...lines].map((n) => n + line - 1);
  const own = all.filter((n) => n >= 1).sort((x, y) => x - y);
  const places = [
    ...(own.length > 0 ? [own.length === 1 ? t('line {0}', listed(own)) : t('lines {0}', listed(own))] : []),
    // Lines are counted in the cell of the selection.
    ...(own.length < all.length ? [t('an earlier cell')] : []),
  ];
  if (places.length === 0) places.push(t('line {0}', program.lineOf(range.start) + line - 1));
  return `${quoted}, ${places.reduce(both)}`;
}

const both = (some: string, one: string): string => t('{0} and {1}', some, one);

function listed(list: readonly number[]): string {
  if (list.length > 6) return t('{0} and {1} more', list.slice(0, 6).join(', '), list.length - 6);
  const last = String(list.at(-1));
  return list.length > 1 ? both(list.slice(0, -1).join(', '), last) : last;
}

/** Lines of the names, and of the seeds of the draws, in an expression. */
function collectLines(program: Program, node: Node, lines: Set<number>, left: { nodes: number }): void {
  if (left.nodes-- <= 0) return;
  if ((node.kind === 'name' || node.kind === 'attribute' || node.kind === 'call') && node.entry !== undefined)
    lines.add(program.lineOf(lineEntry(program, node.entry)));
  for (const part of partsOf(node)) collectLines(program, part, lines, left);
}

/** Where the entry stands; for a draw, where its generator was seeded, as far as that is near. */
function lineEntry(program: Program, index: number): number {
  let at = index;
  for (let steps = 0; steps < 1000; steps++) {
    const work = program.entries[at]?.work;
    if (work?.kind !== 'draw') break;
    at = work.before;
  }
  return program.entries[at]?.statement.start ?? 0;
}
