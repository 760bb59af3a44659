/** How a name came about, in words: `X @ W_q, line 9, from lines 3 and 7`. */
import type { LinePlaces } from '../../parse';
import { t, type TextRange } from '../../text';
import type { Note, Program } from '../program';
import { rangeOf, type Expression } from '../syntax';
import { dotted, isLiteral, partsOf, type Assignment } from './assignments';

/** A program over a text, and what is said of its places. */
export interface Derived {
  readonly text: string;
  readonly program: Program;
  readonly assignments: readonly Assignment[];
  readonly places: LinePlaces;
  /** The range in the text of a range in the Python. */
  readonly inText: (range: TextRange) => TextRange;
  /** Matrices that are printed under their name, in order, with where that stands in the Python. */
  /** Draws by where they stand in the Python. */
  readonly draws: ReadonlyMap<number, { readonly end: number; readonly origin: string }>;
  readonly printed: readonly { readonly name: string; readonly start: number; readonly range: TextRange }[];
}

/** Longest piece of the program that is quoted. */
const longestQuote = 80;
/** Most parts of an expression that are looked at. */
const mostParts = 200;

/** Undefined for a plain literal. */
export function derivationOf(derived: Derived, assignment: Assignment): string | undefined {
  const { source, value, statement } = assignment;
  const caution = cautionOf(derived, assignment);
  if (value && caution === undefined && isLiteral(value)) return undefined;
  const range = value ? rangeOf(source, value) : statement;
  return [derivation(derived, assignment, range), ...(caution === undefined ? [] : [caution])].join('; ');
}

/** The expression in `range`, the lines of the names in it, and where its draws were seeded; its own line where that is all there is to say. */
export function derivation(
  derived: Derived,
  { source, parts, range: target }: Pick<Assignment, 'source' | 'parts'> & Partial<Assignment>,
  range: TextRange,
): string {
  const { text, places } = derived;
  const own = derived.inText(range);
  const written = text
    .slice(own.start, Math.min(own.end, own.start + longestQuote))
    .replace(/\s+/g, ' ')
    .trim();
  const quoted = own.end - own.start > longestQuote ? `${written}…` : written;
  const found: Lines = { names: new Map(), seeds: new Map() };
  const before = target?.start ?? range.start;
  let left = mostParts;
  const walk = (node: Expression): void => {
    if (left-- <= 0) return;
    const at = rangeOf(source, node);
    const drawn = node.nodeType === 'Call' ? drawAt(derived, at) : undefined;
    if (drawn !== undefined) {
      // The names in a draw are sizes and generators: nobody looks for its numbers in their lines.
      const seed = seedBefore(derived, node, drawn, at.start);
      if (seed !== undefined) found.seeds.set(places.ownLineOf(seed), seed);
      return;
    }
    const path = dotted(node);
    const from = path === undefined ? undefined : assignedBefore(derived, path, before);
    if (from !== undefined) {
      found.names.set(places.ownLineOf(from), from);
      return;
    }
    partsOf(node).forEach(walk);
  };
  parts.forEach(walk);
  const place = places.placeOf(own.start);
  const [names, seeds] = [placesOf(places, found.names), placesOf(places, found.seeds)];
  return [
    quoted,
    place,
    ...(names === undefined || names === place ? [] : [t('from {0}', names)]),
    ...(seeds === undefined ? [] : [t('seeded in {0}', seeds)]),
  ].join(', ');
}

/** Where lines begin, by their number. */
interface Lines {
  readonly names: Map<number, number>;
  readonly seeds: Map<number, number>;
}

