/** Printed matrices beside what the document's own code gives at that place. */
import { t, type Paced, type TextRange } from '../../text';
import { isKnownShape, matchPrinted, type Node, type Program } from '../../program';
import type { CodeOf, Shown } from './outputs';
import type { Mark } from './mark';
import { printedMatrices, type Printed } from './things';
import type { Known, Values } from './values';

interface Code {
  readonly code: CodeOf;
  readonly program: Program;
  readonly values: Values;
}

/** A printed matrix of the document, and what it may show: any of them. */
interface Pair {
  readonly printed: Printed;
  readonly nodes: readonly Node[];
  readonly name?: string;
}

export interface Prints {
  readonly marks: readonly Mark[];
  /** Those that were compared. */
  readonly compared: ReadonlySet<Printed>;
  /** Where numbers of another run begin. */
  readonly otherRun: number;
}

export function* checkPrints(text: string, shown: readonly Shown[], of: Code): Paced<Prints> {
  const pairs = yield* pairsOf(shown, of);
  const otherRun = yield* otherRunAt(pairs, of);
  const stopped = of.program.notes.find(({ kind }) => kind === 'skipped' || kind === 'stopped')?.range.start ?? Infinity;
  const inOrder = !of.code.isNotebook || isInOrder(text);
  const found: Found[] = [];
  for (const pair of pairs) {
    yield;
    const { start } = pair.printed.range;
    if (!inOrder || start >= otherRun || start > stopped) continue;
    const one = yield* compared(pair, of);
    if (one) found.push(one);
  }
  const isSure = (one: Found): boolean => one.drawn === 'here' || found.some((other) => other.drawn === 'there' && other.agrees && other.pair.printed.numbers.length >= 4); // prettier-ignore
  const marks: Mark[] = [];
  for (const one of found) if (!one.agrees && isSure(one) && (yield* isCertain(one, found, of))) marks.push(yield* markOf(text, one, of));
  return { marks, compared: new Set(found.map(({ pair }) => pair.printed)), otherRun };
} // prettier-ignore

/** `In [3]:` above `In [7]:`; a notebook that was run in another order may have printed other numbers. */
function isInOrder(text: string): boolean {
  const counts = [...text.matchAll(/^In \[(\d+)\]:/gm)].map(([, count]) => Number(count));
  return counts.every((count, i) => i === 0 || count >= (counts[i - 1] ?? 0));
}

// --- what shows what ----------------------------------------------------------------

function* pairsOf(shown: readonly Shown[], of: Code): Paced<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const one of shown) {
    const matrices = printedMatrices(one.text).map((printed) => ({ ...printed, range: moved(printed.range, one.range.start) })); // prettier-ignore
    if (matrices.length === 0) continue;
    const unnamed: Printed[] = [];
    for (const printed of matrices) {
      const node = printed.name === undefined ? undefined : boundAs(of.program, printed.name, printed.range.start);
      if (node && printed.name !== undefined) pairs.push({ printed, nodes: [node], name: printed.name });
      else unnamed.push(printed);
    }
    if (unnamed.length > 0) pairs.push(...(one.by === 'comment' ? lastLine(unnamed, one, of) : yield* outputPairs(unnamed, one, of))); // prettier-ignore
  }
  return pairs;
}

const moved = ({ start, end }: TextRange, by: number): TextRange => ({ start: start + by, end: end + by });

/** What a name of the module stands for at a place. */
export const boundAs = ({ bindings }: Program, name: string, before: number): Node | undefined =>
  bindings.findLast((one) => one.name === name && one.range.start < before && one.stack.length === 0 && !one.standIn)?.node; // prettier-ignore

function* outputPairs(unnamed: readonly Printed[], one: Shown, { code, program }: Code): Paced<readonly Pair[]> {
  const matched = yield* matchPrinted(code.text, program, [{ cell: one.cell, text: one.text }]);
  return matched.flatMap(({ range, node }) => {
    const printed = unnamed.find(({ range: own }) => own.start === range.start + one.range.start);
    return printed ? [{ printed, nodes: [node] }] : [];
  });
}

