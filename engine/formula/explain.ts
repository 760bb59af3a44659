/** A formula explained: its graph, the attention in it, and a spec whose steps stand where its parts are. */
import { parseMatrices, type ParsedMatrix } from '../parse';
import { explaining } from '../program/explain/index';
import { findAttention, lastOf } from '../program/recognise/index';
import type { AttentionSpec } from '../spec';
import { fail, finish, ok, t, type Paced, type Problem, type Result } from '../text';
import { build } from './graph/build';
import { newBuilder, NoGraph, type Builder } from './graph/builder';
import { statements } from './document';
import type { Formula, Formulas } from './formulas';

export interface ExplainedFormula {
  readonly spec: AttentionSpec;
  /** Which formula it is: another one of the document where the one that was asked for is only a part. */
  readonly formula: Formula;
  /** Sizes that the text does not say, and what stands in for them. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Names whose numbers the document gives. */
  readonly own: readonly string[];
}

/** The attention of a formula, by its place in `formulas`; of the document's last one that has any, where it has none. */
export function* explainingFormula(text: string, found: Formulas, at: number): Paced<Result<ExplainedFormula>> {
  const { formulas } = found;
  const asked = formulas[at];
  if (!asked) return fail({ code: 'formula', message: t('there is no such formula') });
  const literals = literalsOf(text);
  const first = yield* explainingOne(text, found, asked, literals);
  if (first.ok || asked.status === 'alone') return first;
  for (const other of [...formulas].reverse()) {
    if (other === asked || other.status !== 'understood' || !other.display) continue;
    const made = yield* explainingOne(text, found, other, literals);
    if (made.ok) return made;
  }
  return first;
}

/** All of it at once. */
export const explainFormula = (text: string, found: Formulas, at: number): Result<ExplainedFormula> =>
  finish(explainingFormula(text, found, at));

/** Matrices that are written out, the first of each name: a document that draws anew later does so for other formulas. */
function literalsOf(text: string): ReadonlyMap<string, ParsedMatrix> {
  const found = new Map<string, ParsedMatrix>();
  for (const matrix of parseMatrices(text).matrices) {
    const { name, shape, expression, derivation } = matrix;
    const isPlain = name !== undefined && shape.length === 2 && !expression && derivation === undefined;
    if (isPlain && !found.has(name)) found.set(name, matrix);
  }
  return found;
}

function* explainingOne(
  text: string,
  found: Formulas,
  formula: Formula,
  literals: ReadonlyMap<string, ParsedMatrix>,
): Paced<Result<ExplainedFormula>> {
  // prettier-ignore
  const { expression } = formula;
  const [problem] = formula.problems;
  if (formula.status === 'refused' && problem) return fail(problem);
  if (!expression || formula.status === 'alone') return fail(none(formula));
  let why: Problem = none(formula);
  for (const statement of [...statements(expression)].reverse()) {
    const b = newBuilder(found.read.document, literals);
    try {
      build(b, statement);
    } catch (error) {
      if (!(error instanceof NoGraph)) throw error;
      why = { code: 'formula-graph', message: error.message, range: error.range };
      continue;
    }
    const made = yield* attentionIn(text, b);
    if (!made) continue;
    if (!made.ok) return made;
    const own = [...b.leaves].flatMap(([name, node]) => (node.operation === 'constant' ? [name] : []));
    return ok({ spec: made.value, formula, sizes: b.standIns, own });
  }
  return fail(why);
}

function* attentionIn(text: string, { maker: { graph }, named }: Builder): Paced<Result<AttentionSpec> | undefined> {
  const attention = lastOf(findAttention(graph));
  if (!attention) return undefined;
  const made = yield* explaining(text, { graph, bindings: named, sampleBindings: [], refusals: [] }, attention);
  return made.ok ? ok(made.value.spec) : made;
}

const none = ({ range }: Formula): Problem => ({
  code: 'formula-none',
  message: t('this formula computes no attention by itself'),
  range,
});