/** Where a name was assigned before an offset, in the text; of a name for a name, where that was. */
function assignedBefore(derived: Derived, name: string, offset: number): number | undefined {
  let [path, before] = [name, offset];
  for (let steps = 0; steps < 100; steps++) {
    const one = derived.assignments.findLast(({ name: other, range }) => other === path && range.start < before);
    const printed = derived.printed.findLast(({ name: other, start }) => other === path && start < before);
    if (printed && (!one || printed.start > one.range.start)) return printed.range.start;
    if (!one) return undefined;
    const alias = one.value && one.value.nodeType === 'Name' ? one.value.id : undefined;
    if (alias === undefined) return derived.inText(one.statement).start;
    [path, before] = [alias, one.range.start];
  }
  return undefined;
}

/** What drew at a place of the Python, `np.random.normal`. */
const drawAt = ({ draws }: Derived, { start, end }: TextRange): string | undefined => {
  const found = draws.get(start);
  return found?.end === end ? found.origin : undefined;
};

const seeding = /(?:\.|^)(?:seed|manual_seed|default_rng|RandomState|Generator)$/;

/** Where the generator of a draw was seeded, in the text. */
function seedBefore(derived: Derived, call: Expression, origin: string, before: number): number | undefined {
  const owner = call.nodeType === 'Call' && call.func.nodeType === 'Attribute' ? dotted(call.func.value) : undefined;
  const made = owner === undefined ? undefined : assignedBefore(derived, owner, before);
  if (made !== undefined) return made;
  const library = /torch/.test(origin) ? /manual_seed/ : /\bseed$/;
  let found: number | undefined;
  for (const { source, body } of derived.program.units)
    for (const statement of body) {
      const calls = statement.nodeType === 'Expr' ? [statement.value] : statement.nodeType === 'Assign' ? [statement.value] : []; // prettier-ignore
      for (const one of calls) {
        const path = one.nodeType === 'Call' ? dotted(one.func) : undefined;
        const { start } = rangeOf(source, statement);
        if (path !== undefined && seeding.test(path) && library.test(path) && start < before) found = derived.inText({ start, end: start }).start; // prettier-ignore
      }
    }
  return found;
}

/** What is not followed and was given the name after it was assigned may have changed it. */
function cautionOf(derived: Derived, { name, range }: Assignment): string | undefined {
  const { program, text, places } = derived;
  for (const note of program.notes) {
    if (!mayChange(note) || note.range.start < range.end) continue;
    const { start, end } = derived.inText(note.range);
    const line = text.slice(start, text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end));
    const [, callee = '', given = ''] = /^([\p{L}_][\p{L}\d_.]*)[ \t]*\(([^()]*)/u.exec(line) ?? [];
    if (callee !== '' && given.split(',').some((one) => one.trim() === name))
      return t('unless {0} changes it', t('{0}, {1}', `${callee}(…)`, places.placeOf(start)));
  }
  return undefined;
}

const mayChange = ({ kind }: Note): boolean => kind === 'error' || kind === 'unknown';

/** `lines 3 and 7`; those of earlier cells with their cells. */
function placesOf(places: LinePlaces, lines: ReadonlyMap<number, number>): string | undefined {
  const sorted = [...lines].sort(([x], [y]) => x - y);
  const own = sorted.map(([, offset]) => places.lineOf(offset)).filter((n) => n >= 1);
  const earlier = sorted.slice(0, sorted.length - own.length).map(([, offset]) => places.placeOf(offset));
  const found = [
    ...(own.length > 0 ? [own.length === 1 ? t('line {0}', listed(own)) : t('lines {0}', listed(own))] : []),
    ...[...new Set(earlier)].slice(0, mostEarlier),
  ];
  return found.length > 0 ? found.reduce(both) : undefined;
}

/** Most places in earlier cells that are named. */
const mostEarlier = 3;

const both = (some: string, one: string): string => t('{0} and {1}', some, one);

function listed(list: readonly number[]): string {
  if (list.length > 6) return t('{0} and {1} more', list.slice(0, 6).join(', '), list.length - 6);
  const last = String(list.at(-1));
  return list.length > 1 ? both(list.slice(0, -1).join(', '), last) : last;
}
