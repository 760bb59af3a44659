/** A formula explained: its graph, the attention in it, and a spec whose steps stand where its parts are. */
import { parseMatricesPaced, type ParsedMatrix } from '../parse';
import { explaining, findAttention, lastOf, type WrittenNumbers } from '../program';
import type { AttentionSpec } from '../spec';
import { fail, finish, ok, t, type Paced, type Problem, type Result } from '../text';
import { build, newBuilder, NoGraph, type Builder, type Literals } from './graph';
import { statements, type Expression } from './tree';
import type { Formula, Formulas } from './formulas';
import { brokenMatrices, isPlain, writtenMatrices } from './numbers';

export interface ExplainedFormula {
  readonly spec: AttentionSpec;
  /** Which formula it is: another one of the document where the one that was asked for is only a part. */
  readonly formula: Formula;
  /** Why it is another one. */
  readonly instead?: Problem;
  /** Sizes that the text does not say, and what stands in for them. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Names whose numbers the document gives. */
  readonly own: readonly string[];
  /** Names of which it gives some, and how many of how many. */
  readonly partly: readonly { readonly name: string; readonly written: number; readonly of: number }[];
}

/** The attention of a formula, by its place in `formulas`; of the document's last one that has any, where it has none. */
export function* explainingFormula(
  text: string,
  found: Formulas,
  at: number,
  known?: Numbers,
): Paced<Result<ExplainedFormula>> {
  const { formulas } = found;
  const asked = formulas[at];
  if (!asked) return fail({ code: 'formula', message: t('there is no such formula') });
  const literals = known ?? (yield* readingNumbers(text));
  const first = yield* explainingOne(text, found, asked, literals);
  if (first.ok || asked.status === 'alone') return first;
  for (const other of [...formulas].reverse()) {
    if (other === asked || other.status !== 'understood' || !other.display) continue;
    const made = yield* explainingOne(text, found, other, literals);
    if (made.ok) return first.problems[0] ? ok({ ...made.value, instead: first.problems[0] }) : made;
  }
  return first;
}

/** All of it at once. */
export const explainFormula = (text: string, found: Formulas, at: number): Result<ExplainedFormula> =>
  finish(explainingFormula(text, found, at));

/** Matrices that are written out, the first of each name: a document that draws anew later does so for other formulas. */
export function* readingNumbers(text: string): Paced<Numbers> {
  const found = new Map<string, ParsedMatrix>();
  const { matrices, problems } = yield* parseMatricesPaced(text);
  for (const matrix of matrices) {
    const { name } = matrix;
    if (name !== undefined && isPlain(matrix) && !found.has(name)) found.set(name, matrix);
  }
  const all = writtenMatrices(matrices);
  yield;
  return { whole: found, all, broken: brokenMatrices(text, all), matrices, problems };
}

/** Numbers that a document writes. */
export interface Numbers {
  readonly whole: Literals;
  readonly all: readonly WrittenNumbers[];
  readonly broken: readonly WrittenNumbers[];
  /** All that are whole, with and without names. */
  readonly matrices: readonly ParsedMatrix[];
  /** Of matrices that are refused. */
  readonly problems: readonly Problem[];
}

/** Of this formula alone. */
export function* explainingOne(
  text: string,
  found: Formulas,
  formula: Formula,
  literals: Numbers,
): Paced<Result<ExplainedFormula>> {
  // prettier-ignore
  const { expression } = formula;
  const [problem] = formula.problems;
  if (formula.status === 'refused' && problem) return fail(problem);
  if (!expression || formula.status === 'alone') return fail(none(formula));
  let why: Problem = none(formula);
  for (const statement of [...statements(expression)].reverse()) {
    const b = builtOf(found, statement, literals);
    if (b instanceof NoGraph) {
      why = { code: 'formula-graph', message: b.message, range: b.range };
      continue;
    }
    const made = yield* attentionIn(text, b);
    if (!made) continue;
    if (!made.ok) return made;
    const own = [...b.leaves].flatMap(([name, node]) => (node.operation === 'constant' ? [name] : []));
    return ok({ spec: made.value, formula, sizes: b.standIns, own, partly: partlyOf(b) });
  }
  return fail(why);
}

/** With sizes that stand in; where these do not fit, once more with one width for all: a text that calls both d_model and d_k wide what it gives to heads. */
function builtOf(
  { read: { document } }: Formulas,
  statement: Expression,
  { whole, broken }: Numbers,
): Builder | NoGraph {
  let why: NoGraph | undefined;
  for (const oneWidth of [false, true]) {
    const b = newBuilder(document, whole, broken, oneWidth);
    try {
      build(b, statement);
      return b;
    } catch (error) {
      if (!(error instanceof NoGraph)) throw error;
      why ??= error;
    }
  }
  return why as NoGraph;
}

function* attentionIn(
  text: string,
  { maker: { graph }, named, written }: Builder,
): Paced<Result<AttentionSpec> | undefined> {
  const attention = lastOf(findAttention(graph, true));
  if (!attention) return undefined;
  const made = yield* explaining(
    text,
    { graph, bindings: named, sampleBindings: [], refusals: [], written },
    attention,
  );
  return made.ok ? ok(made.value.spec) : made;
}

const partlyOf = ({ leaves, written }: Builder): ExplainedFormula['partly'] =>
  [...leaves].flatMap(([name, node]) => {
    const own = written.get(node);
    const of = (node.shape ?? []).reduce<number>((size, dim) => size * (typeof dim === 'number' ? dim : 0), 1);
    return own ? [{ name, written: own.filter((value) => value !== undefined).length, of }] : [];
  });

const none = ({ range }: Formula): Problem => ({
  code: 'formula-none',
  message: t('this formula computes no attention by itself'),
  range,
});
