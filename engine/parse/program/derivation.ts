import { t } from '../../text/l10n';
import type { TextRange } from '../../text/problems';
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

/** The expression in `range`, the lines of the names in it, and where its draws were seeded; its own line where that is all there is to say. */
export function derived(program: Program, { line }: Frame, node: Node, range: TextRange): string {
  const text = program.text
    .slice(range.start, Math.min(range.end, range.start + longestQuote))
    .replace(/\s+/g, ' ')
    .trim();
  const quoted = range.end - range.start > longestQuote ? `${text}…` : text;
  const found: Lines = { names: new Set(), seeds: new Set() };
  collectLines(program, node, found, { nodes: 200 });
  const seeds = placesOf(found.seeds, line);
  const own = found.names.size > 0 ? found.names : new Set([program.lineOf(range.start)]);
  const seeded = seeds === undefined ? [] : [t('seeded in {0}', seeds)];
  return [quoted, placesOf(own, line), ...seeded].join(', ');
}

/** Lines of the program, from 1. */
interface Lines {
  readonly names: Set<number>;
  readonly seeds: Set<number>;
}

/** `lines 3 and 7`; lines are counted in the cell of the selection. */
function placesOf(lines: ReadonlySet<number>, first: number): string | undefined {
  const all = [...lines].map((n) => n + first - 1);
  const own = all.filter((n) => n >= 1).sort((x, y) => x - y);
  const places = [
    ...(own.length > 0 ? [own.length === 1 ? t('line {0}', listed(own)) : t('lines {0}', listed(own))] : []),
    ...(own.length < all.length ? [t('an earlier cell')] : []),
  ];
  return places.length > 0 ? places.reduce(both) : undefined;
}

const both = (some: string, one: string): string => t('{0} and {1}', some, one);

function listed(list: readonly number[]): string {
  if (list.length > 6) return t('{0} and {1} more', list.slice(0, 6).join(', '), list.length - 6);
  const last = String(list.at(-1));
  return list.length > 1 ? both(list.slice(0, -1).join(', '), last) : last;
}

function collectLines(program: Program, node: Node, lines: Lines, left: { nodes: number }): void {
  if (left.nodes-- <= 0) return;
  if ((node.kind === 'name' || node.kind === 'attribute' || node.kind === 'call') && node.entry !== undefined) {
    const { work, statement } = program.entries[node.entry] ?? {};
    if (node.kind === 'call' && work?.kind === 'draw') {
      // The names in a draw are sizes and generators: nobody looks for its numbers in their lines.
      lines.seeds.add(program.lineOf(seedOf(program, node.entry)));
      return;
    }
    lines.names.add(program.lineOf(statement?.start ?? 0));
  }
  for (const part of partsOf(node)) collectLines(program, part, lines, left);
}

/** Where the generator of a draw was seeded, as far as that is near. */
function seedOf(program: Program, index: number): number {
  let at = index;
  for (let steps = 0; steps < 1000; steps++) {
    const work = program.entries[at]?.work;
    if (work?.kind !== 'draw') break;
    at = work.before;
  }
  return program.entries[at]?.statement.start ?? 0;
}
