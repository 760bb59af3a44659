/** From the text of a program to the attention that is meant, as a spec. */
import { t, type Paced, type Problem, type Result, type TextRange, fail, ok } from '../../text';
import type { AttentionSpec } from '../../spec';
import { readingProgram, type Program, type ProgramOptions } from '../program';
import { formatShape, type Node } from '../tensor';
import { findingAttention, lastOf, shownOf, type Attention } from '../recognise/index';
import { chosen, listed, type CellStart, type Listed } from './choose';
import { explaining, refused } from './explain';
import { layerPathOf } from './paths';
import type { Source, Written } from './values';

export interface ProgramSpec {
  readonly spec: AttentionSpec;
  /** All that the program has, in the order in which it computes them, and which one this is. */
  readonly all: readonly Listed[];
  readonly which: number;
  /** What is not followed, assumed, skipped, or wrong with the code, each at its place. */
  readonly notes: readonly Problem[];
  /** The step that has a node's numbers. */
  readonly steps: ReadonlyMap<Node, string>;
  /** What was explained, and where its numbers come from. */
  readonly shown: Attention;
  readonly source: Source;
}

/** Undefined where the program has no attention; without a place the last one reached is meant. */
export function* readingAttention(
  text: string,
  at: TextRange | undefined,
  options: ProgramOptions = {},
): Paced<Result<ProgramSpec> | undefined> {
  const program = yield* readingProgram(text, options);
  const attentions = yield* findingAttention(program.graph);
  return yield* explainingOneOf(text, program, attentions, at);
}

/** One of a program's attentions: that of a place, by its number in their list, else the last one reached. Undefined where it has none. */
export function* explainingOneOf(
  text: string,
  program: Program & { readonly written?: Written },
  attentions: readonly Attention[],
  at: TextRange | number | undefined,
  cells: readonly CellStart[] = [],
): Paced<Result<ProgramSpec> | undefined> {
  const place = typeof at === 'number' ? undefined : at;
  const refusal = place && program.refusals.find(({ root }) => root.start <= place.start && place.end <= root.end);
  const last = lastOf(attentions);
  if (!last) return refusal && fail(refused(refusal), ...notesOf(program));
  const all = listed(text, attentions, cells, layerPathOf(program));
  const meant = typeof at === 'number' ? attentions.at(at) : at ? chosen(text, program.graph, attentions, at) : last;
  const attention = meant && shownOf(meant, attentions);
  if (!attention) return fail(refusal ? refused(refusal) : elsewhere(all, place));
  const made = yield* explaining(text, program, attention);
  if (!made.ok) return fail(...made.problems, ...notesOf(program));
  const { spec, said, ...rest } = made.value;
  const notes = [...said, ...insteadOf(attention), ...notesOf(program)];
  return ok({ spec, all, which: attentions.indexOf(attention), notes, ...rest });
}

const notesOf = ({ notes }: Program): readonly Problem[] =>
  notes.map(({ kind, text, range }) => ({ code: `program-${kind}`, message: text, range }));

/** What the code computes there itself, where that is too large. */
function insteadOf({ own, site }: Attention): readonly Problem[] {
  const shape = own?.site.weights.shape;
  if (!shape) return [];
  const message = t('Shown with stand-in sizes and numbers: with {0} weights, as the code calls it, it is too large to compute here.', formatShape(shape)); // prettier-ignore
  return [{ code: 'program-assumed', message, range: site.weights.range }];
}

function elsewhere(all: readonly Listed[], at: TextRange | undefined): Problem {
  const places = all.slice(-3).map(({ label }) => label).join('; '); // prettier-ignore
  const message = t('no attention is computed here; the code has it elsewhere: {0}', places);
  return { code: 'elsewhere', message, ...(at && { range: at }) };
}