/** Below or behind a line stands what that line bound or printed last. In a loop it may be any turn’s. */
function lastLine(unnamed: readonly Printed[], one: Shown, { code, program }: Code): readonly Pair[] {
  const [only, ...more] = unnamed;
  if (!only || more.length > 0) return [];
  const events = [
    ...program.bindings.flatMap(({ range, node, stack, standIn }) => stack.length === 0 && !standIn ? [{ at: range.start, nodes: node ? [node] : [] }] : []),
    ...program.outputs.map(({ range, parts }) => ({ at: range.start, nodes: parts.flatMap((part) => ('node' in part && part.node ? [part.node] : [])) })),
  ].filter(({ at }) => at >= one.cell.start && at < one.range.start); // prettier-ignore
  const last = events.reduce((most, { at }) => Math.max(most, at), -1);
  const nodes = events.filter(({ at }) => at === last).flatMap((event) => event.nodes);
  const between = code.text.slice(last, one.range.start);
  const isNear = last >= 0 && !/\n[ \t]*\n|\n[ \t]*#/.test(between) && statementEnds(between) <= 1;
  return isNear && nodes.length > 0 ? [{ printed: only, nodes }] : [];
}

/** Lines that do not end inside brackets. */
function statementEnds(text: string): number {
  let [depth, ends] = [0, 0];
  for (const sign of text) {
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    else if (sign === '\n' && depth <= 0) ends++;
  }
  return ends;
}

// --- are they equal -----------------------------------------------------------------

interface Found {
  readonly pair: Pair;
  readonly agrees: boolean;
  /** Of several nodes the one with most numbers equal. */
  readonly node: Node;
  readonly known: Known;
  readonly equal: number;
  readonly worst: number;
  /** `there`: by a stream that another version or device may draw otherwise. */
  readonly drawn: 'here' | 'there';
}

function* compared(pair: Pair, { values }: Code): Paced<Found | undefined> {
  let best: Found | undefined;
  for (const node of pair.nodes) {
    if (!node.shape || !isKnownShape(node.shape)) return undefined;
    const known = yield* values.of(node);
    if (!known) return undefined;
    if (known.dense.data.length !== pair.printed.numbers.length || squeezed(known.dense.shape) !== squeezed(pair.printed.shape)) continue;
    const found = judged(pair, node, known);
    if (!best || found.equal > best.equal) best = found;
  }
  return best;
} // prettier-ignore

const squeezed = (shape: readonly number[]): string => shape.filter((size) => size !== 1).join();

function judged(pair: Pair, node: Node, known: Known): Found {
  let [equal, worst, most] = [0, 0, -1];
  pair.printed.numbers.forEach((printed, i) => {
    const own = known.dense.data[i] ?? NaN;
    if (isSame(own, printed, known.within)) equal++;
    else {
      const far = Math.abs(own - printed.value);
      if (!(far <= most)) [worst, most] = [i, Number.isNaN(far) ? Infinity : far];
    }
  });
  return { pair, node, known, equal, worst, agrees: equal === pair.printed.numbers.length, drawn: isDrawnThere(node) ? 'there' : 'here' };
} // prettier-ignore

const isSame = (own: number, { value, slack }: Printed['numbers'][number], within: number): boolean =>
  Object.is(own, value) || own === value || Math.abs(own - value) <= slack * (1 + 1e-6) + within;

/** Streams of NumPy give the same numbers everywhere. */
function isDrawnThere(node: Node): boolean {
  const all = new Set([node]);
  for (const one of all) for (const operand of one.operands) all.add(operand);
  return [...all].some(({ operands, attributes: { origin = '' } }) => operands.length === 0 && /rand|normal|uniform|init|empty/i.test(origin) && !/^(?:np|numpy)\./.test(origin)); // prettier-ignore
}

/** The first place behind which names that are drawn without a seed are printed with other numbers than before. */
function* otherRunAt(pairs: readonly Pair[], { values }: Code): Paced<number> {
  for (const { printed, nodes } of pairs) {
    const [node, ...more] = nodes;
    const own = node && more.length === 0 ? values.written.get(node) : undefined;
    if (own && own.range.start < printed.range.start && own.numbers.some(({ value }, i) => value !== printed.numbers[i]?.value)) return printed.range.start; // prettier-ignore
    yield;
  }
  return Infinity;
}

/**
 * That a document's blocks run one after the other is certain of a notebook, and where no name is bound in two of them. Else it is shown by the numbers
 * themselves: some of them are the code's, or all are those of another step.
 */
function* isCertain(one: Found, found: readonly Found[], of: Code): Paced<boolean> {
  const { pair, equal } = one;
  if (of.code.isNotebook || !isBoundTwice(of)) return true;
  if (equal * 4 >= pair.printed.numbers.length || isTurned(one)) return true;
  return (yield* namesOf(one, of)).length > 0 || found.some((other) => other.agrees && other.pair.printed.range.start > pair.printed.range.start); // prettier-ignore
}

function isBoundTwice({ code: { blocks }, program }: Code): boolean {
  const at = new Map<string, number>();
  return program.bindings.some(({ name, range, stack }) => {
    if (stack.length > 0) return false;
    const block = blocks.findIndex(({ start, end }) => start <= range.start && range.start < end);
    const before = at.get(name);
    at.set(name, block);
    return before !== undefined && before !== block;
  });
}

