import { t } from '../../text/l10n';
import type { TextRange } from '../../text/problems';
import { documentLine, placeOf, type Binding, type Program } from './scope';
import { partsOf, type Node } from './tree';

/** Where a program stands that is asked. */
export interface Frame {
  /** Offset of the selection in the program's text. */
  readonly shift: number;
  readonly operations: number;
}

/** `X @ W_q, lines 3 and 7`: the expression, and the lines of the names in it. Undefined for a plain literal. */
export function derivationOf(program: Program, binding: Binding): string | undefined {
  const entry = program.entries[binding.entry];
  const { work } = entry ?? {};
  const caution = binding.caution === undefined ? undefined : t('unless {0} changes it', binding.caution);
  const node = work && 'node' in work ? work.node : undefined;
  if (!entry || !node) return caution;
  if (caution === undefined && work?.kind === 'value' && isLiteral(node)) return undefined;
  const range = work?.kind === 'value' ? node : entry.statement;
  return [derived(program, node, range), ...(caution === undefined ? [] : [caution])].join('; ');
}

/** A list of numbers, or one in a call. */
function isLiteral(node: Node): boolean {
  if (node.kind === 'literal' || node.kind === 'number') return true;
  return node.kind === 'call' && node.args.length > 0 && node.args[0]?.value.kind === 'literal';
}

/** Longest piece of the program that is quoted. */
const longestQuote = 80;

/** The expression in `range`, the lines of the names in it, and where its draws were seeded; its own line where that is all there is to say. */
export function derived(program: Program, node: Node, range: TextRange): string {
  const text = program.text
    .slice(range.start, Math.min(range.end, range.start + longestQuote))
    .replace(/\s+/g, ' ')
    .trim();
  const quoted = range.end - range.start > longestQuote ? `${text}…` : text;
  const found: Lines = { names: new Map(), seeds: new Map() };
  collectLines(program, node, found, { nodes: 200 });
  const own = placeOf(program, range.start);
  const [names, seeds] = [placesOf(program, found.names), placesOf(program, found.seeds)];
  const from = names === undefined || names === own ? [] : [t('from {0}', names)];
  const seeded = seeds === undefined ? [] : [t('seeded in {0}', seeds)];
  return [quoted, own, ...from, ...seeded].join(', ');
}

/** Where statements begin, by line of the program. */
interface Lines {
  readonly names: Map<number, number>;
  readonly seeds: Map<number, number>;
}

const addPlace = (program: Program, lines: Map<number, number>, offset: number): unknown =>
  lines.set(program.lineOf(offset), offset);

/** `lines 3 and 7`; those of earlier cells with their cells. */
function placesOf(program: Program, lines: ReadonlyMap<number, number>): string | undefined {
  const sorted = [...lines].sort(([x], [y]) => x - y);
  const own = sorted.map(([, offset]) => documentLine(program, offset)).filter((n) => n >= 1);
  const earlier = sorted.slice(0, sorted.length - own.length).map(([, offset]) => placeOf(program, offset));
  const places = [
    ...(own.length > 0 ? [own.length === 1 ? t('line {0}', listed(own)) : t('lines {0}', listed(own))] : []),
    ...[...new Set(earlier)].slice(0, mostEarlier),
  ];
  return places.length > 0 ? places.reduce(both) : undefined;
}

/** Most places in earlier cells that are named. */
const mostEarlier = 3;

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
      addPlace(program, lines.seeds, seedOf(program, node.entry));
      return;
    }
    addPlace(program, lines.names, statement?.start ?? 0);
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
