/** The attention of a stopped program, with the numbers of its process, and where the process has others than the code computes. */
import { t, type Paced, type TextRange } from '../../text';
import { chosenIn, nodesOf } from '../explain';
import { readingProgram, type ImportedFile, type Program } from '../program';
import { findingAttention, lastOf, shownOf, type Attention } from '../recognise';
import { readProgram } from '../syntax';
import { count, isKnownShape, newAllowance, NotComputed, Raised, valuesOf, type DType, type Node } from '../tensor';
import { entering, type Check, type Entered } from './enter';
import type { Stopped } from './info';
import { functionAt, linesIn, namesIn } from './lines';

export interface LiveProgram {
  readonly program: Program;
  readonly attentions: readonly Attention[];
  /** The one that is meant by a place, else by the line of the stop. */
  readonly which: number | undefined;
  readonly entered: Entered;
}

/** The function in which a line stands, by its name, and the names of it that are to be asked for. */
export function* liveNames(text: string, line: number): Paced<{ readonly name?: string; readonly names: readonly string[] }> {
  const { units } = yield* readProgram(text);
  const own = functionAt(units, line, linesIn(text));
  const names = [...namesIn(own ? [own.node.args, own.node.body] : units.map(({ body }) => body))];
  return { ...(own && { name: own.node.name }), names };
} // prettier-ignore

export function* readingLive(
  stopped: Stopped,
  at: TextRange | undefined,
  files?: (module: string) => ImportedFile | undefined,
): Paced<LiveProgram> {
  const pending = { text: t('its numbers were not read from the process'), range: { start: 0, end: 0 } };
  let entered: Entered = { stopped, paths: new Map(), pending, changed: new Set(), checks: [], others: [] };
  const enter = entering(entered, (whole) => (entered = whole));
  const program = yield* readingProgram(stopped.text, { standIns: false, enter, ...(files && { files }) });
  const attentions = yield* findingAttention(program.graph);
  const { text } = stopped;
  const meant = (at && chosenIn(text, program.graph, attentions, at)) ?? chosenIn(text, program.graph, attentions, lineRange(stopped)) ?? lastOf(attentions); // prettier-ignore
  return { program, attentions, entered, which: meant && attentions.indexOf(meant) };
}

function lineRange({ text, line }: Stopped): TextRange {
  const start = text.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0); // prettier-ignore
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}

export interface Needed {
  /** Values from which the attention is computed. */
  readonly leaves: readonly string[];
  /** Values with which it is compared. */
  readonly checks: readonly string[];
}

/** Numbers that are compared, in all. */
const mostCompared = 1 << 20;

/** What is to be read from the process for an attention. */
export function neededOf({ program: { graph }, attentions, entered }: LiveProgram, which: number): Needed {
  const attention = attentions[which];
  if (!attention) return { leaves: [], checks: [] };
  const shown = shownOf(attention, attentions);
  const needed = ancestorsOf(shown.last);
  const inside = new Set([...nodesOf(graph, shown), ...needed]);
  let left = mostCompared;
  const checks = entered.checks.filter(({ node }) => {
    const size = node.shape && isKnownShape(node.shape) ? count(node.shape) : Infinity;
    if (!inside.has(node) || size > left) return false;
    left -= size;
    return true;
  });
  const leaves = [...needed].flatMap((node) => entered.paths.get(node) ?? []);
  return { leaves: [...new Set(leaves)], checks: checks.map(({ path }) => path).filter((path) => !leaves.includes(path)) }; // prettier-ignore
}

function ancestorsOf(node: Node): Set<Node> {
  const found = new Set<Node>([node]);
  for (const one of found) for (const operand of one.operands) found.add(operand);
  return found;
}

/** A name whose value in the process is another than the code computes. */
export interface Difference {
  readonly path: string;
  readonly line: number;
  readonly index: readonly number[];
  readonly here: number;
  readonly there: number;
  /** The largest distance of two numbers of it. */
  readonly most: number;
}

export interface Compared {
  /** Names that agree, within what the order of sums explains. */
  readonly same: readonly string[];
  readonly first?: Difference;
}

/**
 * How far two numbers may be apart, as a part of the largest of their tensor: sums in another order, and kernels that round less often. A half type
 * rounds each step of its own.
 */
const slack: Readonly<Record<DType, number>> = {
  bool: 0, uint8: 0, int8: 0, int16: 0, int32: 0, int64: 0,
  bfloat16: 1 / 32, float16: 1 / 256, float32: 1 / 131072, float64: 1 / 17592186044416,
}; // prettier-ignore

export function* comparing({ entered: { checks, stopped } }: LiveProgram): Paced<Compared> {
  const same: string[] = [];
  for (const check of [...checks].sort((a, b) => a.node.id - b.node.id)) {
    const theirs = stopped.numbers[check.path];
    const mine = theirs && (yield* numbersOf(check.node));
    if (!theirs || !mine) continue;
    const first = differenceOf(check, mine, theirs);
    if (first) return { same, first };
    same.push(check.path);
  }
  return { same };
}

function* numbersOf(node: Node): Paced<ArrayLike<number> | undefined> {
  try {
    return (yield* valuesOf(node, newAllowance()))?.data;
  } catch (error) {
    if (error instanceof NotComputed || error instanceof Raised) return undefined;
    throw error;
  }
}

function differenceOf({ path, line, node }: Check, mine: ArrayLike<number>, theirs: ArrayLike<number>): Difference | undefined {
  let [largest, most, at] = [0, 0, -1];
  for (let i = 0; i < theirs.length; i++) {
    const x = Math.abs(theirs[i] ?? NaN);
    if (x > largest && x < Infinity) largest = x;
  }
  const allowed = slack[node.dtype] * largest;
  for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
    const [a = NaN, b = NaN] = [mine[i], theirs[i]];
    const apart = a === b || (Number.isNaN(a) && Number.isNaN(b)) ? 0 : Math.abs(a - b);
    if (!(apart <= allowed) && at < 0) at = i;
    if (apart > most || Number.isNaN(apart)) most = apart;
  }
  if (at < 0) return undefined;
  return { path, line, index: indexAt(node.shape as readonly number[], at), here: mine[at] ?? NaN, there: theirs[at] ?? NaN, most };
} // prettier-ignore

function indexAt(shape: readonly number[], flat: number): readonly number[] {
  const index: number[] = [];
  let rest = flat;
  for (const size of [...shape].reverse()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}
