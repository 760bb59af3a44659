/** Runs the interpreter on one file and judges each cell: whether its attention is found, and which message names what is not. */
import { explaining } from '../../../engine/program/explain/explain';
import { chosen } from '../../../engine/program/explain/choose';
import { matchPrinted, openingNotebook, type StoredOutput } from '../../../engine/program/places/index';
import type { Program } from '../../../engine/program/program';
import { finish, type Paced } from '../../../engine/text/pace';
import type { Cause } from '../../../engine/program/tensor/graph';
import type { ImportedFile } from '../../../engine/program/machine/machine';
import type { Attention } from '../../../engine/program/recognise/attention';
import type { TextRange } from '../../../engine/text/problems';
import { attentionKind, softmaxOffset, type Kind } from './scan';
import type { Cell, Source } from './cells';
import { lineShapes, type LineShape } from './lines';
import { printedMatrices, type Printed } from './outputs';

/** `found`: attention is found, but its numbers are refused with a message. `silent`: nothing is found and nothing is said. */
export type Verdict = 'explained' | 'found' | 'refused' | 'silent';

export interface CellVerdict {
  readonly line: number;
  readonly kind: Kind;
  readonly verdict: Verdict;
  /** The first cause, if the cell is not explained. */
  readonly cause: string;
  /** Of scores, weights and output those that are no step of the explanation. */
  readonly lacks?: string;
  readonly lines: readonly LineShape[];
}

export interface FileVerdict {
  readonly cells: readonly CellVerdict[];
  readonly printed: readonly Printed[];
  readonly characters: number;
  readonly milliseconds: number;
  readonly longestPause: number;
  readonly stopped: boolean;
}

/** CPU time in milliseconds after which a file counts as not read. CPU time, because other programs may run on the machine; where many do, it grows too (`--patience`). */
const patience = 1000 * Number(process.argv[process.argv.indexOf('--patience') + 1] || 5) || 5_000;

const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Throws only if the interpreter has a fault. */
export function judgeFile(source: Source, files: (module: string) => ImportedFile | undefined): FileVerdict {
  const { text } = source;
  const clock = { longest: 0 };
  const began = spent();
  const { program, attentions } = timed(reading(source, files), clock);
  const milliseconds = spent() - began;
  const given = new Map(finish(matchPrinted(text, program, outputsOf(source))).flatMap(({ node, own }) => (own ? [[node, own] as const] : []))); // prettier-ignore
  const cells = source.cells.flatMap((cell) => {
    const kind = attentionKind(cell);
    return kind ? [judgeCell(text, program, attentions, cell, kind)] : [];
  });
  return {
    cells,
    printed: source.cells.flatMap((cell) => printedMatrices(program, cell, given)),
    characters: text.length,
    milliseconds,
    longestPause: clock.longest,
    stopped: program.notes.some(({ kind }) => kind === 'stopped'),
  };
}

const outputsOf = ({ cells }: Source): readonly StoredOutput[] =>
  cells.flatMap(({ start, end, printed }) => (printed.length > 0 ? [{ cell: { start, end }, text: printed.join('\n') }] : [])); // prettier-ignore

/** As the editor reads a notebook: with what its cells printed. */
function* reading(
  { text, cells }: Source,
  files: (module: string) => ImportedFile | undefined,
): Paced<{ program: Program; attentions: readonly Attention[] }> {
  const { whole } = yield* openingNotebook(text, outputsOf({ text, cells }), { files });
  return yield* whole();
}

/** Runs to the end and records the longest time between two points at which the run could be paused. */
function timed<Result>(paced: Generator<unknown, Result>, clock: { longest: number }): Result {
  const start = spent();
  let asked = performance.now();
  for (;;) {
    const began = performance.now();
    // The system is asked rarely: at every place to stop, asking took a third of the time that it measured.
    if (began - asked > 100) {
      if (spent() - start > patience) throw new Error(`not read within ${patience / 1000} s`);
      asked = began;
    }
    const { done, value } = paced.next();
    clock.longest = Math.max(clock.longest, performance.now() - began);
    if (done) return value as Result;
  }
}

function judgeCell(
  text: string,
  program: Program,
  attentions: readonly Attention[],
  cell: Cell,
  kind: Kind,
): CellVerdict {
  const line = text.slice(0, cell.start).split('\n').length;
  const lines = lineShapes(program, text, cell);
  const own = attentions.filter((attention) => chosenFrom(text, program, attention, cell));
  const last = own.at(-1);
  if (!last) {
    const cause = firstCause(program, cell);
    return { line, kind, lines, verdict: cause ? 'refused' : 'silent', cause: cause ?? '' };
  }
  let cause = '';
  for (const attention of [...own].reverse()) {
    const made = timed(explaining(text, program, attention), { longest: 0 });
    if (made.ok) {
      const { start } = made.value.spec;
      const ids = 'steps' in start ? start.steps.map(({ id }) => id) : [];
      const lacks = ['scores', 'weights', 'output'].filter((part) => !ids.includes(part)).join();
      return { line, kind, lines, verdict: 'explained', cause: '', ...(lacks && { lacks }) };
    }
    cause ||= made.problems[0]?.message ?? '';
  }
  return { line, kind, lines, verdict: 'found', cause };
}

const chosenFrom = (text: string, program: Program, attention: Attention, cell: Cell): boolean => {
  const softmax = cell.start + softmaxOffset(cell);
  return (
    within(attention.site.weights.range, cell) ||
    // The whole cell selected.
    chosen(text, program.graph, [attention], { start: cell.start, end: cell.end }) !== undefined ||
    chosen(text, program.graph, [attention], { start: softmax, end: softmax + 1 }) !== undefined
  );
};

const within = (range: TextRange, { start, end }: TextRange): boolean => range.start >= start && range.start < end;

/** The first message about a cell: why a missing value has no stand-in, else a note, else why a name is not known. */
function firstCause(program: Program, cell: Cell): string | undefined {
  const refusal = program.refusals.find(({ root }) => root.start < cell.end && root.end > cell.start);
  if (refusal) return refusal.text;
  const notes = program.notes.filter(({ kind, range }) => kind !== 'assumed' && within(range, cell));
  if (notes[0]) return `${notes[0].kind}: ${notes[0].text}`;
  const why = program.bindings.flatMap(({ range, value, node }) =>
    within(range, cell) ? (causeIn(value, node?.why) ?? []) : [],
  );
  return why[0]?.text;
}

const causeIn = (value: { kind: string; cause?: Cause }, why: Cause | undefined): Cause | undefined =>
  value.kind === 'unknown' ? value.cause : why;