// --- what is said -------------------------------------------------------------------

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

export const written = (x: number): string => (Number.isFinite(x) ? String(Number(x.toPrecision(6))) : x > 0 ? '∞' : x < 0 ? '−∞' : 'nan'); // prettier-ignore

function* markOf(text: string, one: Found, of: Code): Paced<Mark> {
  const { pair: { printed, name }, known: { dense }, worst, equal, node } = one; // prettier-ignore
  const width = printed.shape.at(-1) ?? 1;
  const at = `[${Math.floor(worst / width)}, ${worst % width}]`;
  const line = lineOf(text, node.range.start);
  const own = written(dense.data[worst] ?? NaN);
  const count = printed.numbers.length;
  const message = name === undefined
    ? t('{0} of {1} printed numbers are not those of line {2}: {3} at {4}, where the code gives {5}.', count - equal, count, line, written(printed.numbers[worst]?.value ?? NaN), at, own)
    : t('{0} of {1} numbers printed as {2} are not those of line {3}: {4} at {5}, where the code gives {6}.', count - equal, count, name, line, written(printed.numbers[worst]?.value ?? NaN), at, own);
  const [other] = yield* namesOf(one, of);
  const instead = isTurned(one)
    ? t('They are those of its transpose.')
    : other
      ? t('They are the numbers of {0} (line {1}).', other.name, lineOf(text, other.range.start))
      : count === 1
        ? t('It would be {0}.', own)
        : (ratioWords(one) ?? rowWords(one));
  return { rule: 'printed', range: printed.range, message, instead, because: printingAt(text, one.pair, other?.name) ?? node.range };
} // prettier-ignore

/** The code’s numbers times one number. */
function ratioWords({ pair: { printed }, known: { dense, within } }: Found): string | undefined {
  const most = dense.data.reduce((at, x, i) => (Math.abs(x) > Math.abs(dense.data[at] ?? 0) ? i : at), 0);
  const by = (printed.numbers[most]?.value ?? NaN) / (dense.data[most] ?? NaN);
  if (!Number.isFinite(by) || by === 0 || dense.data.length < 4) return undefined;
  const isAll = printed.numbers.every((one, i) => isSame((dense.data[i] ?? NaN) * by, { value: one.value, slack: 3 * one.slack }, within * Math.abs(by)));
  return isAll ? t('They are the code’s numbers times {0}.', written(Number(by.toPrecision(4)))) : undefined;
} // prettier-ignore

function rowWords({ known: { dense }, worst }: Found): string {
  const width = dense.shape.at(-1) ?? 1;
  const row = Math.floor(worst / width);
  const cells = [...dense.data.subarray(row * width, (row + 1) * width)].slice(0, 12);
  return t('Row {0} would be {1}.', row, `${cells.map((x) => written(Number(x.toPrecision(5)))).join(' ')}${width > 12 ? ' …' : ''}`); // prettier-ignore
}

/** The place of an f-string that writes another name’s numbers below a name. */
function printingAt(text: string, { name, printed }: Pair, other: string | undefined): TextRange | undefined {
  if (name === undefined || other === undefined) return undefined;
  const [found] = text.slice(0, printed.range.start).matchAll(new RegExp(`(?<!\\w)${name}[^{}\\n]{0,12}\\{${other}\\}`, 'g'));
  return found && { start: found.index, end: found.index + found[0].length };
} // prettier-ignore

function isTurned({ pair: { printed }, known: { dense, within } }: Found): boolean {
  const [rows = 1, columns = 1] = dense.shape.slice(-2);
  if (dense.shape.length < 2 || rows !== columns || rows < 2 || dense.data.length !== rows * columns) return false;
  return printed.numbers.every((one, i) => isSame(dense.data[(i % columns) * columns + Math.floor(i / columns)] ?? NaN, one, within)); // prettier-ignore
}

/** Names of the module that have all of the printed numbers. */
function* namesOf({ pair: { printed }, node }: Found, { program, values }: Code): Paced<readonly Program['bindings'][number][]> {
  const found: Program['bindings'][number][] = [];
  for (const one of program.bindings) {
    if (!one.node || one.node === node || one.stack.length > 0 || one.range.start > printed.range.start) continue;
    if (!one.node.shape || !isKnownShape(one.node.shape) || squeezed(one.node.shape) !== squeezed(printed.shape)) continue;
    const known = yield* values.of(one.node);
    if (known && known.dense.data.length === printed.numbers.length && judged({ printed, nodes: [] }, one.node, known).agrees) found.push(one);
    yield;
  }
  return found;
} // prettier-ignore
